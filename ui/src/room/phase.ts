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
  | "resting";

export type Tone = "open" | "hurry" | "shut" | "runs" | "falls" | "quiet";

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
};

export const toneOf = (step: Step): Tone => TONES[step];

/** Whether stakes are taken. */
export const isOpen = (view: TableView): boolean =>
  (view.phase === "betting" || view.phase === "choosing") && !view.suspended && !view.stopped;

/** Where the play stands. `hears` says whether the last bets were called, `dealt` who deals. */
export function stepOf(view: TableView, hears: { lastBets: boolean; dealt: boolean }): Step {
  if (view.stopped) return "stopped";
  if (view.phase === "opening" || view.phase === "ended") return view.phase;
  if (view.phase === "betting" || view.phase === "choosing") {
    if (view.suspended) return "suspended";
    if (view.launched) return "launched";
    if (hears.lastBets) return "lastBets";
    const nobody = Object.values(view.players).every((seat) => seat.away);
    if (nobody && view.stakes.length === 0 && !hears.dealt) return "resting";
    return view.phase;
  }
  if (view.phase === "closed") return "closed";
  return view.phase === "paying" ? "paying" : "collecting";
}
