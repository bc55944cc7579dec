/**
 * How a chip looks: whose it is by hue, edge and number, or that it is the same for everybody.
 *
 * The ten hues stay apart for eyes that see no red, no green or no blue; the edge changes from each
 * player to the next; and when all forty pairs are taken, a small number is added. The order is the
 * one of the drawings in the rulebooks' pictures, so that a player has the same chips in both.
 * Chance chips (AR-3.b) and value chips have no owner's colour; they differ by their shape.
 */
import type { Book, ChipKind } from "../api/types";
import {
  CHANCE,
  EDGE_GAP,
  EDGE_SHARE,
  EDGES,
  FIGURE,
  FIGURE_EMS,
  FIGURES_WIDTH,
  HUES,
  INK,
  IVORY,
  LIGHT_FROM,
  LUMA,
  THOUSANDS,
  VALUE,
  VALUE_INLAY_RADIUS,
  WHOLE_BELOW,
} from "./look.generated";
import { ON_NUMBERS } from "./spots";

/** The classes of twelve numbers, and of the spots between two of them. */
const DOZENS = new Set(["dozen", "column", "straddle"]);

/** The radius of a chip's face before it is scaled to its place. */
export const FACE = 20;

/** The kinds of chips that look the same for everybody. */
export type Common = "chance" | "value";

/** The look of a chip: the livery of a player's colour, or that of chips that all have. */
export type Look = number | Common;

export interface Livery {
  kind: "colour" | Common;
  hue: string;
  edge: number;
  /** 0, or the small number that distinguishes players of the same hue and edge. */
  number: number;
  /** The colour of the figures. */
  ink: string;
}

const liveries: Livery[] = [];

const COMMON: Record<Common, Livery> = {
  chance: { kind: "chance", hue: CHANCE, edge: 0, number: 0, ink: IVORY },
  value: { kind: "value", hue: VALUE, edge: 0, number: 0, ink: INK },
};

export function livery(look: Look): Livery {
  if (typeof look === "string") return COMMON[look];
  const place = Math.max(0, Math.trunc(look));
  return (liveries[place] ??= made(place));
}

/** The look of chips of a kind, for an owner with this look. */
export function lookOf(chips: ChipKind, own: Look): Look {
  return chips === "chance" || chips === "value" ? chips : own;
}

/** The kind of the chips that a player lays on a spot of the house. */
export function laidKind(
  book: Pick<Book, "chips" | "spots">,
  spot: string,
  hasValueChips = false,
): ChipKind {
  const kind = book.spots[spot]?.class;
  const { on_numbers, on_chances, on_dozens } = book.chips;
  const taken = ON_NUMBERS.includes(kind ?? "") ? on_numbers : DOZENS.has(kind ?? "") ? on_dozens : on_chances;
  return hasValueChips && taken.includes("value") ? "value" : (taken[0] ?? "colour");
}

/** The look of players without a colour: that of the house's other chips. */
export function bareLook(book: Pick<Book, "chips">): Look {
  const kinds = [...book.chips.on_numbers, ...book.chips.on_chances];
  return kinds.includes("chance") ? "chance" : "value";
}

function made(place: number): Livery {
  const again = Math.floor(place / HUES.length);
  const hue = place % HUES.length;
  const rounds = Math.floor(again / EDGES.length);
  return {
    kind: "colour",
    hue: HUES[hue] ?? HUES[0],
    edge: (hue + again) % EDGES.length,
    number: rounds ? rounds + 1 : 0,
    ink: INK,
  };
}

/** The colour of the edge spots: whichever of ivory and ink stands out against the hue. */
export function spotColour(hue: string): string {
  const luma = LUMA.reduce(
    (sum, weight, at) => sum + weight * Number.parseInt(hue.slice(1 + 2 * at, 3 + 2 * at), 16),
    0,
  );
  return luma < LIGHT_FROM ? IVORY : INK;
}

/** The edge spots as dashes of a circle: spots and gaps that close after whole rounds. */
export function dashes(edge: number, radius: number): string {
  const key = `${edge} ${radius}`;
  let found = known.get(key);
  if (!found) known.set(key, (found = spaced(edge, radius)));
  return found;
}

const known = new Map<string, string>();

function spaced(edge: number, radius: number): string {
  const [groups, spots]: readonly [number, readonly number[]] = EDGES[edge] ?? EDGES[0];
  const group = (2 * Math.PI * radius) / groups;
  const drawn = group * EDGE_SHARE;
  const total = spots.reduce((sum, each) => sum + each, 0);
  const each = spots.map((spot) => (drawn * spot) / total);
  const inner = drawn * EDGE_GAP;
  const gaps = Array.from({ length: spots.length - 1 }, () => inner);
  const taken = [...each, ...gaps].reduce((sum, length) => sum + length, 0);
  gaps.push(group - taken);
  return each.flatMap((length, at) => [length, gaps[at] ?? 0].map((x) => x.toFixed(2))).join(" ");
}

/** An amount that fits on a chip: in full up to four digits, then in thousands and so on. */
export function shortAmount(amount: number, longest = 5): string {
  if (amount < WHOLE_BELOW) return String(amount);
  const digits = String(Math.trunc(amount));
  const power = Math.floor((digits.length - 1) / 3);
  const letter = THOUSANDS[power - 1];
  if (!letter || digits.includes("e")) return `1e${digits.length - 1}`;
  // Digits that do not fit are cut off, never rounded up.
  const whole = digits.slice(0, digits.length - 3 * power);
  const places = Math.max(longest - whole.length - 2, 0);
  const rest = digits.slice(whole.length, whole.length + places).replace(/0+$/, "");
  return `${whole}${rest ? `.${rest}` : ""}${letter}`;
}

/** The size of the figures on a chip of the radius of `FACE`. */
export function figureSize(text: string): number {
  const known = figureSizes.get(text);
  if (known !== undefined) return known;
  let width = 0;
  for (const each of text) width += FIGURE_EMS[".,'  ".includes(each) ? "point" : "digit"];
  const size = Math.min(FACE * FIGURE, (FACE * FIGURES_WIDTH) / width);
  // Amounts on a cloth are few and alike. A table that has seen this many begins anew.
  if (figureSizes.size >= 1000) figureSizes.clear();
  figureSizes.set(text, Math.round(size * 100) / 100);
  return Math.round(size * 100) / 100;
}

const figureSizes = new Map<string, number>();

/** The eight-sided inlay of a value chip, as the points of a polygon. */
export const OCTAGON = Array.from({ length: 8 }, (_, n) => {
  const turn = Math.PI / 8 + (n * Math.PI) / 4;
  return [Math.cos(turn), Math.sin(turn)].map((at) => (FACE * VALUE_INLAY_RADIUS * at).toFixed(2)).join();
}).join(" ");
