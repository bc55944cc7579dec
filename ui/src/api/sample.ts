/** Events for tests: of each, only what a test is about. */
import type { EventData, EventName, EventOf, HiddenEvent, TableEvent } from "./types.ts";

let last = 0;

/** An event with some of its data; it comes after the one that was made before it. */
export function sample<T extends EventName>(
  type: T,
  data: Partial<EventData[T]> = {},
  place: { seq?: number; at?: number } = {},
): EventOf<T> & Exclude<TableEvent, HiddenEvent> {
  last += 1;
  const event: EventOf<T> = {
    seq: place.seq ?? last,
    at: place.at ?? 1_700_000_000_000 + last,
    type,
    data: data as EventData[T],
  };
  return event as EventOf<T> & Exclude<TableEvent, HiddenEvent>;
}
