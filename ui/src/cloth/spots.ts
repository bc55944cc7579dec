/** What spots cover and in which order they are read, for code that lists or lights them. */
import type { Book } from "../api/types";

type Spots = Pick<Book, "spots">;

/** The classes from the dearest payment to the cheapest, then the chances. */
const ORDER = [
  "straight",
  "split",
  "street",
  "corner",
  "sixline",
  "column",
  "dozen",
  "simple",
  "straddle",
];

/** The numbers that a spot covers; empty for a spot that is not in the book. */
export function covered(book: Spots, spot: string): readonly number[] {
  return book.spots[spot]?.numbers ?? [];
}

/** The numbers that any of the spots covers, each once, in ascending order. */
export function coveredBy(book: Spots, spots: readonly string[]): number[] {
  return [...new Set(spots.flatMap((spot) => covered(book, spot)))].sort((a, b) => a - b);
}

/** Whether a spot wins with the number, as far as its numbers go. */
export const wins = (book: Spots, spot: string, number: number): boolean =>
  covered(book, spot).includes(number);

/** Straights before splits before streets and so on, lower numbers first. */
export function bySpot(book: Spots): (one: string, other: string) => number {
  const rank = (spot: string): number => ORDER.indexOf(book.spots[spot]?.class ?? "straddle");
  const first = (spot: string): number => covered(book, spot)[0] ?? 0;
  return (one, other) =>
    rank(one) - rank(other) ||
    first(one) - first(other) ||
    (covered(book, one)[1] ?? 0) - (covered(book, other)[1] ?? 0) ||
    one.localeCompare(other);
}

export type Colour = "red" | "black" | "green";

export function colour(book: Pick<Book, "red">, number: number): Colour {
  if (number === 0) return "green";
  return book.red.includes(number) ? "red" : "black";
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
  const [middle, sides] = call.split("~").map(Number);
  if (middle === undefined || sides === undefined || sides !== book.sector) return [];
  return neighbours(book.wheel, middle, sides).map(String);
}

/** How many pieces a call has: what it costs at one unit for each. */
export function piecesOf(
  book: Pick<Book, "announcements" | "sector" | "wheel">,
  call: string,
): number {
  return book.announcements[call]?.length ?? pieces(book, call).length;
}

/** The number with its neighbours on each side, in the wheel's order. */
export function neighbours(order: readonly number[], middle: number, sides: number): number[] {
  const place = order.indexOf(middle);
  if (place < 0) return [];
  const count = order.length;
  return Array.from(
    { length: 2 * sides + 1 },
    (_, step) => order[(place - sides + step + count) % count] ?? middle,
  );
}
