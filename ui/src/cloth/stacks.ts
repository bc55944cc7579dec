/**
 * The stakes as stacks of chips: the place and the height of each, also where players share a spot.
 *
 * A thousand stakes may lie on a cloth and one of them may change. So a spot whose stakes are as
 * they were keeps its stacks, and only the others are drawn again.
 */
import type { Book, ChipKind, InPrison, LyingStake, Pocket } from "../api/types";
import type { Geometry, XY } from "./geometry";
import { lookOf, type Look } from "./liveries";
import { CROWDED, FULL, RISE, STEPS } from "./look.generated";

/** The radius of a chip that has its spot to itself, in units of the cloth. */
export const RADIUS = 0.5;
/** Other players' chips are a little smaller than your own. */
const OTHERS = 0.9;

export interface SeatLook {
  /** The look of the player's own chips. */
  readonly livery: Look;
  readonly you: boolean;
  /** Whether they lay value chips, where the house takes them. */
  readonly hasValueChips?: boolean;
}
export type Seats = Record<string, SeatLook>;

export interface Stack {
  /** Its unique key: its place, its player, and the kind of common chip. */
  readonly key: string;
  readonly spot: string;
  readonly player: string;
  readonly at: XY;
  readonly radius: number;
  readonly livery: Look;
  readonly yours: boolean;
  readonly amount: number;
  readonly layers: number;
  readonly ids: readonly string[];
}

/** The stacks of one place, yours last so that it lies on top. */
export interface Place {
  readonly key: string;
  readonly spot: string;
  readonly kind: "spot" | "space" | "prison";
  readonly stacks: readonly Stack[];
}

/** How many chips of a stack are drawn: all of a small one, then on a shrinking scale. */
export function height(chips: number, crowded = false): number {
  const drawn =
    Math.min(Math.max(1, Math.ceil(chips)), 4) +
    STEPS.filter((step) => chips >= step).length;
  return Math.min(drawn, crowded ? CROWDED : FULL);
}

export interface Fan {
  readonly radius: number;
  readonly places: readonly XY[];
}

const fans = new Map<string, Fan>();

/**
 * Spreads stacks over a circle so that none hides another: a ring of five, then honeycomb. None is
 * larger than `full`.
 */
export function fan(count: number, reach: number, full = RADIUS): Fan {
  const key = `${count} ${reach} ${full}`;
  let found = fans.get(key);
  if (!found) fans.set(key, (found = spread(count, reach, full)));
  return found;
}

/** On a cloth that is full of stakes even a stack that lies alone is smaller than it could be. */
const fullOf = (stakes: number): number => RADIUS * (stakes > 600 ? 0.7 : stakes > 250 ? 0.84 : 1);

function spread(count: number, reach: number, full: number): Fan {
  if (count === 1) return { radius: Math.min(full, reach), places: [{ x: 0, y: 0 }] };
  const places = count <= 5 ? ring(count) : comb(count);
  // The places are one unit apart, which leaves half a unit on each side of a stack, minus its
  // rise.
  const farthest = Math.max(...places.map(({ x, y }) => Math.hypot(x, y)));
  const share = 0.5 / (1 + (RISE * (CROWDED - 1)) / 2);
  const apart = Math.min(full / share, reach / (farthest + 0.5));
  return {
    radius: apart * share,
    places: places.map(({ x, y }) => ({ x: x * apart, y: y * apart })),
  };
}

function ring(count: number): XY[] {
  const radius = 0.5 / Math.sin(Math.PI / count);
  // Two stacks lie across the square, clear of the chips on its four sides.
  const start = count === 2 || count === 4 ? (-3 * Math.PI) / 4 : -Math.PI / 2;
  return Array.from({ length: count }, (_, n) => {
    const angle = start + (2 * Math.PI * n) / count;
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  });
}

