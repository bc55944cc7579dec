/** The numbers that came out: how often, and how long ago. */
import type { Coup, TableView } from "../api/types.ts";

export interface Counted {
  number: number;
  times: number;
  /** Coups since it came out last; all of them if it never did. */
  ago: number;
}

/**
 * The numbers that came out, the oldest first. A number lies before its coup is over, and the coups
 * are read anew after that: what they do not tell yet is taken from the table's last numbers.
 */
export function cameOut(
  coups: readonly Pick<Coup, "coup" | "number">[],
  table: Pick<TableView, "coup" | "number" | "last_numbers">,
): number[] {
  const told = coups.flatMap(({ number }) => (number === null ? [] : [number]));
  const over = table.coup - 1 - (coups.at(-1)?.coup ?? 0);
  const since = over + (table.number === null ? 0 : 1);
  return since > 0 ? [...told, ...table.last_numbers.slice(-since)] : told;
}

/** Counts numbers, the oldest first, for each of the 37. */
export function counted(numbers: readonly number[]): Counted[] {
  const found: Counted[] = Array.from({ length: 37 }, (_, number) => ({
    number,
    times: 0,
    ago: numbers.length,
  }));
  numbers.forEach((number, at) => {
    const each = found[number];
    if (!each) return;
    each.times += 1;
    each.ago = numbers.length - 1 - at;
  });
  return found;
}

/** The numbers that came out most often, the most often first; never one that did not. */
export const hottest = (all: readonly Counted[], most = 5): Counted[] =>
  [...all]
    .filter((each) => each.times > 0)
    .sort((one, other) => other.times - one.times || one.ago - other.ago)
    .slice(0, most);

/** The numbers that have not come out for longest. */
export const coldest = (all: readonly Counted[], most = 5): Counted[] =>
  [...all].sort((one, other) => other.ago - one.ago || one.number - other.number).slice(0, most);

/** How many were red, black and zero. */
export function byColour(
  numbers: readonly number[],
  red: readonly number[],
): { red: number; black: number; zero: number } {
  const reds = new Set(red);
  const found = { red: 0, black: 0, zero: 0 };
  for (const number of numbers)
    found[number === 0 ? "zero" : reds.has(number) ? "red" : "black"] += 1;
  return found;
}
