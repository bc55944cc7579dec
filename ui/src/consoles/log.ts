/**
 * The table's log, read by people: which events tell of what, who did it, and what is still open.
 */

import type { LoggedEvent } from "./kinds";

/** The kinds of events by which the log is narrowed down. */
export const TOPICS = ["coup", "stakes", "money", "people", "decisions"] as const;
export type Topic = (typeof TOPICS)[number];

export const LOGGED = {
  TableSetUp: "decisions",
  PostTaken: "people",
  PostLeft: "people",
  TableOpened: "decisions",
  TableSuspended: "decisions",
  TableResumed: "decisions",
  LimitsChanged: "decisions",
  LastGamesAnnounced: "decisions",
  TableClosed: "decisions",
  TableStopped: "decisions",
  PlayerSat: "people",
  PlayerSteppedAway: "people",
  PlayerCameBack: "people",
  PlayerLeft: "people",
  ChipsBought: "money",
  ColourConverted: "money",
  CustodyClaimed: "money",
  StakePlaced: "stakes",
  AnnouncementPlaced: "stakes",
  StakeMoved: "stakes",
  CorrectionOrdered: "decisions",
  StakeWithdrawn: "stakes",
  StakesReturned: "stakes",
  ChoiceMade: "stakes",
  BallLaunched: "coup",
  LastBetsCalled: "coup",
  BettingClosed: "coup",
  ExceptionGranted: "decisions",
  BallVoided: "decisions",
  BallPocketed: "coup",
  NumberCalled: "coup",
  NumberQuestioned: "decisions",
  NumberCorrected: "decisions",
  LosersCollected: "coup",
  WinnersPaid: "coup",
  CoupEnded: "coup",
  BallChainCommitted: "coup",
  BallCommitted: "coup",
  NonceCommitted: "people",
  NonceOpened: "people",
  BallRevealed: "coup",
  BankOpened: "money",
  BankFilled: "money",
  BankCredited: "money",
  BankCounted: "money",
  BoxEmptied: "money",
  WrongPaymentProposed: "decisions",
  CashSaleProposed: "money",
  CashSaleConfirmed: "money",
  ProposalDropped: "decisions",
  WrongPaymentMade: "decisions",
  WrongPaymentCorrected: "decisions",
  DisputeRaised: "decisions",
  DisputeWithdrawn: "decisions",
  DisputeDecided: "decisions",
  TipGiven: "money",
} as const satisfies Record<string, Topic>;

export type LoggedType = keyof typeof LOGGED;

export function isLogged(type: string): type is LoggedType {
  return type in LOGGED;
}

export function topicOf(type: string): Topic {
  return isLogged(type) ? LOGGED[type] : "decisions";
}

/** The words for an event: some are told otherwise for what stands in them. */
export function wordsFor(event: LoggedEvent & { type: LoggedType }): LoggedType | Variant {
  const { call, ordered_by: orderedBy } = event.data;
  if (event.type === "StakeMoved" && orderedBy) return "StakeMovedOnOrder";
  if (event.type === "TableOpened" && !call) return "TableOpenedQuietly";
  if (event.type === "BallLaunched" && call) return "BallLaunchedWithCall";
  return event.type;
}

export const VARIANTS = [
  "StakeMovedOnOrder",
  "TableOpenedQuietly",
  "BallLaunchedWithCall",
] as const;
type Variant = (typeof VARIANTS)[number];

/** Who did it, where the event says so. */
export function whoOf(event: LoggedEvent): string | null {
  const { by, person, player } = event.data;
  for (const name of [by, person, player]) if (typeof name === "string") return name;
  return null;
}

