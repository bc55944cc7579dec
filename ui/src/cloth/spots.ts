/** What spots cover and in which order they are read, for code that lists or lights them. */
import type { Book, Pocket } from "../api/types";
import { asWritten, colourOf, isZero, pocketNamed, type Colour } from "../table/pockets";

type Spots = Pick<Book, "spots">;

/** The classes on the numbers, from the dearest payment to the cheapest. */
export const ON_NUMBERS: readonly string[] = [
  "straight",
  "split",
  "street",
  "corner",
  "five",
  "sixline",
];
/** All classes in the order in which they are read. */
const ORDER = [...ON_NUMBERS, "column", "dozen", "simple", "straddle"];

/** The classes of spots that a house's cloth has. */
export function classesOf(book: Spots): string[] {
  const offered = new Set<string>(Object.values(book.spots).map((spot) => spot.class));
  return ORDER.filter((kind) => offered.has(kind));
}

/** The numbers that a spot covers; empty for a spot that is not in the book. */
export function covered(book: Spots, spot: string): readonly Pocket[] {
  return book.spots[spot]?.numbers ?? [];
}

/** The numbers that any of the spots covers, each once, as they are written. */
export function coveredBy(book: Spots, spots: readonly string[]): Pocket[] {
  return [...new Set(spots.flatMap((spot) => covered(book, spot)))].sort(asWritten);
}

/** Whether a spot wins with the number, as far as its numbers go. */
export const wins = (book: Spots, spot: string, number: Pocket): boolean =>
  covered(book, spot).includes(number);

/** Straights before splits before streets and so on, lower numbers first. */
export function bySpot(book: Spots): (one: string, other: string) => number {
  const rank = (spot: string): number => ORDER.indexOf(book.spots[spot]?.class ?? "straddle");
  const nth = (spot: string, place: number): Pocket => covered(book, spot)[place] ?? 0;
  return (one, other) =>
    rank(one) - rank(other) ||
    asWritten(nth(one, 0), nth(other, 0)) ||
    asWritten(nth(one, 1), nth(other, 1)) ||
    one.localeCompare(other);
}

export const colour = (book: Pick<Book, "red">, number: Pocket): Colour =>
  colourOf(book.red, number);

/** The zeros at the head of the cloth, row by row as they lie, from the head to the numbers. */
export function headRows(book: Pick<Book, "cloth" | "wheel">): Pocket[][] {
  const rows = new Map<number, { zero: Pocket; x: number }[]>();
  for (const { spot, chip } of book.cloth.boxes) {
    const zero = pocketNamed(book.wheel, spot);
    if (zero === null || !isZero(zero)) continue;
    rows.set(chip[1], [...(rows.get(chip[1]) ?? []), { zero, x: chip[0] }]);
  }
  return [...rows]
    .sort(([one], [other]) => one - other)
    .map(([, row]) => row.sort((one, other) => one.x - other.x).map(({ zero }) => zero));
}

/** What a spot pays, as the house says it: 35:1, 1:2. */
export function odds(book: Spots, spot: string): string {
  const [n = 0, d = 1] = book.spots[spot]?.pays ?? [];
  return `${n}:${d}`;
}

/** The spots on which an announcement lays, each once: a call of the book or a sector `17~2`. */
export function pieces(
  book: Pick<Book, "announcements" | "sector" | "wheel">,
  call: string,
): string[] {
  const found = book.announcements[call];
  if (found) return [...new Set(found)];
  const [named = "", sides = ""] = call.split("~");
  const middle = pocketNamed(book.wheel, named);
  if (middle === null || book.sector === null || sides !== String(book.sector)) return [];
  return neighbours(book.wheel, middle, book.sector).map(String);
}

/** How many pieces a call has: what it costs at one unit for each. */
export function piecesOf(
  book: Pick<Book, "announcements" | "sector" | "wheel">,
  call: string,
): number {
  return book.announcements[call]?.length ?? pieces(book, call).length;
}

/** The number with its neighbours on each side, in the wheel's order. */
export function neighbours(
  order: readonly Pocket[],
  middle: Pocket,
  sides: number,
): Pocket[] {
  const place = order.indexOf(middle);
  if (place < 0) return [];
  const count = order.length;
  return Array.from(
    { length: 2 * sides + 1 },
    (_, step) => order[(place - sides + step + count) % count] ?? middle,
  );
}
