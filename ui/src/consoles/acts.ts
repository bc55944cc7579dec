/**
 * Who may do what from a console.
 *
 * The book says which post may do it and the house decides; this only keeps the screen from
 * offering what would be refused, and says in whose name the management acts.
 */

import type { BookFacts, Hand, Role, TableFacts } from "./kinds";

/** What a post must be allowed for a command; null where the house asks for something else. */
const NEEDS = {
  TakePost: null,
  LeavePost: null,
  OpenTable: null,
  Suspend: "suspend",
  Resume: "suspend",
  InspectTable: "inspect_table",
  ChangeLimits: "change_limits",
  ReopenTable: "change_limits",
  AnnounceLastGames: "announce_last_games",
  CloseTable: "close_table",
  SeatPlayer: "sell_chips",
  SeePlayerOff: "sell_chips",
  BuyChips: "sell_chips",
  ClaimCustody: "pay",
  PlaceStake: "place_for_player",
  Announce: "place_for_player",
  MoveStake: "place_for_player",
  WithdrawStake: "place_for_player",
  ChooseAfterZero: "place_for_player",
  ReplayAnnouncement: "place_for_player",
  CorrectStake: "correct",
  OrderCorrection: "order_correction",
  DeclareOrphan: "declare_orphan",
  LaunchBall: "launch_ball",
  CallLastBets: "close_betting",
  CloseBetting: "close_betting",
  GrantException: "grant_exception",
  NoticeExcess: "notice_excess",
  VoidBall: "void_ball",
  InspectBall: "inspect_ball",
  PocketBall: "pocket_ball",
  DrawBall: "pocket_ball",
  CallNumber: "call_number",
  CorrectNumber: "pocket_ball",
  SignNumber: "sign_number",
  CollectLosers: "collect",
  PayNext: "pay",
  PayWinners: "pay",
  OpenBank: "sell_chips",
  FillBank: "sell_chips",
  CreditBank: "sell_chips",
  CountBank: "sell_chips",
  CountFloat: "count_float",
  SignFloat: "sign_number",
  EmptyBox: "sell_chips",
  RecordWrongPayment: "pay",
  ProposeSale: "sell_chips",
  ConfirmProposal: null,
  DropProposal: null,
  CorrectWrongPayment: "correct",
  RaiseDispute: null,
  DecideDispute: "decide_dispute",
} as const;

/** Commands that only a player gives; the management gives them in the player's name. */
export type PlayersCommand = "Sit" | "Leave" | "StepAway" | "ComeBack";

export type StaffCommand = keyof typeof NEEDS;

/** What the house does at a table through those who hold no post there. */
const OFFICERS: ReadonlySet<StaffCommand> = new Set<StaffCommand>([
  "OpenTable",
  "Suspend",
  "Resume",
  "ChangeLimits",
  "ReopenTable",
  "CloseTable",
  "RaiseDispute",
  "DecideDispute",
  "ConfirmProposal",
  "DropProposal",
  "OpenBank",
  "FillBank",
  "CreditBank",
  "CountBank",
  "SignFloat",
  "EmptyBox",
]);

/** What the management does in its own name besides. */
const MANAGEMENTS_OWN: ReadonlySet<StaffCommand> = new Set<StaffCommand>([
  ...OFFICERS,
  "CallLastBets",
  "DrawBall",
]);

const OF_BOTH = [
  "TakePost",
  "LeavePost",
  "VoidBall",
  "NoticeExcess",
  "CorrectStake",
  "DeclareOrphan",
  "InspectTable",
  "InspectBall",
  "SignNumber",
  "AnnounceLastGames",
  "CloseTable",
  "RecordWrongPayment",
  "ConfirmProposal",
  "DropProposal",
  "CorrectWrongPayment",
  "RaiseDispute",
] as const satisfies readonly StaffCommand[];

