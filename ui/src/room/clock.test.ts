import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Clock } from "./clock.svelte.ts";

const START = 1_700_000_000_000;
const AHEAD = 90_000;
/** A frame of a house whose clock is ahead of ours. */
const frame = (ends: number | null) => ({
  step: "betting" as const,
  ends: ends === null ? null : Date.now() + AHEAD + ends,
  now: Date.now() + AHEAD,
  playing: 1,
});

describe("the clock", () => {
  beforeEach(() => void vi.useFakeTimers({ now: START }));
  afterEach(() => void vi.useRealTimers());

  it("says once that the house is late, and no more when the next step comes", () => {
    let late = 0;
    const clock = new Clock(() => (late += 1));
    const stop = clock.start();
    clock.hear(frame(3000));
    vi.advanceTimersByTime(3000);
    expect([clock.seconds, clock.late, late]).toEqual([0, false, 0]);
    vi.advanceTimersByTime(10_000);
    expect([clock.seconds, clock.late, late]).toEqual([0, true, 1]);
    clock.hear(frame(5000));
    expect([clock.seconds, clock.late]).toEqual([5, false]);
    stop();
  });

  it("is never late where nobody deals by the clock", () => {
    const clock = new Clock(() => expect.unreachable());
    const stop = clock.start();
    clock.hear(frame(null));
    vi.advanceTimersByTime(60_000);
    expect([clock.left, clock.late]).toEqual([null, false]);
    stop();
  });
});
