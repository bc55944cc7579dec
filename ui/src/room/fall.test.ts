import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TableView } from "../api/types.ts";
import told from "../table/followed.fixture.json";
import { Fall, FALLS, veiled } from "./fall.svelte.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

function ball(still = false): { fall: Fall; landings: () => number } {
  let count = 0;
  const fall = new Fall(
    () => (count += 1),
    () => still,
  );
  return { fall, landings: () => count };
}

describe("the ball on the screen", () => {
  it("falls for a moment after the house has said where it lies", () => {
    const { fall, landings } = ball();
    fall.launched("1.1", true, Date.now());
    fall.pocketed(17, Date.now());
    expect(fall.falling).toBe(true);
    expect(fall.spin).toMatchObject({ number: 17, landsBy: Date.now() + FALLS });
    fall.land();
    expect([fall.falling, fall.rest, landings()]).toEqual([false, 17, 1]);
    fall.land();
    expect(landings()).toBe(1);
  });

  it("falls once, though a drawn ball is first revealed and then lies in its pocket", () => {
    const { fall } = ball();
    fall.launched("1.1", true, Date.now());
    fall.pocketed(17, Date.now());
    const { landsBy } = fall.spin!;
    vi.advanceTimersByTime(50);
    fall.pocketed(17, Date.now());
    expect(fall.spin?.landsBy).toBe(landsBy);
  });

  it("is not waited for when the wheel says nothing", () => {
    const { fall, landings } = ball();
    fall.launched("1.1", true, Date.now());
    fall.pocketed(17, Date.now());
    vi.advanceTimersByTime(FALLS + 1000);
    expect([fall.falling, fall.rest, landings()]).toEqual([false, 17, 1]);
  });

  it("lies there at once where nothing moves, or where it fell long ago", () => {
    const { fall, landings } = ball(true);
    fall.launched("1.1", true, Date.now());
    fall.pocketed(17, Date.now());
    expect([fall.falling, fall.rest, landings()]).toEqual([false, 17, 1]);
    const late = ball();
    late.fall.launched("1.1", true, Date.now() - 60_000);
    late.fall.pocketed(17, Date.now() - 50_000);
    expect([late.fall.falling, late.fall.rest]).toEqual([false, 17]);
  });

  it("has landed when the coup is over, however fast the croupier is", () => {
    const { fall, landings } = ball();
    fall.launched("1.1", true, Date.now());
    fall.pocketed(17, Date.now());
    fall.over();
    expect([fall.spin, fall.rest, landings()]).toEqual([null, 17, 1]);
  });

  it("that is void shows no number", () => {
    const { fall } = ball();
    fall.rest = 5;
    fall.launched("1.1", false, Date.now());
    fall.voided();
    expect([fall.spin, fall.rest, fall.falling]).toEqual([null, 5, false]);
  });

  it("is found running, or lying, by whoever comes in", () => {
    const { fall } = ball();
    fall.found(null, { id: "3.3", clockwise: false });
    expect(fall.spin).toMatchObject({ id: "3.3", number: null, clockwise: false });
    const { launchedAt } = fall.spin!;
    vi.advanceTimersByTime(500);
    fall.found(null, { id: "3.3", clockwise: false });
    expect(fall.spin?.launchedAt).toBe(launchedAt);
    fall.found(9, { id: "3.3", clockwise: false });
    expect([fall.spin, fall.rest]).toEqual([null, 9]);
  });
});

describe("the table while the ball falls", () => {
  const first = (told as unknown as { first: TableView }[])[0]!.first;
  const you = { player: "ana", purse: 700, custody: 0, colour: null, chip: 100, value_chips: false };

  it("keeps the number and the payments to itself", () => {
    const before: TableView = { ...first, phase: "closed", last_numbers: [5], you };
    const live: TableView = {
      ...first,
      phase: "paying",
      number: 17,
      last_numbers: [5, 17],
      you: { ...you, purse: 4200, custody: 3 },
      suspended: true,
    };
    expect(veiled(live, before)).toMatchObject({
      phase: "closed",
      number: null,
      last_numbers: [5],
      you: { purse: 700, custody: 3 },
      suspended: true,
    });
  });

  it("lets those in who sit down meanwhile", () => {
    const before: TableView = { ...first, phase: "closed", you: null };
    expect(veiled({ ...first, phase: "paying", you }, before).you).toEqual(you);
  });
});
