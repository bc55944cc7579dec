/**
 * The racetrack: the wheel's numbers around an oval, and inside it the announcements that are
 * stretches of the wheel. All of it follows from the book, which says what each call lays.
 */
import type { Book, Pocket } from "../api/types";
import { coveredBy, pieces } from "../cloth/spots";

export interface XY {
  readonly x: number;
  readonly y: number;
}

export interface Measures {
  readonly width: number;
  readonly height: number;
  /** How broad the ring of numbers is. */
  readonly ring: number;
}

export const WIDE: Measures = { width: 760, height: 172, ring: 37 };
/** For a phone: the ring is as long as it can be, so that each number has its 24 px. */
export const COMPACT: Measures = { width: 336, height: 271, ring: 28 };

export interface Cell {
  readonly number: Pocket;
  readonly outline: readonly XY[];
  readonly middle: XY;
}

export interface Zone {
  readonly call: string;
  readonly numbers: readonly Pocket[];
  readonly outline: readonly XY[];
  /** Where its name is written, and how broad it may be. */
  readonly middle: XY;
  readonly room: number;
  /** Whether it lies inside another zone. */
  readonly inner: boolean;
}

export interface Finals {
  readonly kind: "straight" | "split";
  readonly calls: readonly string[];
}

export interface Track {
  readonly measures: Measures;
  readonly cells: readonly Cell[];
  readonly zones: readonly Zone[];
  /** Calls that are no stretch of the wheel of their own. */
  readonly others: readonly string[];
  readonly finals: readonly Finals[];
  /** How many neighbours a number takes along on each side; null where there are no sectors. */
  readonly sector: number | null;
}

type TrackBook = Pick<Book, "announcements" | "sector" | "wheel" | "spots">;

/** Whether the house takes any announcement at all. */
export const hasTrack = (book: Pick<Book, "announcements" | "sector">): boolean =>
  book.sector !== null || Object.keys(book.announcements).length > 0;

/** The oval: zero at the left end, as on the lying cloth, and clockwise as in the wheel. */
export function oval({ width, height, ring }: Measures): (share: number, inset: number) => XY {
  const bend = height / 2;
  const radius = bend - ring / 2;
  const straight = width - height;
  const arc = Math.PI * radius;
  const whole = 2 * straight + 2 * arc;
  return (share, inset) => {
    // From the middle of the left end, where zero lies, upwards.
    let way = (((share % 1) + 1) % 1) * whole;
    const out = bend - inset;
    const around = (x: number, angle: number): XY => ({
      x: x + out * Math.sin(angle),
      y: bend - out * Math.cos(angle),
    });
    if (way < arc / 2) return around(bend, -Math.PI / 2 + way / radius);
    way -= arc / 2;
    if (way < straight) return { x: bend + way, y: inset };
    way -= straight;
    if (way < arc) return around(width - bend, way / radius);
    way -= arc;
    if (way < straight) return { x: width - bend - way, y: height - inset };
    way -= straight;
    return around(bend, Math.PI + way / radius);
  };
}

const STEPS = 8;

export function track(book: TrackBook, measures: Measures): Track {
  const at = oval(measures);
  const count = book.wheel.length;
  const share = (place: number): number => place / count;
  const along = (from: number, until: number, inset: number): XY[] => {
    const steps = Math.max(1, Math.round((until - from) * STEPS));
    return Array.from({ length: steps + 1 }, (_, step) =>
      at(share(from + ((until - from) * step) / steps), inset),
    );
  };
  const cells = book.wheel.map((number, place): Cell => {
    const outer = along(place - 0.5, place + 0.5, 0);
    const inner = along(place - 0.5, place + 0.5, measures.ring).reverse();
    return { number, outline: [...outer, ...inner], middle: at(share(place), measures.ring / 2) };
  });
  const { zoned, others, finals } = sorted(book);
  const drawn = zoned.map(({ call, arcs, inner }) => ({
    call,
    inner,
    numbers: arcs.flatMap(({ from, length }) =>
      Array.from({ length }, (_, step) => book.wheel[(from + step) % count] ?? 0),
    ),
    outline: arcs.flatMap(({ from, length }) =>
      along(from - 0.5, from + length - 0.5, measures.ring),
    ),
  }));
  for (const zone of drawn) if (zone.inner) zone.outline.push(...bulge(zone.outline, measures));
  const zones = drawn.map((zone): Zone => {
    const own = span(zone.outline, measures.height / 2);
    // The name of a zone is written beside the one that lies inside it.
    const within = zone.inner ? undefined : drawn.find((each) => each.inner && holds(zone, each));
    const cut = within && span(within.outline, measures.height / 2);
    const [left, right] = cut
      ? cut[0] - own[0] < own[1] - cut[1]
        ? [cut[1], own[1]]
        : [own[0], cut[0]]
      : own;
    return {
      ...zone,
      middle: { x: (left + right) / 2, y: measures.height / 2 },
      room: right - left,
    };
  });
  return { measures, cells, zones, others, finals, sector: book.sector };
}

