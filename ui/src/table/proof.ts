/** What a player's browser notes down of a drawn table: the proof that the verifier reads. */
import { PROOF_EVENTS } from "../api/constants.ts";
import type { EventOf, TableEvent } from "../api/types.ts";

/** An event as it was received, or what the browser itself did. */
export interface Note {
  type: string;
  seq?: number;
  at?: number;
  data: Record<string, unknown>;
}

export interface Proof {
  novamas: "proof 1";
  table: string;
  player: string | null;
  notes: Note[];
}

/** The events that a proof is made of. */
const NOTED: ReadonlySet<string> = new Set(PROOF_EVENTS);

type NotedName = (typeof PROOF_EVENTS)[number];
export type NotedEvent = { [T in NotedName]: EventOf<T> }[NotedName];

export const isNoted = (event: TableEvent): event is NotedEvent => NOTED.has(event.type);

/** The newest notes, from where a spin was bound on: what came before cannot be followed any more. */
export function newest(notes: Note[], most: number): Note[] {
  if (notes.length <= most) return notes;
  const late = notes.slice(notes.length - Math.floor(most / 2));
  const start = late.findIndex((note) => note.type === "BallCommitted");
  return start < 0 ? late : late.slice(start);
}
