/** The table's log for people: the kinds of events, who did them, and what is still open. */

import type { EventName, EventOf, HiddenEvent, Pocket, TableEvent } from "../api/types";

/** The kinds of events by which the log is narrowed down. */
export const TOPICS = ["coup", "stakes", "money", "people", "decisions"] as const;
export type Topic = (typeof TOPICS)[number];

const LOGGED = {
  TableSetUp: "decisions",
  PostTaken: "people",
  PostLeft: "people",
  TableInspected: "decisions",
  TableOpened: "decisions",
  TableReopened: "decisions",
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
  OrphanDeclared: "decisions",
  ChoiceMade: "stakes",
  BallLaunched: "coup",
  LastBetsCalled: "coup",
  BettingClosed: "coup",
  ExceptionGranted: "decisions",
  BallVoided: "decisions",
  BallInspected: "decisions",
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
  NonceSet: "people",
  BallRevealed: "coup",
  BankOpened: "money",
  BankFilled: "money",
  BankCredited: "money",
  BankCounted: "money",
  FloatCounted: "money",
  FloatEntered: "money",
  BankUncovered: "money",
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
} as const satisfies Record<EventName, Topic>;

export type LoggedType = keyof typeof LOGGED;

/** An event that has its words; a newer house may send others. */
export type LoggedEvent = Exclude<TableEvent, HiddenEvent>;

export function isLogged(event: TableEvent): event is LoggedEvent {
  return event.type in LOGGED;
}

export function topicOf(type: string): Topic {
  return type in LOGGED ? LOGGED[type as LoggedType] : "decisions";
}

/** The words for an event: some have other words for what stands in them. */
export function wordsFor(event: LoggedEvent): LoggedType | Variant {
  if (event.type === "StakeMoved" && event.data.ordered_by) return "StakeMovedOnOrder";
  if (event.type === "TableOpened" && !event.data.call) return "TableOpenedQuietly";
  if (event.type === "BallLaunched" && event.data.call) return "BallLaunchedWithCall";
  return event.type;
}

/** The other words for an event. */
export type Variant = "StakeMovedOnOrder" | "TableOpenedQuietly" | "BallLaunchedWithCall";

/** Who did it, where the event says so. */
export function whoOf(event: TableEvent): string | null {
  const { data } = event;
  if ("by" in data && data.by) return data.by;
  if ("person" in data) return data.person;
  return "player" in data ? data.player : null;
}

/** The articles that an event cites, each once. */
export function articlesOf(event: TableEvent): string[] {
  const { data } = event;
  const found: string[] = "articles" in data ? [...data.articles] : [];
  if (event.type === "StakesReturned") found.push(...event.data.returned.flatMap(([, , ids]) => ids));
  if (event.type === "ChoiceMade") found.push(...(event.data.line.articles ?? []));
  return [...new Set(found)];
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
  events: readonly TableEvent[],
  player: string,
  since: number,
): WrongPayment[] {
  const late = events.filter(({ type, at }) => type !== "WrongPaymentCorrected" || at < since);
  return openWrongPayments(late).filter((wrong) => wrong.player === player);
}

/** The wrong payments that are still open, oldest first. */
export function openWrongPayments(events: readonly TableEvent[]): WrongPayment[] {
  const open = new Map<string, WrongPayment>();
  for (const event of events) {
    if (event.type === "WrongPaymentMade") {
      const { id, player, amount, reason, by } = event.data;
      open.set(id, { id, player, amount, reason, by, at: event.at });
    } else if (event.type === "WrongPaymentCorrected") open.delete(event.data.id);
  }
  return [...open.values()];
}

/** What was brought to the table's bank and taken from it. */
export interface BankBook {
  opened: number;
  filled: number;
  credited: number;
  wrong: number;
  /** Cash that was taken at the table. It is in the box and does not belong to the bank. */
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

function counted({ data, at }: EventOf<"BankCounted" | "BoxEmptied">): Counted {
  return { counted: data.counted, expected: data.expected, by: data.by, at };
}

export function bankBook(events: readonly TableEvent[]): BankBook {
  const sums = { opened: 0, filled: 0, credited: 0, wrong: 0, box: 0 };
  const book: BankBook = { ...sums, counts: [], emptied: [] };
  for (const event of events) {
    switch (event.type) {
      case "BankOpened":
        book.opened += event.data.amount;
        break;
      case "BankFilled":
        book.filled += event.data.amount;
        break;
      case "BankCredited":
        book.credited += event.data.amount;
        break;
      case "WrongPaymentMade":
        book.wrong += event.data.amount;
        break;
      case "WrongPaymentCorrected":
        book.wrong -= event.data.amount;
        break;
      case "ChipsBought":
        if (event.data.cash) book.box += event.data.amount ?? 0;
        break;
      case "BankCounted":
        book.counts.push(counted(event));
        break;
      case "BoxEmptied":
        book.emptied.push(counted(event));
        book.box = 0;
        break;
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
export function numbersCalled(events: readonly TableEvent[], most = 20): Pocket[] {
  const found: Pocket[] = [];
  let wrong = 0;
  for (let n = events.length - 1; n >= 0 && found.length < most; n -= 1) {
    const event = events[n]!;
    if (event.type === "NumberCorrected" && event.data.second !== null) wrong += 1;
    else if (event.type === "NumberCalled" && wrong > 0) wrong -= 1;
    else if (event.type === "NumberCalled") found.push(event.data.pocket);
  }
  return found;
}

/** The stakes of which the staff said that nobody is there to whom they belong. */
export function unattended(events: readonly TableEvent[]): Set<string> {
  const found = events.flatMap((event) =>
    event.type === "StakePlaced" && event.data.unattended ? [event.data.id] : [],
  );
  return new Set(found);
}

/** Late stakes that were granted for the running coup and may not have been laid yet. */
export function exceptionsNow(events: readonly TableEvent[]): string[] {
  const granted = new Set<string>();
  for (const { type, data } of events) {
    if (type === "BettingClosed" || type === "BallPocketed" || type === "BallVoided")
      granted.clear();
    else if (type === "ExceptionGranted") granted.add(data.player);
    else if (type === "StakePlaced" && data.exception) granted.delete(data.player);
  }
  return [...granted];
}

/** Another number than the one that was called, which waits for a second signature. */
export interface Question {
  before: Pocket;
  number: Pocket;
  by: string;
  reason: string;
}

/** The question that is open now, if one is. */
export function questionNow(events: readonly TableEvent[]): Question | null {
  for (let n = events.length - 1; n >= 0; n -= 1) {
    const { type, data } = events[n]!;
    if (type === "NumberCalled" || type === "NumberCorrected" || type === "LosersCollected")
      return null;
    if (type !== "NumberQuestioned") continue;
    const { before, number, by, reason } = data;
    // A question that asks for the number that was called takes itself back.
    return before === number ? null : { before, number, by, reason };
  }
  return null;
}

/** Why play was suspended the last time, in the words of whoever did it; empty if it is not known. */
export function suspendedBecause(events: readonly TableEvent[]): string {
  for (let n = events.length - 1; n >= 0; n -= 1) {
    const { type, data } = events[n]!;
    if (type === "TableSuspended") return data.reason;
  }
  return "";
}
