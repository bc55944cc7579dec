/** Stakes of which the staff says what only it can see; a player's own word for that is refused. */
import type { Given } from "../api/types";

export const SPECIAL_KINDS = ["laid_for", "value_unclear", "foreign", "unattended", "change_pending"] as const;
export type SpecialKind = (typeof SPECIAL_KINDS)[number];

/** What was filled in for such a stake. */
export interface SpecialStake {
  kind: SpecialKind;
  player: string;
  on: string;
  amount: number | null;
  /** The stake for whose owner this one is laid. */
  laidFor: string;
  foreign: {
    number: number | null;
    table: string;
    opening_minimum: number | null;
    /** What one chip was bought for; null where that cannot be found out. */
    value: number | null;
  };
}

/** What chips of another table count for: their value, or the opening minimum of their table. */
function foreignWorth({ foreign }: SpecialStake): number | null {
  const each = foreign.value ?? foreign.opening_minimum;
  return foreign.number === null || each === null ? null : foreign.number * each;
}

/** How much lies there once it is laid; null while something is missing. */
export function worthOf(stake: SpecialStake): number | null {
  return stake.kind === "foreign" ? foreignWorth(stake) : stake.amount;
}

/** The fields of the command that lays it, or null while something is missing. */
export function fieldsOf(stake: SpecialStake, id: string): Given<"PlaceStake"> | null {
  const amount = worthOf(stake);
  if (!stake.player || !stake.on || amount === null || amount <= 0) return null;
  const fields = { id, player: stake.player, on: stake.on, amount };
  switch (stake.kind) {
    case "laid_for":
      return stake.laidFor ? { ...fields, laid_for: stake.laidFor } : null;
    case "value_unclear":
      return { ...fields, value_unclear: true };
    case "change_pending":
      return { ...fields, chips: "value", change_pending: true };
    case "unattended":
      return { ...fields, unattended: true };
    case "foreign": {
      const { number, opening_minimum, value } = stake.foreign;
      const table = stake.foreign.table.trim();
      if (!table || number === null || opening_minimum === null) return null;
      return { ...fields, foreign: { number, table, opening_minimum, value } };
    }
  }
}
