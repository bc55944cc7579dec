/** The numbers that came out: how often, and how long ago. */
import type { Coup, Pocket, TableView } from "../api/types.ts";
import { asWritten, colourOf, type Colour } from "./pockets.ts";

export interface Counted {
  number: Pocket;
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
): Pocket[] {
  const told = coups.flatMap(({ number }) => (number === null ? [] : [number]));
  const over = table.coup - 1 - (coups.at(-1)?.coup ?? 0);
  const since = over + (table.number === null ? 0 : 1);
  return since > 0 ? [...told, ...table.last_numbers.slice(-since)] : told;
}

/** Counts numbers, the oldest first, for each pocket of a wheel as they are written. */
export function counted(numbers: readonly Pocket[], wheel: readonly Pocket[]): Counted[] {
  const found = [...wheel]
    .sort(asWritten)
    .map((number): Counted => ({ number, times: 0, ago: numbers.length }));
  const byNumber = new Map(found.map((each) => [each.number, each]));
  numbers.forEach((number, at) => {
    const each = byNumber.get(number);
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
  [...all].sort((one, other) => other.ago - one.ago || asWritten(one.number, other.number)).slice(0, most);

/** How many were red, black, and green as the zeros are. */
export function byColour(
  numbers: readonly Pocket[],
  red: readonly number[],
): Record<Colour, number> {
  const found = { red: 0, black: 0, green: 0 };
  for (const number of numbers) found[colourOf(red, number)] += 1;
  return found;
}
