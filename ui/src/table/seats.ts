/** Which livery each player's chips wear. */
import type { Seat } from "../api/types.ts";
import type { Look } from "../cloth/liveries.ts";
import { COLOURS } from "../cloth/look.generated.ts";

export type Hue = (typeof COLOURS)[number];

/**
 * The livery in which each hue of the house is drawn. The drawn hues are chosen so that everybody
 * can tell them apart, and the house's name of a hue is not always what is seen; the words of the
 * room name what is seen.
 */
const DRAWN: Record<Hue, number> = {
  blue: 0,
  yellow: 1,
  pink: 2,
  lime: 3,
  purple: 4,
  cyan: 5,
  brown: 6,
  orange: 7,
  grey: 8,
  green: 9,
};

/** The colours of a table with `count` colours. */
export function colours(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const hue = COLOURS[n % COLOURS.length]!;
    return n < COLOURS.length ? hue : `${hue} ${Math.floor(n / COLOURS.length) + 1}`;
  });
}

/** A colour taken apart: its hue, and which of the chips of that hue it is. */
export function parted(colour: string): { hue: Hue; round: number } | null {
  const [, name, round] = /^([a-z]+)(?: (\d+))?$/.exec(colour) ?? [];
  const hue = COLOURS.find((each) => each === name);
  return hue === undefined ? null : { hue, round: Number(round ?? 1) };
}

/** The livery of a colour, or null for none of the house's. */
export function liveryOf(colour: string | null): number | null {
  const found = colour === null ? null : parted(colour);
  return found && DRAWN[found.hue] + COLOURS.length * (found.round - 1);
}

export interface Livery {
  livery: Look;
  you: boolean;
}

/**
 * The livery of every player. Who plays a colour wears it; all others, such as those who play value
 * chips, wear the look of chips that have no colour.
 */
export function liveries(
  players: Record<string, Seat>,
  you: string | null,
  bare: Look,
): Record<string, Livery> {
  return Object.fromEntries(
    Object.entries(players).map(([name, seat]) => [
      name,
      { livery: liveryOf(seat.colour) ?? bare, you: name === you },
    ]),
  );
}

/** The colours that nobody plays. */
export function freeColours(players: Record<string, Seat>, count: number): string[] {
  const taken = new Set(Object.values(players).map((seat) => seat.colour));
  return colours(count).filter((colour) => !taken.has(colour));
}
