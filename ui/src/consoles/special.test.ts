import { describe, expect, it } from "vitest";
import { fieldsOf, SPECIAL_KINDS, worthOf, type SpecialStake } from "./special";

const stake = (more: Partial<SpecialStake>): SpecialStake => ({
  kind: "laid_for",
  player: "eva",
  on: "17",
  amount: 30,
  laidFor: "b1",
  foreign: { number: 3, table: "4", opening_minimum: 2, value: null },
  ...more,
});
const laid = { id: "b2", player: "eva", on: "17", amount: 30 };

describe("a stake of which only the staff can say it", () => {
  it("is laid for the owner of another stake", () => {
    expect(fieldsOf(stake({}), "b2")).toEqual({ ...laid, laid_for: "b1" });
    expect(fieldsOf(stake({ laidFor: "" }), "b2")).toBeNull();
  });

  it("is of unclear value, or unattended", () => {
    expect(fieldsOf(stake({ kind: "value_unclear" }), "b2")).toEqual({
      ...laid,
      value_unclear: true,
    });
    expect(fieldsOf(stake({ kind: "unattended" }), "b2")).toEqual({ ...laid, unattended: true });
    expect(fieldsOf(stake({ kind: "change_pending" }), "b2")).toEqual({
      ...laid,
      chips: "value",
      change_pending: true,
    });
  });

  it("is of chips of another table, at their value or at that table's opening minimum", () => {
    const unknown = stake({ kind: "foreign" });
    expect(worthOf(unknown)).toBe(6);
    expect(fieldsOf(unknown, "b2")).toEqual({
      ...laid,
      amount: 6,
      foreign: { number: 3, table: "4", opening_minimum: 2, value: null },
    });
    const known = stake({
      kind: "foreign",
      foreign: { number: 3, table: " 4 ", opening_minimum: 2, value: 5 },
    });
    expect(fieldsOf(known, "b2")).toEqual({
      ...laid,
      amount: 15,
      foreign: { number: 3, table: "4", opening_minimum: 2, value: 5 },
    });
  });

  it.each([
    { number: null, table: "4", opening_minimum: 2, value: 5 },
    { number: 3, table: " ", opening_minimum: 2, value: 5 },
    { number: 3, table: "4", opening_minimum: null, value: 5 },
    { number: 0, table: "4", opening_minimum: 2, value: null },
  ])("is not laid while something about the chips is missing: %j", (foreign) => {
    expect(fieldsOf(stake({ kind: "foreign", foreign }), "b2")).toBeNull();
  });

  it("is not laid without a player, a spot and an amount, whatever its kind", () => {
    for (const kind of SPECIAL_KINDS) {
      expect(fieldsOf(stake({ kind, player: "" }), "b2")).toBeNull();
      expect(fieldsOf(stake({ kind, on: "" }), "b2")).toBeNull();
      if (kind !== "foreign")
        for (const amount of [null, 0, -5]) expect(fieldsOf(stake({ kind, amount }), "b2")).toBeNull();
    }
  });
});