function comb(count: number): XY[] {
  const rows = 2 + Math.floor(Math.sqrt(count));
  const lattice: XY[] = [];
  for (let row = -rows; row <= rows; row++)
    for (let column = -rows; column <= rows; column++)
      lattice.push({ x: column + Math.abs(row % 2) / 2, y: (row * Math.sqrt(3)) / 2 });
  const far = ({ x, y }: XY): number => Math.round(Math.hypot(x, y) * 1e6);
  lattice.sort((one, other) => far(one) - far(other) || one.y - other.y || one.x - other.x);
  const near = lattice.slice(0, count);
  const x = near.reduce((sum, each) => sum + each.x, 0) / count;
  const y = near.reduce((sum, each) => sum + each.y, 0) / count;
  return near.map((each) => ({ x: each.x - x, y: each.y - y }));
}

/** How far from its point the stacks of a spot may spread. */
function reachOf(drawn: Geometry, spot: string): number {
  const box = drawn.boxes.find((each) => each.spot === spot);
  const small = Math.min(drawn.square.x, drawn.square.y);
  if (!box) return 0.78 * small;
  if (box.kind === "straight") return 0.85 * small;
  const { left, top, right, bottom } = box.rect;
  return Math.min(right - left, bottom - top) * (box.side === "foot" ? 0.42 : 0.36);
}

interface Pile {
  key: string;
  player: string;
  livery: Look;
  amount: number;
  ids: string[];
}

/** The piles of each place: a player's stakes of one look on one place are one pile. */
function pile(stakes: readonly Bare[], seats: Seats): Pile[] {
  const piles = new Map<string, Pile>();
  for (const { id, player, amount, chips } of stakes) {
    const livery = lookOf(chips, seats[player]?.livery ?? 0);
    const key = typeof livery === "string" ? `${player} ${livery}` : player;
    const found = piles.get(key);
    if (found) {
      found.amount += amount;
      found.ids.push(id);
    } else piles.set(key, { key, player, livery, amount, ids: [id] });
  }
  return [...piles.values()];
}

interface Asked {
  readonly book: Pick<Book, "cloth" | "spots" | "announcements">;
  readonly drawn: Geometry;
  readonly stakes: readonly LyingStake[];
  readonly prison: readonly InPrison[];
  readonly seats: Seats;
  /** What one chip is worth, which says how high a stack is. */
  readonly chip: number;
  /** Once the number is out, what an announcement made win is placed (IT-sett-1b). */
  readonly dolly: Pocket | null;
}

/** Remembers what was drawn, so that what did not change is not drawn again. */
export class Stacker {
  #before = new Map<string, Laid>();
  #drawn: Geometry | null = null;
  /** What all places depend on: the looks of the players, the chip, how full the cloth is. */
  #common = "";

  places(asked: Asked): Place[] {
    const common = `${asked.chip} ${fullOf(asked.stakes.length)} ${looks(asked.seats)}`;
    if (asked.drawn !== this.#drawn || common !== this.#common) this.#before.clear();
    this.#drawn = asked.drawn;
    this.#common = common;
    const now = new Map<string, Laid>();
    const found: Place[] = [];
    for (const [key, gathered] of this.#gather(asked)) {
      const before = this.#before.get(key);
      const { stakes } = gathered;
      const place =
        before && alike(before.stakes, stakes) ? before.place : lay(key, gathered, asked);
      now.set(key, { stakes, place });
      found.push(place);
    }
    this.#before = now;
    return found;
  }

  #gather(asked: Asked): Map<string, Gathered> {
    const gathered = new Map<string, Gathered>();
    const add = (key: string, kind: Place["kind"], spot: string, stake: Bare): void => {
      const there = gathered.get(key);
      if (there) there.stakes.push(stake);
      else gathered.set(key, { kind, spot, stakes: [stake] });
    };
    const whole = wholeAnnouncements(asked);
    for (const stake of asked.stakes) {
      const { call, announcement } = stake;
      const waits = call !== null && announcement !== null && whole.has(announcement);
      if (!waits) add(stake.on, "spot", stake.on, stake);
      else if (asked.dolly === null) add(`space ${call}`, "space", call, stake);
      else if (asked.book.spots[stake.on]?.numbers.includes(asked.dolly))
        add(stake.on, "spot", stake.on, stake);
    }
    for (const held of asked.prison) add(`prison ${held.on}`, "prison", held.on, held);
    return gathered;
  }
}

interface Bare {
  readonly id: string;
  readonly player: string;
  readonly amount: number;
  readonly chips: ChipKind;
}

