/** The pockets of a wheel: whole numbers, and further zeros as the text that stands on the wheel. */
import type { Pocket } from "../api/types.ts";

export type Colour = "red" | "black" | "green";

/** Whether a pocket is a zero: 0, "00", "000". */
export const isZero = (pocket: Pocket): boolean =>
  typeof pocket === "string" ? /^00+$/.test(pocket) : pocket === 0;

/** The colour of a pocket; zeros are green. */
export function colourOf(red: readonly number[], pocket: Pocket): Colour {
  if (isZero(pocket)) return "green";
  return typeof pocket === "number" && red.includes(pocket) ? "red" : "black";
}

/** Where a pocket stands when pockets are written down: 0, 00, 000, 1, 2, … */
function rank(pocket: Pocket): number {
  return isZero(pocket) ? String(pocket).length - 4 : Number(pocket);
}

/** Sorts pockets as they are written. */
export const asWritten = (one: Pocket, other: Pocket): number => rank(one) - rank(other);

/** The zeros of a wheel, as they are written. */
export const zerosOf = (order: readonly Pocket[]): Pocket[] => order.filter(isZero).sort(asWritten);

/** The pocket of the wheel that a text names, such as the name of a straight; null if it has none. */
export const pocketNamed = (order: readonly Pocket[], text: string): Pocket | null =>
  order.find((pocket) => String(pocket) === text) ?? null;

/** Whether the numbers follow each other without a gap. */
export const isRun = (pockets: readonly Pocket[]): boolean =>
  pockets.every(
    (pocket, at) => typeof pocket === "number" && (at === 0 || pocket - 1 === pockets[at - 1]),
  );
