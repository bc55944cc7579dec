/** The float of a table: what must be brought, counted and signed before play goes on. */

import type { TableFacts } from "./kinds";

/** Whether the table has not opened yet, and its bank does not hold its float. */
export function isWanting(table: TableFacts): boolean {
  return table.phase === "opening" && toBring(table) !== null;
}

/** What the cash desk brings to the bank next: the rest of the float, or a later advance. */
export function toBring({ phase, float }: TableFacts): number | null {
  if (!float || phase === "ended") return null;
  if (phase !== "opening") return float.refill;
  const { advance, least } = float;
  return advance !== null && advance < least ? least - advance : null;
}

/** The command by which it is brought: the first advance opens the bank. */
export function bringing({ phase, float }: TableFacts): "OpenBank" | "FillBank" {
  return phase === "opening" && !float?.advance ? "OpenBank" : "FillBank";
}

/** What is next with a count that is due; null if none is. */
export function countStep({ float }: TableFacts): "count_float" | "sign_float" | null {
  if (!float?.due) return null;
  return float.due.counted === null ? "count_float" : "sign_float";
}

/** Whether this person made the count that is due: another one signs it. */
export function hasCounted({ float }: TableFacts, person: string): boolean {
  return float?.due?.by === person;
}