/** The articles that an event cites, each once. */
export function articlesOf(event: LoggedEvent): string[] {
  const found: unknown[] = [];
  const { articles, returned, line } = event.data;
  if (Array.isArray(articles)) found.push(...(articles as unknown[]));
  if (Array.isArray(returned)) {
    for (const each of returned as unknown[])
      if (Array.isArray(each)) found.push(...asList(each[2]));
  }
  if (typeof line === "object" && line !== null && "articles" in line)
    found.push(...asList(line.articles));
  return [...new Set(found.filter((id): id is string => typeof id === "string"))];
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** A payment that was not what the settlement says, and has not been put right. */
export interface WrongPayment {
  id: string;
  player: string;
  amount: number;
  reason: string;
  by: string;
  at: number;
}

/** A player's wrong payments that a decision may name: open, or put right since a dispute came. */
export function paymentsFor(
  events: readonly LoggedEvent[],
  player: string,
  since: number,
): WrongPayment[] {
  const late = events.filter(({ type, at }) => type !== "WrongPaymentCorrected" || at < since);
  return openWrongPayments(late).filter((wrong) => wrong.player === player);
}

/** The wrong payments that are still open, oldest first. */
export function openWrongPayments(events: readonly LoggedEvent[]): WrongPayment[] {
  const open = new Map<string, WrongPayment>();
  for (const { type, data, at } of events) {
    const id = String(data["id"]);
    if (type === "WrongPaymentMade") {
      open.set(id, {
        id,
        player: String(data["player"]),
        amount: Number(data["amount"]),
        reason: String(data["reason"]),
        by: String(data["by"]),
        at,
      });
    } else if (type === "WrongPaymentCorrected") open.delete(id);
  }
  return [...open.values()];
}

/** What was brought to the table's bank and taken from it. */
export interface BankBook {
  opened: number;
  filled: number;
  credited: number;
  wrong: number;
  /** Cash that was taken at the table: it lies in the box, and is none of the bank's. */
  box: number;
  counts: Counted[];
  /** How often the box was emptied, and what was found in it. */
  emptied: Counted[];
}

/** Something that was counted, and what it should have been. */
export interface Counted {
  counted: number;
  expected: number;
  by: string;
  at: number;
}

export function bankBook(events: readonly LoggedEvent[]): BankBook {
  const sums = { opened: 0, filled: 0, credited: 0, wrong: 0, box: 0 };
  const book: BankBook = { ...sums, counts: [], emptied: [] };
  for (const { type, data, at } of events) {
    const amount = Number(data["amount"] ?? 0);
    if (type === "BankOpened") book.opened += amount;
    else if (type === "BankFilled") book.filled += amount;
    else if (type === "BankCredited") book.credited += amount;
    else if (type === "WrongPaymentMade") book.wrong += amount;
    else if (type === "WrongPaymentCorrected") book.wrong -= amount;
    else if (type === "ChipsBought" && data["cash"] === true) book.box += amount;
    else if (type === "BankCounted" || type === "BoxEmptied") {
      const { counted, expected, by } = data;
      const found = { counted: Number(counted), expected: Number(expected), by: String(by), at };
      if (type === "BankCounted") book.counts.push(found);
      else {
        book.emptied.push(found);
        book.box = 0;
      }
    }
  }
  return book;
}

/** What the bank should hold: what was brought, and what the table has gained since. */
export function bankHolds(book: BankBook, gained: number): number {
  return book.opened + book.filled - book.credited - book.wrong + gained;
}

/**
 * The last numbers that were called, newest first: a wheel's are in the log alone. A call that was
 * put right by a second signature counts no more.
 */
export function numbersCalled(events: readonly LoggedEvent[], most = 20): number[] {
  const found: number[] = [];
  let wrong = 0;
  for (let n = events.length - 1; n >= 0 && found.length < most; n -= 1) {
    const { type, data } = events[n]!;
    if (type === "NumberCorrected" && typeof data["second"] === "string") wrong += 1;
    else if (type === "NumberCalled" && wrong > 0) wrong -= 1;
    else if (type === "NumberCalled") found.push(Number(data["pocket"]));
  }
  return found;
}

/** Late stakes that were granted for the running coup and may not have been laid yet. */
export function exceptionsNow(events: readonly LoggedEvent[]): string[] {
  const granted = new Set<string>();
  for (const { type, data } of events) {
    if (type === "BettingClosed" || type === "BallPocketed" || type === "BallVoided")
      granted.clear();
    else if (type === "ExceptionGranted") granted.add(String(data["player"]));
    else if (type === "StakePlaced" && data["exception"]) granted.delete(String(data["player"]));
  }
  return [...granted];
}

/** Another number than the one that was called, which waits for a second signature. */
export interface Question {
  before: number;
  number: number;
  by: string;
  reason: string;
}

/** The question that is open now, if one is. */
export function questionNow(events: readonly LoggedEvent[]): Question | null {
  for (let n = events.length - 1; n >= 0; n -= 1) {
    const { type, data } = events[n]!;
    if (["NumberCalled", "NumberCorrected", "LosersCollected"].includes(type)) return null;
    if (type !== "NumberQuestioned") continue;
    const before = Number(data["before"]);
    const number = Number(data["number"]);
    // Whoever asks for the number that was called takes his question back.
    if (before === number) return null;
    return { before, number, by: String(data["by"]), reason: String(data["reason"] ?? "") };
  }
  return null;
}
