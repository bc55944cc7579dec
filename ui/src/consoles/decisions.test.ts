import { sample } from "../api/sample";
import { describe, expect, it } from "vitest";
import { limitOf } from "../room/limits";
import { decisionsOf, excesses, type Seen } from "./decisions";

const book = { spots: { "d1+d2": { class: "straddle" }, d1: { class: "dozen" } } } as never;
const limits = { dozen: { min: 10, max: 500 } };
const limits_apart = { "d1+d2": { min: 20, max: 1000 } };

describe("the limits of a spot", () => {
  it("are its own where the house says so, and its class's elsewhere", () => {
    const table = { limits, limits_apart };
    expect(limitOf(table, book, "d1")).toEqual({ min: 10, max: 500 });
    expect(limitOf(table, book, "d1+d2")).toEqual({ min: 20, max: 1000 });
    expect(limitOf({ limits: {}, limits_apart: {} }, book, "d1")).toBeUndefined();
  });
});

describe("what lies above a maximum", () => {
  const lying = (on: string, ...amounts: number[]): Seen["stakes"] =>
    amounts.map((amount, at) => ({ id: `${on} ${at}`, player: "ana", on, amount }) as never);
  const classOf = (spot: string): string => (spot.includes("+") ? "straddle" : "dozen");
  const table = { limits_kept: "policed", limits, limits_apart } as unknown as Seen;

  it("is found on straddles too, by all that a player has there", () => {
    const stakes = [...lying("d1", 300, 300), ...lying("d1+d2", 900, 150)];
    expect(excesses({ ...table, stakes }, classOf)).toEqual([
      { player: "ana", on: "d1", above: 100, id: "d1 0" },
      { player: "ana", on: "d1+d2", above: 50, id: "d1+d2 0" },
    ]);
    const within = [...lying("d1", 500), ...lying("d1+d2", 1000)];
    expect(excesses({ ...table, stakes: within }, classOf)).toEqual([]);
  });

  it("is nobody's to notice where the house keeps the limits itself", () => {
    const kept = { ...table, limits_kept: "enforced", stakes: lying("d1", 900) } as Seen;
    expect(excesses(kept, classOf)).toEqual([]);
  });
});

describe("what waits for the chief", () => {
  it("has the disputes among it, before the payments that are wrong", () => {
    const table = {
      phase: "betting",
      stopped: null,
      suspended: false,
      limits_kept: "enforced",
      games_left: null,
      staff: {},
      stakes: [],
      prison: [],
    } as unknown as Seen;
    const book = { posts: {} } as never;
    const dispute = { id: 4, player: "ana", coup: 2, stake: null, says: "", by: "ana", at: 0 };
    const wrong = { id: "w", player: "ana", amount: -5, reason: "", by: "luis" };
    const log = [sample("WrongPaymentMade", wrong)];
    const waiting = decisionsOf(book, table, log, () => "", [dispute]);
    expect(waiting.map(({ kind }) => kind)).toEqual(["dispute", "wrong"]);
    expect(waiting[0]).toEqual({ kind: "dispute", dispute });
  });
});
