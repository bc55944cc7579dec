/**
 * The guided round, step by step. Which step it is follows from what has happened at the table, and
 * never from a clock: a newcomer may do things in another order.
 */

/** What somebody who is new does, in this order, and last that they have done all of it. */
export const STEPS = ["seat", "chip", "number", "red", "ball", "why", "book", "done"] as const;
export type CoachStep = (typeof STEPS)[number];

/** What is true at the table. */
export interface Seen {
  readonly seated: boolean;
  /** A chip was chosen, or the one that lay ready was kept. */
  readonly chose: boolean;
  readonly onNumber: boolean;
  readonly onRed: boolean;
  /** Bets lie on the table, and no more are taken. */
  readonly runs: boolean;
  /** The round is over, and the house has said why every bet got what it got. */
  readonly told: boolean;
  /** The explanation was read. */
  readonly read: boolean;
  /** The rulebook was opened. */
  readonly opened: boolean;
}

/** The step that follows from where one was and what is true now. */
export function stepAfter(at: CoachStep, seen: Seen): CoachStep {
  switch (at) {
    case "done":
      return at;
    case "book":
      return seen.opened ? "done" : at;
    case "why":
      return seen.read ? stepAfter("book", seen) : at;
    default:
      return seen.told ? stepAfter("why", seen) : beforeTheBall(seen);
  }
}

/** A bet that was taken back has to be laid again, and a seat that was left to be taken again. */
function beforeTheBall(seen: Seen): CoachStep {
  if (seen.runs) return "ball";
  if (!seen.seated) return "seat";
  if (seen.onNumber) return seen.onRed ? "ball" : "red";
  return seen.chose || seen.onRed ? "number" : "chip";
}
