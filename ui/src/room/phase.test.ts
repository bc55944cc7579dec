import { describe, expect, it } from "vitest";
import type { TableView } from "../api/types.ts";
import told from "../table/followed.fixture.json";
import { isOpen, stepOf, toneOf } from "./phase.ts";

const first = (told as unknown as { first: TableView }[])[0]!.first;
const seated = { ana: { colour: null, chip: 100, away: false } };
const table = (change: Partial<TableView>): TableView => ({
  ...first,
  phase: "betting",
  players: seated,
  stakes: [],
  suspended: false,
  stopped: null,
  launched: false,
  ...change,
});
const step = (change: Partial<TableView>, lastBets = false, dealt = true): string =>
  stepOf(table(change), { lastBets, dealt });

describe("the state of play", () => {
  it("is read from the phase", () => {
    expect(step({})).toBe("betting");
    expect(step({ phase: "choosing" })).toBe("choosing");
    expect(step({ phase: "closed", launched: true })).toBe("closed");
    expect(step({ phase: "pocketed" })).toBe("collecting");
    expect(step({ phase: "collecting" })).toBe("collecting");
    expect(step({ phase: "paying" })).toBe("paying");
    expect(step({ phase: "opening" })).toBe("opening");
    expect(step({ phase: "ended" })).toBe("ended");
  });

  it("says when it is time to hurry", () => {
    expect(step({}, true)).toBe("lastBets");
    expect(step({ launched: true }, true)).toBe("launched");
    expect(toneOf("launched")).toBe("hurry");
  });

  it("shows nothing as open while the house is not heard, or is late", () => {
    const heard = { lastBets: false, dealt: true };
    for (const phase of ["betting", "choosing", "closed", "paying"] as const)
      expect(stepOf(table({ phase }), { ...heard, lost: true })).toBe("lost");
    expect(stepOf(table({}), { ...heard, late: true })).toBe("late");
    expect(stepOf(table({ launched: true }), { ...heard, late: true })).toBe("late");
    expect(stepOf(table({ phase: "closed" }), { ...heard, late: true })).toBe("closed");
    expect(stepOf(table({ suspended: true }), { ...heard, late: true })).toBe("suspended");
    expect([toneOf("lost"), toneOf("late")]).toEqual(["cut", "cut"]);
  });

  it("says when nothing will happen", () => {
    expect(step({ suspended: true })).toBe("suspended");
    expect(step({ stopped: "the store failed" })).toBe("stopped");
    expect(step({ players: {} }, false, false)).toBe("resting");
    expect(step({ players: {} }, false, true)).toBe("betting");
    expect(step({ players: { ana: { ...seated.ana, away: true } } }, false, false)).toBe("resting");
  });

  it("takes stakes only while betting is open", () => {
    expect(isOpen(table({}))).toBe(true);
    expect(isOpen(table({ phase: "choosing", launched: true }))).toBe(true);
    expect(isOpen(table({ suspended: true }))).toBe(false);
    expect(isOpen(table({ stopped: "x" }))).toBe(false);
    expect(isOpen(table({ phase: "closed" }))).toBe(false);
  });
});
