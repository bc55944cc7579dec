/** The state of play as it is read at a glance: one of a few, each with a tone of its own. */
import type { TableView } from "../api/types.ts";

export type Step =
  | "opening"
  | "betting"
  | "lastBets"
  | "launched"
  | "choosing"
  | "closed"
  | "collecting"
  | "paying"
  | "ended"
  | "suspended"
  | "stopped"
  | "resting"
  | "lost"
  | "late";

export type Tone = "open" | "hurry" | "shut" | "runs" | "falls" | "quiet" | "cut";

const TONES: Record<Step, Tone> = {
  opening: "quiet",
  betting: "open",
  choosing: "open",
  lastBets: "hurry",
  launched: "hurry",
  closed: "shut",
  collecting: "falls",
  paying: "falls",
  ended: "quiet",
  suspended: "quiet",
  stopped: "quiet",
  resting: "quiet",
  lost: "cut",
  late: "cut",
};

export const toneOf = (step: Step): Tone => TONES[step];

/** Whether stakes are taken. */
export const isOpen = (view: TableView): boolean =>
  (view.phase === "betting" || view.phase === "choosing") && !view.suspended && !view.stopped;

interface Heard {
  /** Whether the last bets were called. */
  lastBets: boolean;
  /** Whether the table is dealt by the clock. */
  dealt: boolean;
  /** Whether the house cannot be heard. */
  lost?: boolean;
  /** Whether the step has ended by the clock, and the house says nothing of the next. */
  late?: boolean;
}

/** Where the play stands; nothing is open while the house is not heard. */
export function stepOf(view: TableView, hears: Heard): Step {
  if (hears.lost) return "lost";
  if (view.stopped) return "stopped";
  if (view.phase === "opening" || view.phase === "ended") return view.phase;
  if (view.phase === "betting" || view.phase === "choosing") {
    if (view.suspended) return "suspended";
    if (hears.late) return "late";
    if (view.launched) return "launched";
    if (hears.lastBets) return "lastBets";
    const nobody = Object.values(view.players).every((seat) => seat.away);
    if (nobody && view.stakes.length === 0 && !hears.dealt) return "resting";
    return view.phase;
  }
  if (view.phase === "closed") return "closed";
  return view.phase === "paying" ? "paying" : "collecting";
}
