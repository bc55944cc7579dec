/**
 * Where the chips of a reduction are drawn.
 *
 * The picture shows the row of the winning number with its neighbours, the plates of the zeros above
 * them and the bank's place behind these, the rows into which the chips are dragged at the side, and
 * the spool at the foot.
 */

import type { Book, ClothPlan, Pocket } from "../api/types";
import { isZero, zerosOf } from "../table/pockets";
import type { Frame, Token } from "./reduction";

export interface XY {
  x: number;
  y: number;
}

export const SIZE = { width: 720, height: 452 } as const;
export const RADIUS = 17;
/** A unit of the cloth in the picture, and where its first number's square begins. */
const UNIT = 40;
const LEFT = 34;
const TOP = 104;
export const PLATE = { x: LEFT, y: 44, width: 6 * UNIT, height: 44 } as const;
export const ROWS = { x: 330, y: 40, height: 80, label: 124 } as const;
export const SPOOL = { x: 34, y: 384, height: 52, chip: 11 } as const;
const ROWS_SHOWN = 3;
const STEP = 15;
/** A stack of more chips than this is drawn no higher. */
const HIGHEST = 8;

export interface Square {
  number: number;
  x: number;
  y: number;
  size: number;
}

/** The first of the three rows of numbers that the picture shows. */
function firstRow(number: Pocket): number {
  const row = isZero(number) ? 0 : Math.floor((Number(number) - 1) / 3);
  return Math.min(Math.max(0, row - 1), 12 - ROWS_SHOWN);
}

export function squares(number: Pocket): Square[] {
  const first = firstRow(number);
  return Array.from({ length: ROWS_SHOWN * 3 }, (_, n) => ({
    number: first * 3 + n + 1,
    x: LEFT + (n % 3) * 2 * UNIT,
    y: TOP + Math.floor(n / 3) * 2 * UNIT,
    size: 2 * UNIT,
  }));
}

/** A point of the cloth in the picture; what lies beyond its edge is drawn at the edge. */
function onCloth(point: readonly [number, number], number: Pocket): XY {
  const y = TOP + (point[1] - firstRow(number) * 2) * UNIT;
  return {
    x: Math.min(Math.max(LEFT + point[0] * UNIT, RADIUS + 2), LEFT + 6 * UNIT + 20),
    y: Math.min(Math.max(y, PLATE.y + PLATE.height / 2), TOP + ROWS_SHOWN * 2 * UNIT),
  };
}

function lies(plan: ClothPlan, spot: string, number: Pocket): XY {
  const first = firstRow(number) * 2;
  const box = plan.boxes.find((each) => each.spot === spot);
  const points = plan.points[spot] ?? (box ? [box.chip] : []);
  const inside = points.find((point) => point[1] >= first && point[1] <= first + 6);
  return onCloth(inside ?? points[0] ?? [3, first + 3], number);
}

/** The plate of a zero; those of several zeros share the breadth of the numbers. */
export interface Plate {
  zero: Pocket;
  x: number;
  width: number;
}

export function plates({ wheel }: Pick<Book, "wheel">): Plate[] {
  const zeros = zerosOf(wheel);
  const width = PLATE.width / zeros.length;
  return zeros.map((zero, at) => ({ zero, x: PLATE.x + at * width, width }));
}

function numberAt(number: Pocket, plate: Plate | undefined): XY {
  // On the plate itself, beside what lies behind it.
  if (plate) return { x: plate.x + plate.width * 0.82, y: PLATE.y + PLATE.height / 2 };
  const square = squares(number).find((each) => each.number === number);
  if (!square) throw new RangeError(`no number ${number}`);
  return { x: square.x + square.size / 2, y: square.y + square.size / 2 };
}

/** The classes that are dragged aside, in the order in which they are reduced. */
export function rowsOf(frames: readonly Frame[]): string[] {
  const found: string[] = [];
  for (const frame of frames)
    if (frame.class && !found.includes(frame.class)) found.push(frame.class);
  for (const token of frames[0]?.tokens ?? []) {
    if (token.class !== "straight" && !found.includes(token.class)) found.push(token.class);
  }
  return found;
}

/** A chip in its row: groups beside each other, what is left over at the end, closer if many. */
function inRow(token: Token, rows: readonly string[], tokens: readonly Token[]): XY {
  const own = tokens.filter((each) => each.class === token.class);
  const groups = [...new Set(own.map((each) => each.group))].sort((a, b) => a - b);
  let before = 0;
  let whole = 0;
  for (const group of groups) {
    const chips = own.filter((each) => each.group === group).length;
    if (group === token.group) before = whole;
    whole += (chips - 1) * STEP + 2 * RADIUS + 10;
  }
  const room = SIZE.width - ROWS.x - ROWS.label - 30;
  const closer = Math.min(1, (room - 2 * RADIUS) / Math.max(1, whole - 2 * RADIUS - 10));
  const row = rows.indexOf(token.class);
  return {
    x: ROWS.x + ROWS.label + (before + token.place * STEP) * closer,
    y: ROWS.y + row * ROWS.height + ROWS.height / 2,
  };
}

/** Where every chip of a frame is drawn, by its id. */
export function placesOf(
  frame: Frame,
  rows: readonly string[],
  book: Pick<Book, "cloth" | "wheel">,
  number: Pocket,
): Map<string, XY> {
  const places = new Map<string, XY>();
  const counts = new Map<string, number>();
  const nth = (key: string): number => {
    const n = counts.get(key) ?? 0;
    counts.set(key, n + 1);
    return n;
  };
  const freed = frame.tokens.filter((token) => token.zone === "plate").length;
  const won = plates(book).find((each) => each.zero === number);
  const behind = (won ? won.width * 0.6 : PLATE.width) - 2 * RADIUS;
  const apart = Math.min(20, behind / Math.max(1, freed - 1));
  for (const token of frame.tokens) {
    let at: XY;
    if (token.zone === "cloth") {
      at = lies(book.cloth, token.on, number);
      at = { x: at.x, y: at.y - 4 * Math.min(HIGHEST, nth(`cloth ${token.on}`)) };
    } else if (token.zone === "number") {
      at = numberAt(number, won);
      at = { x: at.x, y: at.y - 4 * Math.min(HIGHEST, nth("number")) };
    } else if (token.zone === "plate") {
      at = { x: (won ?? PLATE).x + RADIUS + apart * nth("plate"), y: PLATE.y - 10 };
    } else if (token.zone === "spool") {
      at = { x: SPOOL.x + 26 + 22 * nth("spool"), y: SPOOL.y + SPOOL.height / 2 };
    } else at = inRow(token, rows, frame.tokens);
    places.set(token.id, at);
  }
  return places;
}
