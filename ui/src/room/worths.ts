/** The kinds of chips that a house sells, and the values that a player may choose for a colour. */
import type { Book, TableView } from "../api/types.ts";

/** The kinds that the table sells. Chips for chances come with a colour. */
export function kindsOf(book: Book): { colour: boolean; value: boolean; valueAnywhere: boolean } {
  const { on_numbers, on_chances, on_dozens } = book.chips;
  const places = [on_numbers, on_chances, on_dozens];
  return {
    colour: places.some((kinds) => kinds.includes("colour")),
    value: places.some((kinds) => kinds.includes("value")),
    valueAnywhere: places.every((kinds) => kinds.includes("value")),
  };
}

/** Chips of a live table are even, so that every half is whole. */
const STEPS = [1, 2, 5, 10, 20, 50, 100];
const SHOWN = 6;

/**
 * Values for a colour, the usual one first: between the limits of a straight where the house says
 * so, and never above what a straight may carry.
 */
export function worthsOf(book: Book, view: Pick<TableView, "chip" | "limits">): number[] {
  const { min = 0, max = Infinity } = view.limits["straight"] ?? {};
  const least = book.chips.colour_worth === "straight_limits" ? Math.max(min, 1) : view.chip;
  const steps = STEPS.map((step) => step * view.chip);
  const found = least % 2 === 0 ? [least, ...steps] : steps;
  const fitting = [...new Set(found)].filter((each) => each >= least && each <= max);
  return fitting.sort((a, b) => a - b).slice(0, SHOWN);
}

/** Whether a player who has a colour may have another value for it now. */
export function mayChange(book: Book, purse: number, lies: boolean): boolean {
  if (book.chips.new_worth === "new_colour") return true;
  return book.chips.new_worth === "when_empty" && purse === 0 && !lies;
}
