/**
 * From the book's drawing of a cloth to what is seen and touched on a screen.
 *
 * Lying, the cloth is drawn as the book has it: a number's square is two units, zero on the left.
 * Upright it is made for a phone. There the numbers keep their size, since the lines between them
 * must be wide enough for a finger, and all that lies beside them is drawn closer or wider until
 * every house's cloth has the same breadth.
 */
import type { Book, ClothPlan } from "../api/types";

/** How many units of the picture a unit of the cloth is: letters want to be larger than one. */
export const UNIT = 40;

export type Orientation = "portrait" | "landscape";

export interface XY {
  readonly x: number;
  readonly y: number;
}

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A box as it is drawn. */
export interface DrawnBox {
  readonly spot: string;
  readonly kind: string;
  readonly word: string;
  readonly outline: readonly XY[];
  readonly rect: Rect;
  readonly chip: XY;
  /** On which side of the numbers it lies. */
  readonly side: "numbers" | "left" | "right" | "foot";
}

export interface Line {
  readonly start: XY;
  readonly end: XY;
}

export interface Geometry {
  readonly orientation: Orientation;
  readonly drawing: ClothPlan["drawing"];
  /** The whole picture, margins included. */
  readonly view: Rect;
  readonly boxes: readonly DrawnBox[];
  /** Every spot of the book, and no other, with the points where its chips may lie. */
  readonly points: ReadonlyMap<string, readonly XY[]>;
  readonly prison: ReadonlyMap<string, Line>;
  readonly spaces: ReadonlyMap<string, Rect>;
  /** Splits with other spots close on both sides of them, and the points of the line they are on. */
  readonly crowded: ReadonlyMap<string, XY>;
  /** Half the breadth and height of a number's square. */
  readonly square: XY;
}

/** How broad every upright cloth is, margins included: 374 px give a unit of 25 px. */
const UPRIGHT = 15;
/** Where there is less height, it is drawn broader in proportion, so that it fills the width. */
const BROADEST = 20;
/** How much of what it is broader goes to the numbers. */
const TO_NUMBERS = 0.45;
/** How much wider a number is drawn upright where there is one flank only. */
const BROAD = 1.2;
/** How much longer than in the book a lying cloth may be drawn to fill the width. */
const LONGEST = 1.3;
/** How high a unit is upright: as little as leaves a finger its 24 px. */
const LOW = 0.965;
/** How high the zeros rise upright, and in the book, where they lie in one row. */
const HEAD = 1.8;
const ONE_ROW = 2.5;
const FOOT = 2.5;
const STRIP = 0.85;
const MARGIN = { portrait: 0.25, landscape: 0.8 } as const;
/** Where the numbers lie at the edge themselves, the chips on their outer line need more room. */
const OUTER = 0.64;

type Bend = (at: number) => number;

/** A function that takes each knot to its value, straight between them and beyond. */
function bend(knots: readonly (readonly [number, number])[]): Bend {
  return (at) => {
    let next = knots.findIndex(([from], place) => place > 0 && at <= from);
    if (next < 0) next = knots.length - 1;
    const [from, to] = knots[next - 1] ?? [0, 0];
    const [until, end] = knots[next] ?? [1, 1];
    return to + ((at - from) * (end - to)) / (until - from);
  };
}

/** How the upright cloth is drawn closer: one bend for the breadth and one for the height. */
function upright(plan: ClothPlan, whole: number): { x: Bend; y: Bend } {
  const printed = around(plan.boxes.flatMap((box) => box.outline.map(([x, y]) => ({ x, y }))));
  const [left, , right] = plan.bounds;
  const strips = [left < printed.left, right > printed.right];
  const one = printed.right <= 6;
  const numbers = (one ? 6 * BROAD : 6) + (whole - UPRIGHT) * TO_NUMBERS;
  const margins = MARGIN.portrait + (one ? OUTER : MARGIN.portrait);
  const room = whole - margins - numbers - STRIP * strips.filter((strip) => strip).length;
  const flank = one ? room : room / 2;
  const x: [number, number][] = [
    [printed.left - 1.25, -flank - STRIP],
    [printed.left, -flank],
    [0, 0],
    [6, numbers],
  ];
  const end = numbers + flank;
  if (!one) x.push([printed.right, end], [printed.right + 1.25, end + STRIP]);
  const y: [number, number][] = [
    [printed.top, -headOf(plan)],
    ...(printed.top < -ONE_ROW
      ? [[printed.top + ONE_ROW, HEAD - headOf(plan)] as [number, number]]
      : []),
    [0, 0],
    [24, 24 * LOW],
    [printed.bottom, 24 * LOW + FOOT],
  ];
  return { x: bend(x), y: bend(y) };
}

