/** What becomes of a stack once the number is out, as it is shown. */
import type { Book, Pocket } from "../api/types";
import { isZero } from "../table/pockets";
import { wins } from "./spots";
import type { Stack } from "./stacks";

export interface Result {
  readonly won: number;
  readonly lost: number;
  readonly returned: number;
  readonly held: number;
}
export type Results = Record<string, Result>;

export interface Fate {
  readonly kind: "won" | "lost" | "returned" | "held";
  /** What is paid for it, or comes back of it. */
  readonly amount: number;
}

/** The phases in which the losing chips are being taken from the cloth. */
const SWEPT = new Set(["collecting", "paying"]);

/**
 * What the house said of the stack's stakes. Where it said nothing, as of other players', a stack
 * on other numbers goes, and one on the number stands out; the book decides what zero does to a
 * simple chance, so such a stack stays as it is until the table arrives again.
 */
export function fateOf(
  book: Pick<Book, "spots">,
  stack: Stack,
  dolly: Pocket | null,
  phase: string,
  results: Results | null,
): Fate | null {
  if (results) {
    let told = false;
    const sum = { won: 0, lost: 0, returned: 0, held: 0 };
    for (const id of stack.ids) {
      const result = results[id];
      if (!result) continue;
      told = true;
      sum.won += result.won;
      sum.lost += result.lost;
      sum.returned += result.returned;
      sum.held += result.held;
    }
    if (told) {
      if (sum.won > 0) return { kind: "won", amount: sum.won };
      if (sum.held > 0) return { kind: "held", amount: sum.held };
      if (sum.lost > 0 && sum.returned > 0) return { kind: "returned", amount: sum.returned };
      return sum.lost > 0 ? { kind: "lost", amount: sum.lost } : null;
    }
  }
  if (dolly === null) return null;
  if (wins(book, stack.spot, dolly)) return { kind: "won", amount: 0 };
  const spared = isZero(dolly) && book.spots[stack.spot]?.class === "simple";
  return SWEPT.has(phase) && !spared ? { kind: "lost", amount: 0 } : null;
}
