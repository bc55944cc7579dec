/**
 * What the consoles read of a book and of a table.
 *
 * They name less than the house sends, so that a test can lay a small table; the shapes published
 * by the house fit into them.
 */

import type { Book, ChipKind, Pocket } from "../api/types";

export interface PostFacts {
  word: string;
  may: readonly string[];
  /** How many hold it at least and at most, where the house says so. */
  at_least?: number;
  at_most?: number;
  /** The same at a double table. */
  double_at_least?: number;
  double_at_most?: number;
  touches_chips?: boolean;
  /** Whether a chief of the house holds it, and no croupier. */
  watches?: boolean;
  /** Whether it lays and corrects stakes only in the table's zone. */
  zone?: boolean;
}

/** Posts that count together: a number of people must hold any of them. */
export interface StaffingFacts {
  posts: readonly string[];
  at_least: number;
}

/** The float of a table, as the staff sees it. */
export interface FloatFacts {
  /** The least that the table opens with. */
  least: number;
  uncovered: boolean;
  /** What was brought before the table opened; only for the staff. */
  advance: number | null;
  /** What every advance after the opening must be, where the book says so. */
  refill: number | null;
  due: CountFacts | null;
}

/** A count of the float that must be made and signed. */
export interface CountFacts {
  occasion: "opened" | "refilled" | "interrupted" | "closed";
  amount: number;
  counted: number | null;
  expected: number | null;
  by: string | null;
}

export interface BookFacts {
  id: string;
  posts: Readonly<Record<string, PostFacts>>;
  causes: Book["causes"];
  staffing?: readonly StaffingFacts[];
  kept?: readonly string[];
}

export interface StakeFacts {
  id: string;
  player: string;
  on: string;
  amount: number;
  announcement: string | null;
}

export interface TableFacts {
  phase: string;
  ball: string;
  suspended: boolean;
  stopped: string | null;
  launched?: boolean;
  /** Whether it is a double table. */
  double?: boolean;
  /** Whether table, wheel and ball were inspected before it opens. */
  inspected?: boolean;
  /** Whether the ball must be inspected before it is launched again. */
  ball_to_inspect?: boolean;
  /** Its float, where the book has articles on it. */
  float?: FloatFacts | null;
  games_left: number | null;
  limits_kept: string;
  staff: Readonly<Record<string, string>>;
  players: Readonly<Record<string, { colour: string | null; chip: number; away: boolean }>>;
}

/** The role in which somebody is signed in. In local mode `staff` is the whole staff. */
export type Role = "staff" | "croupier" | "chief" | "cashier" | "auditor" | "management";

/** The user of a console. */
export interface Hand {
  name: string;
  role: Role;
}

export interface PaymentLine {
  id: string;
  on: string;
  amount: number;
  chips: ChipKind;
  won: number;
  pays: readonly number[];
}

export interface DuePayment {
  player: string;
  colour: string | null;
  /** What the stakes win as they were laid, before any reduction. */
  won: number;
  /** What is counted out: after a reduction more, by the worth of the freed chips. */
  paid: number;
  /** What is left beside it, as the player's stake. */
  stays: number;
  lines: readonly PaymentLine[];
  /** The piles in which it is paid, where the house cuts payments by height. */
  piles?: { size: number; piles: number; rest: number } | null;
  articles: readonly string[];
}

export interface ReductionStep {
  class: string;
  chips: number;
  straights: number;
  freed: number;
  articles: readonly string[];
}

export interface MadeReduction {
  player: string;
  chip: number;
  steps: readonly ReductionStep[];
  straights: number;
  left: Readonly<Record<string, number>>;
  freed: number;
  paid: number;
  stays: number;
  articles: readonly string[];
}

export interface CoupPayments {
  coup: number;
  number: Pocket | null;
  made: number;
  payments: readonly DuePayment[];
  reductions: readonly MadeReduction[];
}