export function around(points: readonly XY[]): Rect {
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  return {
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs),
    bottom: Math.max(...ys),
  };
}

export const centre = (rect: Rect): XY => ({
  x: (rect.left + rect.right) / 2,
  y: (rect.top + rect.bottom) / 2,
});

/** How high the zeros rise upright: each further row of them is as high as a row of numbers. */
const headOf = ({ bounds: [, top] }: ClothPlan): number => HEAD + Math.max(0, -top - ONE_ROW) * LOW;

/** The size of a cloth as it is drawn where there is room enough, in units. */
export function natural(book: Pick<Book, "cloth">, orientation: Orientation): XY {
  const [left, top, right, bottom] = book.cloth.bounds;
  if (orientation === "portrait")
    return { x: UPRIGHT, y: headOf(book.cloth) + 24 * LOW + FOOT + 2 * MARGIN.portrait };
  const margins = 2 * MARGIN.landscape;
  return { x: bottom - top + margins, y: right - left + margins };
}

/**
 * The drawing of a book's cloth, upright or lying. `shape` is the breadth of the room it has by its
 * height: where height is short the cloth is drawn broader than it is in the book, within bounds.
 */
export function geometry(
  book: Pick<Book, "cloth" | "spots">,
  orientation: Orientation,
  shape = 0,
): Geometry {
  const plan = book.cloth;
  const lying = orientation === "landscape";
  const size = natural(book, orientation);
  const wanted = Math.max(size.x, shape * size.y);
  const bends = lying ? null : upright(plan, Math.min(wanted, BROADEST));
  const margins = 2 * MARGIN.landscape;
  const long = lying ? Math.min((wanted - margins) / (size.x - margins), LONGEST) : 1;
  const seen = ([x = 0, y = 0]: readonly number[]): XY =>
    bends ? { x: bends.x(x), y: bends.y(y) } : { x: y * long, y: 6 - x };
  const seenRect = (l: number, t: number, r: number, b: number): Rect =>
    around([seen([l, t]), seen([r, b])]);

  const boxes = plan.boxes.map((box): DrawnBox => {
    const outline = box.outline.map(seen);
    const [x = 0, y = 0] = box.chip;
    const kind = book.spots[box.spot]?.class ?? "straight";
    return {
      spot: box.spot,
      kind,
      word: box.word,
      outline,
      rect: around(outline),
      chip: seen(box.chip),
      side: y > 24 ? "foot" : kind === "straight" ? "numbers" : x < 0 ? "left" : "right",
    };
  });
  const points = new Map<string, readonly XY[]>();
  const square = boxes.find((box) => box.spot === "1")?.rect;
  const half = square
    ? { x: (square.right - square.left) / 2, y: (square.bottom - square.top) / 2 }
    : { x: 1, y: 1 };
  const printed = new Set(boxes.map((box) => box.spot));
  const lines = Object.keys(book.spots)
    .filter((spot) => !printed.has(spot))
    .flatMap((spot) => (plan.points[spot] ?? []).map(seen));
  const crowded = new Map<string, XY>();
  for (const [spot, told] of Object.entries(book.spots)) {
    const at = (plan.points[spot] ?? []).map(seen);
    if (told.class === "straddle")
      points.set(spot, at.map((each) => clear(each, boxes, lying)));
    else points.set(spot, at);
    const [line] = at;
    if (told.class !== "split" || !line || !isCrowded(line, lines, half, lying)) continue;
    crowded.set(spot, line);
    const up = lying ? { x: line.x - ASIDE, y: line.y } : { x: line.x, y: line.y - ASIDE };
    points.set(spot, [up]);
  }
  const prison = new Map<string, Line>();
  for (const [spot, [start, end]] of Object.entries(plan.prison))
    prison.set(spot, { start: seen(start), end: seen(end) });
  const spaces = new Map<string, Rect>();
  for (const [call, [l, t, r, b]] of Object.entries(plan.spaces))
    spaces.set(call, seenRect(l, t, r, b));

  const [l, t, r, b] = plan.bounds;
  const bounds = seenRect(l, t, r, b);
  const margin = MARGIN[orientation];
  return {
    orientation,
    drawing: plan.drawing,
    view: {
      left: bounds.left - margin,
      top: bounds.top - margin,
      right: bounds.right + (!lying && plan.bounds[2] <= 6 ? OUTER : margin),
      bottom: bounds.bottom + margin,
    },
    boxes,
    points,
    prison,
    spaces,
    crowded,
    square: half,
  };
}

