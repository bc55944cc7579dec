import { describe, expect, it } from "vitest";
import { books } from "../gallery/books";
import { hash, motion, pocket, type Spin } from "./motion";

const order = books.it.wheel;
/** Every pocket of a wheel with one zero, and of one with three. */
const wheels = [books.it, books.triplezero].flatMap(({ wheel }) =>
  wheel.map((number) => [number, wheel.length, wheel] as const),
);
const TURN = 2 * Math.PI;
const launchedAt = 1_700_000_000_000;
const spin = (over: Partial<Spin>): Spin => ({
  id: "coup 1",
  number: 17,
  clockwise: true,
  launchedAt,
  landsBy: launchedAt + 7000,
  ...over,
});
/** The distance of two angles, around the circle. */
const apart = (one: number, other: number): number => {
  const way = Math.abs((((one - other) % TURN) + TURN) % TURN);
  return Math.min(way, TURN - way);
};
const steps = (from: number, until: number, step = 10): number[] =>
  Array.from({ length: Math.floor((until - from) / step) + 1 }, (_, at) => from + at * step);

const both = [true, false];
const lengths = [6000, 7000, 8000, 10_000];

describe.each(both)("the ball, with the wheel clockwise: %s", (clockwise) => {
  it.each(wheels)("ends in the pocket of %s on a wheel of %s", (number, _, order) => {
    for (const length of lengths) {
      const moved = motion(
        spin({ number, clockwise, id: `coup ${number}`, landsBy: launchedAt + length }),
        order,
        1.234,
      );
      expect(moved.landsAt).toBe(launchedAt + length);
      for (const after of [0, 1, 2500, 60_000]) {
        const seen = moved.at(launchedAt + length + after);
        expect(seen.stage).toBe("landed");
        expect(apart(seen.ball - seen.rotor, pocket(order, number))).toBeLessThan(1e-6);
        expect([seen.radius, seen.height]).toEqual([0, 0]);
      }
      // It does not jump into place: a moment before, it is there but for a hair.
      const just = moved.at(launchedAt + length - 5);
      expect(apart(just.ball - just.rotor, pocket(order, number))).toBeLessThan(0.01);
    }
  });

  it("only ever slows down against the wheel, and runs against it", () => {
    for (const number of [0, 5, 17, 36]) {
      const moved = motion(spin({ number, clockwise, id: `x${number}` }), order, 0);
      const ways = steps(launchedAt, launchedAt + 7000).map((time) => {
        const seen = moved.at(time);
        return (seen.ball - seen.rotor) * (clockwise ? -1 : 1);
      });
      // The angle is not folded while the ball runs, so its differences are its speed.
      const speeds = ways.slice(1, -1).map((way, at) => way - (ways[at] ?? 0));
      for (const [at, speed] of speeds.entries()) {
        expect(speed).toBeGreaterThanOrEqual(-1e-9);
        if (at) expect(speed).toBeLessThanOrEqual((speeds[at - 1] ?? 0) + 1e-6);
      }
      expect((speeds[0] ?? 0) / 0.01).toBeGreaterThan(12);
    }
  });

  it("comes down from the track, bounces once or twice, and stays", () => {
    const counts = new Set<number>();
    for (let coup = 0; coup < 20; coup++) {
      const moved = motion(spin({ clockwise, id: `coup ${coup}` }), order, 0);
      const seen = steps(launchedAt, launchedAt + 7000, 5).map((time) => moved.at(time));
      for (const [at, each] of seen.entries())
        if (at) expect(each.radius).toBeLessThanOrEqual((seen[at - 1]?.radius ?? 1) + 1e-9);
      const tops = seen.filter(
        (each, at) =>
          each.height > 0 &&
          each.height > (seen[at - 1]?.height ?? 0) &&
          each.height >= (seen[at + 1]?.height ?? 0),
      );
      counts.add(tops.length);
      expect(new Set(seen.map((each) => each.stage))).toEqual(
        new Set(["track", "falling", "bouncing", "landed"]),
      );
    }
    expect(counts).toEqual(new Set([1, 2]));
  });

  it("turns the wheel its way, from where it stood, and lets it stop", () => {
    const moved = motion(spin({ clockwise }), order, 2);
    expect(moved.at(launchedAt).rotor).toBe(2);
    const times = steps(launchedAt, launchedAt + 14_000, 50);
    for (const [at, time] of times.entries()) {
      if (!at) continue;
      const way = moved.at(time).rotor - moved.at(times[at - 1] ?? 0).rotor;
      expect(way * (clockwise ? 1 : -1)).toBeGreaterThanOrEqual(0);
    }
    expect(moved.at(launchedAt + 12_000).moving).toBe(true);
    expect(moved.at(launchedAt + 13_000).moving).toBe(false);
    expect(moved.at(launchedAt + 13_000).rotor).toBe(moved.at(launchedAt + 60_000).rotor);
  });
});

describe("a number that becomes known while the ball runs", () => {
  it("lets the ball circle until then, without end", () => {
    const moved = motion(spin({ number: null }), order, 0);
    expect(moved.landsAt).toBeNull();
    const late = moved.at(launchedAt + 90_000);
    expect([late.stage, late.radius, late.moving]).toEqual(["track", 1, true]);
  });

  it.each([0, 1500, 4000, 5000, 6900, 20_000])("goes on from where it is after %i ms", (after) => {
    for (const number of order)
      for (const clockwise of both) {
        const open = motion(spin({ number: null, clockwise }), order, 0.5);
        const known = motion(spin({ number, clockwise }), order, 0.5, launchedAt + after);
        const then = launchedAt + after;
        expect(known.at(then).ball).toBeCloseTo(open.at(then).ball, 9);
        expect(known.at(then).rotor).toBeCloseTo(open.at(then).rotor, 9);
        expect(known.landsAt).toBe(Math.max(launchedAt + 7000, then + 3000));
        const end = known.at((known.landsAt ?? 0) + 1);
        expect(apart(end.ball - end.rotor, pocket(order, number))).toBeLessThan(1e-6);
      }
  });
});

it("looks the same to all who look, and not the same each time", () => {
  expect(hash("coup 1")).toBe(hash("coup 1"));
  expect(hash("coup 1")).not.toBe(hash("coup 2"));
});