/** What the house lets each role request; the book says which post of the table may do it. */
export const ASKED_BY = {
  croupier: new Set<StaffCommand>([
    ...OF_BOTH,
    "SeatPlayer",
    "SeePlayerOff",
    "BuyChips",
    "CountFloat",
    "ProposeSale",
    "ClaimCustody",
    "PlaceStake",
    "Announce",
    "MoveStake",
    "WithdrawStake",
    "ChooseAfterZero",
    "ReplayAnnouncement",
    "CallLastBets",
    "LaunchBall",
    "CloseBetting",
    "PocketBall",
    "DrawBall",
    "CallNumber",
    "CorrectNumber",
    "CollectLosers",
    "PayNext",
    "PayWinners",
  ]),
  chief: new Set<StaffCommand>([
    ...OF_BOTH,
    "OpenTable",
    "SignFloat",
    "OrderCorrection",
    "GrantException",
    "ChangeLimits",
    "ReopenTable",
    "Suspend",
    "Resume",
    "DecideDispute",
  ]),
  cashier: new Set<StaffCommand>([
    "ClaimCustody",
    "OpenBank",
    "FillBank",
    "CreditBank",
    "CountBank",
    "EmptyBox",
  ]),
  auditor: new Set<StaffCommand>(),
} as const;

function mayAsk(role: Role, command: StaffCommand): boolean {
  // In local mode one person is the whole staff, and the management may do everything.
  return role === "staff" || role === "management" || ASKED_BY[role].has(command);
}

const PAYERS = ["pay", "correct", "order_correction"];

/** Commands for which any one of several acts is enough. */
const ANY_OF: Partial<Record<StaffCommand, readonly string[]>> = {
  RecordWrongPayment: PAYERS,
  ConfirmProposal: [...PAYERS, "sign_number", "decide_dispute"],
  DropProposal: [...PAYERS, "sign_number", "decide_dispute", "sell_chips"],
};

const AUTOMATIC = /^auto /;

/** Whether a person of the staff is the automatic croupier's. */
export function isAutomatic(person: string): boolean {
  return AUTOMATIC.test(person);
}

function actOf(command: StaffCommand): string | null {
  return NEEDS[command];
}

/** Whether a post of the book may give a command. */
function postMay(book: BookFacts, post: string | undefined, command: StaffCommand): boolean {
  const may = post === undefined ? undefined : book.posts[post]?.may;
  if (may === undefined) return false;
  const any = ANY_OF[command];
  if (any !== undefined) return any.some((act) => may.includes(act));
  const act = actOf(command);
  return act === null || may.includes(act);
}

/** Those at the table whose post may give a command, people before the automatic croupier's. */
export function whoMay(book: BookFacts, table: TableFacts, command: StaffCommand): string[] {
  const there = Object.keys(table.staff).filter((p) => postMay(book, table.staff[p], command));
  return [...there.filter((p) => !isAutomatic(p)), ...there.filter(isAutomatic)];
}

/** The posts of the book that may give a command. */
export function postsThatMay(book: BookFacts, command: StaffCommand): string[] {
  return Object.keys(book.posts).filter((post) => postMay(book, post, command));
}

/** The name in which a command is given: null for one's own, or the person whom the management names. */
export interface InTheName {
  as: string | null;
}

/** In whose name a console would give a command now; undefined where it may not. */
export function nameFor(
  hand: Hand,
  book: BookFacts,
  table: TableFacts,
  command: StaffCommand,
): InTheName | undefined {
  if (!mayAsk(hand.role, command)) return undefined;
  if (hand.role !== "management") return ownName(hand, book, table, command);
  if (MANAGEMENTS_OWN.has(command)) return { as: null };
  const person = whoMay(book, table, command)[0];
  return person === undefined ? undefined : { as: person };
}

function ownName(
  hand: Hand,
  book: BookFacts,
  table: TableFacts,
  command: StaffCommand,
): InTheName | undefined {
  const post = table.staff[hand.name];
  let mine = postMay(book, post, command);
  // A chief who wants the last games announced has the automatic croupier do it.
  if (command === "AnnounceLastGames" && hand.role === "chief")
    mine ||= whoMay(book, table, command).some(isAutomatic);
  if (command === "TakePost") mine = post === undefined;
  else if (post === undefined && hand.role !== "staff") {
    // The person who pays at the table hands out custody.
    const handed = command === "ClaimCustody" && whoMay(book, table, command).length > 0;
    mine ||= OFFICERS.has(command) || handed;
  }
  return mine ? { as: null } : undefined;
}

/** Whether a console may give a command at all. */
export function may(
  hand: Hand,
  book: BookFacts,
  table: TableFacts,
  command: StaffCommand,
): boolean {
  return nameFor(hand, book, table, command) !== undefined;
}
