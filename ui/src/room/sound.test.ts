import { describe, expect, it } from "vitest";
import { Sound } from "./sound.ts";

interface Started {
  at: number;
  loop: boolean;
  stops: number | null;
}

/** An audio that keeps what was asked of it. */
function audio() {
  const started: Started[] = [];
  const param = () => ({
    value: 1,
    setValueAtTime() {},
    exponentialRampToValueAtTime() {},
    cancelScheduledValues() {},
  });
  const node = (more: object = {}) => {
    const made = { connect: (next: unknown) => next, ...more };
    return made;
  };
  const made = {
    currentTime: 100,
    sampleRate: 8,
    closed: false,
    destination: node(),
    createGain: () => node({ gain: param() }),
    createBiquadFilter: () => node({ frequency: param(), Q: param(), type: "" }),
    createBuffer: (_: number, length: number) => ({ getChannelData: () => new Float32Array(length) }),
    createBufferSource: () => {
      const source: Started = { at: 0, loop: false, stops: null };
      return Object.assign(source, node(), {
        start(at: number) {
          source.at = at;
          started.push(source);
        },
        stop(at: number) {
          source.stops = at;
        },
      });
    },
    close() {
      made.closed = true;
      return Promise.resolve();
    },
  };
  return { made, started };
}

function sounding(on = true) {
  const { made, started } = audio();
  const state = { on, count: 0 };
  const sound = new Sound(
    () => state.on,
    () => {
      state.count += 1;
      return made as unknown as AudioContext;
    },
  );
  return { sound, started, state, made };
}

describe("the sounds of a table", () => {
  it("are none before somebody has touched the page, and none while they are off", () => {
    const { sound, started, state } = sounding(false);
    sound.wake();
    sound.chip();
    sound.roll();
    expect([state.count, started]).toEqual([0, []]);
    state.on = true;
    sound.chip();
    expect(started).toEqual([]);
    sound.wake();
    sound.wake();
    sound.chip();
    expect([state.count, started.length]).toEqual([1, 2]);
  });

  it("let the ball run once, until it falls over the frets into its pocket", () => {
    const { sound, started } = sounding();
    sound.wake();
    sound.roll();
    sound.roll();
    expect(started.map((each) => each.loop)).toEqual([true]);
    sound.fall(3);
    expect(started[0]!.stops).toBeLessThan(103);
    const knocks = started.slice(1).map((each) => each.at);
    expect(knocks).toHaveLength(10);
    expect(knocks.every((at, n) => n === 0 || at > knocks[n - 1]!)).toBe(true);
    expect([knocks[0]! > 102, knocks.at(-1)]).toEqual([true, 103]);
  });

  it("fall silent when a ball is void, and when they are turned off", () => {
    const { sound, started, made } = sounding();
    sound.wake();
    sound.roll();
    sound.rest();
    expect(started[0]!.stops).toBeLessThan(101);
    sound.roll();
    sound.hush();
    expect([started[1]!.stops !== null, made.closed]).toEqual([true, true]);
    sound.gain();
    expect(started).toHaveLength(2);
  });
});
