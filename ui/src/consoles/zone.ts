/**
 * The zone of a post: the part of the cloth where its holder lays and corrects stakes.
 *
 * The house decides; this only reads what was typed, and keeps the screen from offering what it
 * would refuse.
 */

import type { Book } from "../api/types";
import { ON_NUMBERS } from "../cloth/spots";

/** What was typed for a zone: the spots in it, each once, and what the cloth does not have. */
export interface TypedZone {
  spots: string[];
  unknown: string[];
}

/** Spots in notation, or by a single word of the house, separated by blanks or commas. */
export function readZone(book: Pick<Book, "spots">, text: string): TypedZone {
  const byWord = new Map(
    Object.entries(book.spots).map(([name, told]) => [told.word.toLowerCase(), name]),
  );
  const spots = new Set<string>();
  const unknown: string[] = [];
  for (const typed of text.split(/[\s,;]+/).filter(Boolean)) {
    const wanted = typed.toLowerCase();
    const spot = wanted in book.spots ? wanted : byWord.get(wanted);
    if (spot === undefined) unknown.push(typed);
    else spots.add(spot);
  }
  return { spots: [...spots], unknown };
}

/** Whether a spot lies in a zone: named in it, or between the numbers that it names. */
export function inZone(
  book: Pick<Book, "spots">,
  zone: readonly string[],
  spot: string,
): boolean {
  if (zone.includes(spot)) return true;
  const told = book.spots[spot];
  if (told === undefined) return false;
  if (told.class === "straddle") return spot.split("+").every((box) => zone.includes(box));
  if (!ON_NUMBERS.includes(told.class)) return false;
  const covered = new Set(
    zone
      .filter((name) => ON_NUMBERS.includes(book.spots[name]?.class ?? ""))
      .flatMap((name) => book.spots[name]!.numbers),
  );
  return told.numbers.every((number) => covered.has(number));
}
