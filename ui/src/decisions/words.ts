/** What is said of decisions and disputes, in the room and at the consoles, in five languages. */
import type { DecisionKind, Language, Standing } from "../api/types.ts";
import { bg } from "./words/bg.ts";
import { en } from "./words/en.ts";
import { es } from "./words/es.ts";
import { fr } from "./words/fr.ts";
import { it } from "./words/it.ts";

/** Whom a decision concerns, and the coup or the dispute that it is about. */
type Told = (who: string, coup: number) => string;

export interface DecisionWords {
  title: string;
  lead: string;
  empty: string;
  older: string;
  kinds: Record<DecisionKind, Told>;
  standings: Record<Standing, string>;
  causes: Record<string, string>;
  management: string;
  theHouse: string;
  by: (who: string) => string;
  hand: (who: string) => string;
  second: (who: string) => string;
  coup: (n: number) => string;
  why: string;
  change: (before: string, after: string) => string;
  tooMuch: (amount: string) => string;
  tooLittle: (amount: string) => string;
  asDue: string;
  noLimit: string;
  limits: (least: string, most: string) => string;
  dispute: {
    raise: string;
    lead: string;
    says: string;
    send: string;
    cancel: string;
    open: string;
    upheld: string;
    rejected: string;
    takeBack: string;
    sent: string;
    /** At the consoles. */
    waiting: string;
    none: string;
    of: (who: string, coup: number) => string;
    raisedBy: (who: string) => string;
    reason: string;
    uphold: string;
    reject: string;
    correction: string;
    nothing: string;
    notYours: (posts: string) => string;
    forPlayer: string;
    player: string;
    coup: string;
  };
  /** Why the house does not take a dispute. */
  refusals: Record<DisputeWhy, string>;
}

export type DisputeWhy =
  | "no_stakes_in_that_coup"
  | "coup_is_disputed"
  | "dispute_is_decided"
  | "too_many_disputes"
  | "no_such_dispute"
  | "words_are_missing";

export const DECISION_WORDS: Record<Language, DecisionWords> = { es, it, bg, fr, en };