/**
 * A chip across a line between two boxes at the foot lies near the outer end of the line, clear of
 * the chips in the boxes themselves, which are narrow. On other lines it lies where the book says.
 */
function clear(point: XY, boxes: readonly DrawnBox[], lying: boolean): XY {
  const foot = boxes.find((box) => box.side === "foot")?.rect;
  if (!foot) return point;
  const away = 0.6;
  if (lying) return point.x > foot.left ? { x: foot.right - away, y: point.y } : point;
  return point.y > foot.top ? { x: point.x, y: foot.bottom - away } : point;
}

/**
 * Where two zeros share the breadth of the three columns, the points on their line to the numbers are
 * half as far apart as elsewhere. A chip between two others is drawn so far to the zeros there.
 */
const ASIDE = 0.2;

/** A point seen from the line between the zeros and the numbers: along it, and up to the zeros. */
const fromHead = ({ x, y }: XY, lying: boolean): { along: number; up: number } =>
  lying ? { along: y, up: -x } : { along: x, up: -y };

/** Whether a line has points so near on both sides of this one that their areas would overlap. */
function isCrowded(point: XY, lines: readonly XY[], half: XY, lying: boolean): boolean {
  const own = fromHead(point, lying);
  const near = 0.75 * (lying ? half.y : half.x);
  const beside = lines
    .map((other) => fromHead(other, lying))
    .filter(({ up }) => Math.abs(up - own.up) < 0.01)
    .map(({ along }) => along - own.along);
  return [1, -1].every((side) => beside.some((far) => far * side > 0.01 && far * side < near));
}

/** A piece of the picture in which a touch plays a spot. */
export interface Hit {
  readonly spot: string;
  readonly at: XY;
  readonly outline: readonly XY[];
  readonly rect: Rect;
  /** The first area of its spot speaks for it to a screen reader; the others only take touches. */
  readonly first: boolean;
}

/** How wide a touch area is at least, in pixels of the screen. */
export const TOUCH = 24;

/**
 * The areas of every spot, the large ones first: what lies on a line is above the boxes that it
 * parts. `px` says how many pixels of the screen a unit is; the larger the cloth, the more of a
 * square belongs to its number.
 */
export function hits(drawn: Geometry, px: number): readonly Hit[] {
  // Half of the way to the next spot at most, so that no area lies on another of its kind.
  const wanted = Math.max(0.3, TOUCH / 2 / px);
  const reach = {
    x: Math.min(drawn.square.x / 2, wanted),
    y: Math.min(drawn.square.y / 2, wanted),
  };
  const found: Hit[] = [];
  const seen = new Set<string>();
  const add = (spot: string, at: XY, outline: readonly XY[]): void => {
    found.push({ spot, at, outline, rect: around(outline), first: !seen.has(spot) });
    seen.add(spot);
  };
  // A zero at the head has round or cut corners, where nothing else is touched.
  for (const { spot, chip, outline, rect } of drawn.boxes)
    if (drawn.points.has(spot)) add(spot, chip, outline.length > 4 ? corners(rect) : outline);
  const boxed = new Set(drawn.boxes.map((box) => box.spot));
  const lying = drawn.orientation === "landscape";
  const others = [...drawn.points]
    .filter(([spot]) => !boxed.has(spot) && !drawn.crowded.has(spot))
    .flatMap(([, points]) => points.map((point) => fromHead(point, lying)));
  for (const [spot, points] of drawn.points) {
    if (boxed.has(spot)) continue;
    const line = drawn.crowded.get(spot);
    for (const at of points) {
      if (line) {
        add(spot, at, besideOthers(line, others, reach, lying));
        continue;
      }
      const up = amongZeros(at, others, reach, lying);
      add(
        spot,
        at,
        corners({
          left: at.x - reach.x - (lying ? up : 0),
          top: at.y - reach.y - (lying ? 0 : up),
          right: at.x + reach.x - (lying ? up : 0),
          bottom: at.y + reach.y - (lying ? 0 : up),
        }),
      );
    }
  }
  return found;
}

