/** The numbers that came out: how often, and how long ago. */

export interface Counted {
  number: number;
  times: number;
  /** Coups since it came out last; all of them if it never did. */
  ago: number;
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
