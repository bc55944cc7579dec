import { describe, expect, test } from "vitest";
import { sample } from "../api/sample.ts";
import type { Decided as Page, Decision, EventName, TableEvent } from "../api/types.ts";
import { Decided } from "./decided.svelte.ts";

const decision = (seq: number, kind: Decision["kind"] = "suspended"): Decision => ({
  kind,
  seq,
  at: seq,
  coup: 1,
  by: "vera",
  second: null,
  hand: null,
  about: null,
  why: "",
  before: null,
  after: null,
  articles: [],
  dispute: null,
});
const page = (...decisions: Decision[]): Page => ({
  open: [],
  decisions,
  more: false,
  advances: [],
});
const heard = (type: EventName): TableEvent => sample(type);
const rest = (): Promise<void> => new Promise((then) => setTimeout(then));

/** A list whose house answers with what was last put before it. */
function following(): {
  decided: Decided;
  house: { page: Page; asked: (number | undefined)[] };
  told: number[];
} {
  const house = { page: page(), asked: [] as (number | undefined)[] };
  const told: number[] = [];
  const ask = (before?: number): Promise<Page> => {
    house.asked.push(before);
    return Promise.resolve(house.page);
  };
  return { decided: new Decided(ask, ({ seq }) => told.push(seq)), house, told };
}

describe("the decisions of a table, as a player follows them", () => {
  test("what was there when he came is not told, what is new is told once", async () => {
    const { decided, house, told } = following();
    house.page = page(decision(3), decision(2));
    await decided.read();
    expect([told, decided.unseen]).toEqual([[], 0]);
    house.page = page(decision(9, "ball_voided"), decision(7), decision(3), decision(2));
    await decided.read();
    await decided.read();
    expect([told, decided.unseen]).toEqual([[7, 9], 2]);
    expect(decided.all.map(({ seq }) => seq)).toEqual([9, 7, 3, 2]);
  });

  test("he asks again after a decision, and only then", async () => {
    const { decided, house } = following();
    decided.event(heard("StakePlaced"));
    decided.event(heard("CoupEnded"));
    expect(house.asked).toEqual([]);
    decided.event(heard("TableSuspended"));
    decided.event(heard("TableResumed"));
    decided.event(heard("TableSuspended"));
    await rest();
    // While an answer is on its way what comes is asked for together, afterwards.
    expect(house.asked).toEqual([undefined, undefined]);
  });

  test("a house that is away changes nothing", async () => {
    const decided = new Decided(
      () => Promise.reject(new Error("away")),
      () => {},
    );
    await decided.read();
    await decided.older();
    expect(decided.all).toEqual([]);
  });

  test("older ones are read on from the last", async () => {
    const { decided, house } = following();
    house.page = { ...page(decision(9), decision(8)), more: true };
    await decided.read();
    expect(decided.more).toBe(true);
    house.page = page(decision(4));
    await decided.older();
    expect(house.asked.at(-1)).toBe(8);
    expect(decided.all.map(({ seq }) => seq)).toEqual([9, 8, 4]);
    expect(decided.more).toBe(false);
    // What is new comes before them, and they are not forgotten.
    house.page = { ...page(decision(11), decision(9)), more: true };
    await decided.read();
    expect(decided.all.map(({ seq }) => seq)).toEqual([11, 9, 8, 4]);
    expect(decided.more).toBe(false);
  });

  test("with another log he begins anew, and what he was writing is gone with it", async () => {
    const { decided, house, told } = following();
    house.page = page(decision(9));
    await decided.read();
    decided.draft = { coup: 4, says: "look" };
    decided.forget();
    expect([decided.all, decided.draft]).toEqual([[], null]);
    house.page = page(decision(2));
    await decided.read();
    expect(told).toEqual([]);
  });
});