type FromHead = ReturnType<typeof fromHead>;

/** How far the area of a point between two zeros is moved up, clear of those below it. */
function amongZeros(at: XY, others: readonly FromHead[], reach: XY, lying: boolean): number {
  const own = fromHead(at, lying);
  if (own.up < 0.01) return 0;
  const [across, high] = lying ? [reach.y, reach.x] : [reach.x, reach.y];
  const covered = others
    .filter(({ along }) => Math.abs(along - own.along) < 2 * across - 0.01)
    .map(({ up }) => 2 * high - (own.up - up))
    .filter((lacks) => lacks > 0 && lacks < 2 * high - 0.01);
  return Math.min(high, Math.max(0, ...covered));
}

/**
 * The area of a crowded split: what its neighbours leave it of the line, and above their areas as
 * much of the zero as a finger needs, on the side where no other spot is. The middle of all of it
 * belongs to it, since programs that speak for a hand touch the middle.
 */
function besideOthers(
  line: XY,
  others: readonly FromHead[],
  reach: XY,
  lying: boolean,
): readonly XY[] {
  const own = fromHead(line, lying);
  const [across, high] = lying ? [reach.y, reach.x] : [reach.x, reach.y];
  const next = Math.min(
    ...others
      .filter(({ up }) => Math.abs(up - own.up) < 0.01)
      .map(({ along }) => Math.abs(along - own.along)),
  );
  const stem = Math.max(0.1, Math.min(across, next - across));
  const above = others.filter(({ up }) => up - own.up > 0.01 && up - own.up < 4 * high - 0.01);
  const isFree = (start: number): boolean =>
    above.every(({ along }) => Math.abs(along - across - start) > 2 * across - 0.01) &&
    Math.abs(start + across - own.along) < across + stem;
  const centred = own.along - across;
  const beside = above.flatMap(({ along }) => [along - 3 * across, along + across]);
  const start = [centred, ...beside].find(isFree) ?? centred;
  const outline: [number, number][] = [
    [own.along - stem, 0],
    [own.along - stem, high],
    [start, high],
    [start, 3 * high],
    [start + 2 * across, 3 * high],
    [start + 2 * across, high],
    [own.along + stem, high],
    [own.along + stem, 0],
  ];
  return outline.map(([along, up]) =>
    lying ? { x: -(own.up + up), y: along } : { x: along, y: -(own.up + up) },
  );
}

function corners({ left, top, right, bottom }: Rect): readonly XY[] {
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
}

function inside(outline: readonly XY[], { x, y }: XY): boolean {
  let odd = false;
  for (let at = 0, before = outline.length - 1; at < outline.length; before = at++) {
    const one = outline[at];
    const other = outline[before];
    if (!one || !other) continue;
    if (one.y > y !== other.y > y) {
      const crossing = ((other.x - one.x) * (y - one.y)) / (other.y - one.y) + one.x;
      if (x < crossing) odd = !odd;
    }
  }
  return odd;
}

/** The spot that a touch plays, or null beside the cloth. */
export function hitAt(areas: readonly Hit[], at: XY): Hit | null {
  for (let place = areas.length - 1; place >= 0; place--) {
    const area = areas[place];
    if (area && inside(area.outline, at)) return area;
  }
  return null;
}

export type Arrow = "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

const STEPS: Record<Arrow, readonly [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The next of several things in a direction: near, and rather straight ahead than aside. */
export function towards<T extends { readonly at: XY }>(
  areas: readonly T[],
  from: XY,
  arrow: Arrow,
): T | null {
  const [dx, dy] = STEPS[arrow];
  let best: T | null = null;
  let least = Infinity;
  for (const area of areas) {
    const x = area.at.x - from.x;
    const y = area.at.y - from.y;
    const along = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (along < 0.05 || aside > along * 4 + 0.3) continue;
    const far = along + 2.4 * aside;
    if (far < least - 1e-9) {
      least = far;
      best = area;
    }
  }
  return best;
}

export const path = (outline: readonly XY[]): string =>
  `M${outline.map(({ x, y }) => `${round(x)} ${round(y)}`).join("L")}Z`;

export const round = (value: number): number => Math.round(value * 1000) / 1000;