interface Gathered {
  readonly kind: Place["kind"];
  readonly spot: string;
  readonly stakes: Bare[];
}

/** A place, and the stakes it was drawn for. */
interface Laid {
  readonly stakes: readonly Bare[];
  readonly place: Place;
}

const looks = (seats: Seats): string =>
  Object.entries(seats)
    .map(([player, { livery, you }]) => `${player} ${livery}${you ? "!" : ""}`)
    .join("|");

/** Whether the same stakes lie on a place as before, in the same order. */
const alike = (before: readonly Bare[], now: readonly Bare[]): boolean =>
  before.length === now.length &&
  before.every((one, which) => {
    const other = now[which];
    return (
      one === other ||
      (one.id === other?.id &&
        one.player === other.player &&
        one.amount === other.amount &&
        one.chips === other.chips)
    );
  });

/** The announcements held to be placed of which all pieces still lie in their space. */
function wholeAnnouncements({ book, stakes }: Asked): Set<string> {
  const pieces = new Map<string, { call: string; count: number }>();
  for (const { call, announcement } of stakes) {
    if (!call || !announcement || !(call in book.cloth.spaces)) continue;
    const found = pieces.get(announcement);
    if (found) found.count += 1;
    else pieces.set(announcement, { call, count: 1 });
  }
  const whole = new Set<string>();
  for (const [id, { call, count }] of pieces)
    if (count >= new Set(book.announcements[call] ?? []).size) whole.add(id);
  return whole;
}

function lay(key: string, { kind, spot, stakes }: Gathered, asked: Asked): Place {
  const { drawn, seats, chip } = asked;
  const piles = pile(stakes, seats);
  const stacks: Stack[] = [];
  const put = (some: readonly Pile[], at: XY, shape: Fan): void => {
    some.forEach(({ key: whose, player, livery, amount, ids }, which) => {
      const place = shape.places[which] ?? { x: 0, y: 0 };
      const yours = seats[player]?.you ?? false;
      stacks.push({
        key: `${key} ${whose}`,
        spot,
        player,
        at: { x: at.x + place.x, y: at.y + place.y },
        radius: shape.radius * (yours ? 1 : OTHERS),
        livery,
        yours,
        amount,
        layers: height(amount / Math.max(1, chip), some.length > 1),
        ids,
      });
    });
  };
  if (kind === "prison") {
    const line = drawn.prison.get(spot);
    if (line) put(piles, middleOf(line.start, line.end), row(piles.length, line.start, line.end));
  } else if (kind === "space") {
    const rect = drawn.spaces.get(spot);
    if (rect) {
      const reach = Math.min(rect.right - rect.left, rect.bottom - rect.top) / 2 - 0.1;
      put(
        piles,
        { x: (rect.left + rect.right) / 2, y: (rect.top + rect.bottom) / 2 },
        fan(piles.length, reach),
      );
    }
  } else {
    // The piles of a spot with several points are shared out over them.
    const points = drawn.points.get(spot) ?? [];
    const full = fullOf(asked.stakes.length);
    points.forEach((point, which) => {
      const here = piles.filter((_, at) => at % points.length === which);
      if (here.length) put(here, point, fan(here.length, reachOf(drawn, spot), full));
    });
  }
  stacks.sort((one, other) => Number(one.yours) - Number(other.yours) || one.at.y - other.at.y);
  return { key, spot, kind, stacks };
}

const middleOf = (one: XY, other: XY): XY => ({
  x: (one.x + other.x) / 2,
  y: (one.y + other.y) / 2,
});

/** Stakes in prison lie along the line of their chance. */
function row(count: number, start: XY, end: XY): Fan {
  const long = Math.hypot(end.x - start.x, end.y - start.y);
  const apart = Math.min(RADIUS * 2.3, long / count);
  const along = { x: (end.x - start.x) / long, y: (end.y - start.y) / long };
  return {
    radius: Math.min(RADIUS * 0.85, apart / 2.3),
    places: Array.from({ length: count }, (_, place) => {
      const step = (place - (count - 1) / 2) * apart;
      return { x: along.x * step, y: along.y * step };
    }),
  };
}
