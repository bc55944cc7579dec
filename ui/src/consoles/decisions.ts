/** What waits for a decision at a table, the gravest first. */

import type { OpenDispute } from "../api/types";
import { BETTING, missingPosts } from "./next";
import {
  exceptionsNow,
  openWrongPayments,
  questionNow,
  suspendedBecause,
  type Question,
  type WrongPayment,
} from "./log";
import type { TableEvent } from "../api/types";
import { countStep, isWanting } from "./float";
import type { BookFacts, CountFacts, StakeFacts, TableFacts } from "./kinds";

export interface Excess {
  player: string;
  on: string;
  /** How much lies above the maximum, and the stake by which it is noticed. */
  above: number;
  id: string;
}

export type Decision =
  | { kind: "stopped"; reason: string }
  | { kind: "suspended"; reason: string }
  | { kind: "uncovered" }
  | { kind: "float"; least: number }
  | { kind: "count"; count: CountFacts }
  | { kind: "sign"; count: CountFacts }
  | { kind: "question"; question: Question }
  | { kind: "missing"; post: string }
  | { kind: "wrong"; wrong: WrongPayment }
  | { kind: "dispute"; dispute: OpenDispute }
  | { kind: "excess"; excess: Excess }
  | { kind: "late"; player: string }
  | { kind: "custody"; player: string; amount: number }
  | { kind: "choice"; id: string; player: string; on: string; amount: number }
  | { kind: "gamesLeft"; n: number };

export interface Seen extends TableFacts {
  stakes: readonly StakeFacts[];
  prison: readonly { id: string; player: string; on: string; amount: number; pending: boolean }[];
  limits: Readonly<Record<string, { min?: number; max?: number }>>;
  limits_apart: Readonly<Record<string, { min?: number; max?: number }>>;
  custody?: Readonly<Record<string, number>> | null;
}

/**
 * What lies above its maximum at a table where the staff keeps the limits.
 *
 * A stake laid for another player counts as that player's: the staff and the house check that.
 */
export function excesses(table: Seen, classOf: (spot: string) => string): Excess[] {
  if (table.limits_kept !== "policed") return [];
  const lying = new Map<string, { player: string; on: string; amount: number; id: string }>();
  for (const stake of table.stakes) {
    const key = `${stake.player}\n${stake.on}`;
    const there = lying.get(key);
    const id = stake.announcement ?? stake.id;
    if (there) there.amount += stake.amount;
    else lying.set(key, { player: stake.player, on: stake.on, amount: stake.amount, id });
  }
  return [...lying.values()].flatMap(({ player, on, amount, id }) => {
    const most = (table.limits_apart[on] ?? table.limits[classOf(on)])?.max;
    return most !== undefined && amount > most ? [{ player, on, above: amount - most, id }] : [];
  });
}

/** Whether an excess can still be noticed: later the articles decide at the payment. */
export function mayNotice(table: TableFacts): boolean {
  return BETTING.includes(table.phase) || table.phase === "closed" || table.phase === "pocketed";
}

export function decisionsOf(
  book: BookFacts,
  table: Seen,
  log: readonly TableEvent[],
  classOf: (spot: string) => string,
  disputes: readonly OpenDispute[] = [],
): Decision[] {
  const found: Decision[] = [];
  if (table.stopped !== null) found.push({ kind: "stopped", reason: table.stopped });
  if (table.suspended)
    found.push(
      table.float?.uncovered
        ? { kind: "uncovered" }
        : { kind: "suspended", reason: suspendedBecause(log) },
    );
  if (table.float && isWanting(table)) found.push({ kind: "float", least: table.float.least });
  else if (table.float?.due)
    found.push({
      kind: countStep(table) === "sign_float" ? "sign" : "count",
      count: table.float.due,
    });
  const question = table.phase === "collecting" ? questionNow(log) : null;
  if (question) found.push({ kind: "question", question });
  for (const post of missingPosts(book, table)) found.push({ kind: "missing", post });
  for (const dispute of disputes) found.push({ kind: "dispute", dispute });
  for (const wrong of openWrongPayments(log)) found.push({ kind: "wrong", wrong });
  if (mayNotice(table)) {
    for (const excess of excesses(table, classOf)) found.push({ kind: "excess", excess });
  }
  if (table.phase === "closed") {
    for (const player of exceptionsNow(log)) found.push({ kind: "late", player });
  }
  for (const { id, player, on, amount, pending } of table.prison) {
    if (pending) found.push({ kind: "choice", id, player, on, amount });
  }
  for (const [player, amount] of Object.entries(table.custody ?? {})) {
    if (amount > 0) found.push({ kind: "custody", player, amount });
  }
  if (table.games_left !== null) found.push({ kind: "gamesLeft", n: table.games_left });
  return found;
}