/** The least breadth of a zone that lies inside another: room for its name and for a finger. */
const INNER = 64;

/** Where a straight line would leave an inner zone too narrow, its edge is rounded inwards. */
function bulge(outline: readonly XY[], measures: Measures): XY[] {
  const [left, right] = span(outline, measures.height / 2);
  const [end, start] = [outline[outline.length - 1], outline[0]];
  const lacks = INNER - (right - left);
  if (lacks <= 0 || !end || !start) return [];
  const inwards = left + right < measures.width ? 1 : -1;
  return Array.from({ length: 2 * STEPS - 1 }, (_, step) => {
    const share = (step + 1) / (2 * STEPS);
    const out = 4 * share * (1 - share) * lacks * inwards;
    return {
      x: end.x + (start.x - end.x) * share + out,
      y: end.y + (start.y - end.y) * share,
    };
  });
}

type Numbered = { readonly numbers: readonly Pocket[] };

const holds = (zone: Numbered, part: Numbered): boolean =>
  part.numbers.every((number) => zone.numbers.includes(number));

/** From where to where an outline reaches at a height. */
function span(outline: readonly XY[], height: number): [number, number] {
  const xs: number[] = [];
  outline.forEach((one, place) => {
    const other = outline[(place + 1) % outline.length] ?? one;
    if (one.y > height === other.y > height) return;
    xs.push(one.x + ((other.x - one.x) * (height - one.y)) / (other.y - one.y));
  });
  return [Math.min(...xs), Math.max(...xs)];
}

interface Arc {
  readonly from: number;
  readonly length: number;
}

/** The stretches of the wheel that the numbers make, by their first place and their length. */
export function arcs(order: readonly Pocket[], numbers: ReadonlySet<Pocket>): Arc[] {
  const count = order.length;
  const inside = (place: number): boolean => numbers.has(order[(place + count) % count] ?? -1);
  const found: Arc[] = [];
  for (let from = 0; from < count; from++) {
    if (!inside(from) || inside(from - 1)) continue;
    let length = 1;
    while (length < count && inside(from + length)) length++;
    found.push({ from, length });
  }
  return found;
}

/** The finals by their kind: of single numbers, or of two that lie beside each other. */
function final(call: string): Finals["kind"] | null {
  const parts = /^f(\d+)(?:\/(\d+))?$/.exec(call);
  if (!parts) return null;
  return parts[2] === undefined ? "straight" : "split";
}

function sorted(book: TrackBook): {
  zoned: { call: string; arcs: Arc[]; inner: boolean }[];
  others: string[];
  finals: Finals[];
} {
  const names = Object.keys(book.announcements);
  const finals = (["straight", "split"] as const)
    .map((kind) => ({ kind, calls: names.filter((call) => final(call) === kind) }))
    .filter(({ calls }) => calls.length);
  const plain = names
    .filter((call) => final(call) === null)
    .map((call) => {
      const numbers = new Set(coveredBy(book, pieces(book, call)));
      return { call, numbers, arcs: arcs(book.wheel, numbers) };
    });
  const taken = new Set<Pocket>();
  const zoned: { call: string; arcs: Arc[]; inner: boolean; numbers: Set<Pocket> }[] = [];
  const large = [...plain].sort((one, other) => other.numbers.size - one.numbers.size);
  for (const { call, numbers, arcs } of large) {
    if (arcs.length > 2 || [...numbers].some((number) => taken.has(number))) continue;
    for (const number of numbers) taken.add(number);
    zoned.push({ call, arcs, inner: false, numbers });
  }
  const smallest = plain
    .filter(({ call, arcs }) => arcs.length === 1 && !zoned.some((zone) => zone.call === call))
    .sort((one, other) => one.numbers.size - other.numbers.size)[0];
  if (smallest && zoned.some(({ numbers }) => [...smallest.numbers].every((n) => numbers.has(n))))
    zoned.push({ ...smallest, inner: true });
  const shown = new Set(zoned.map(({ call }) => call));
  const others = plain.map(({ call }) => call).filter((call) => !shown.has(call));
  return { zoned, others, finals };
}

/** The name of the sector around a number, as it is announced. */
export const sectorCall = (number: Pocket, sides: number): string => `${number}~${sides}`;
