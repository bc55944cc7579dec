import { describe, expect, it } from "vitest";
import { books } from "../gallery/books";
import { may } from "./acts";
import { decisionsOf, type Seen } from "./decisions";
import { bringing, toBring } from "./float";
import type { CountFacts, FloatFacts, Hand, TableFacts } from "./kinds";
import { nextAction } from "./next";

const { fr, fram } = books;
const LEAST = 30_000;
const chief: Hand = { name: "carla", role: "chief" };
const croupier: Hand = { name: "dino", role: "croupier" };
const cashier: Hand = { name: "kim", role: "cashier" };
const management: Hand = { name: "management", role: "management" };
const director: Hand = { name: "dora", role: "chief" };

const bare: FloatFacts = { least: LEAST, uncovered: false, advance: 0, refill: null, due: null };
const due: CountFacts = {
  occasion: "opened",
  amount: LEAST,
  counted: null,
  expected: null,
  by: null,
};
const made: CountFacts = { ...due, counted: LEAST, expected: LEAST, by: "dino" };

function table(float: Partial<FloatFacts>, more: Partial<TableFacts> = {}): TableFacts {
  return {
    phase: "opening",
    ball: "wheel",
    suspended: false,
    stopped: null,
    launched: false,
    games_left: null,
    limits_kept: "enforced",
    staff: { carla: "chief", dino: "croupier" },
    players: {},
    float: { ...bare, ...float },
    ...more,
  };
}

describe("a table with a float is opened", () => {
  it("after the cash desk brought it, whoever holds a post", () => {
    const empty = table({});
    expect(nextAction(cashier, fram, empty)).toMatchObject({
      step: "bring_float",
      command: "OpenBank",
      mine: true,
    });
    expect(nextAction(croupier, fram, empty)).toMatchObject({
      step: "bring_float",
      mine: false,
      waitsFor: { people: [], posts: [] },
    });
    expect(toBring(empty)).toBe(LEAST);
  });

  it("with what a raised placard wants besides", () => {
    const raised = table({ advance: LEAST, least: 3 * LEAST, due });
    expect(nextAction(cashier, fram, raised)).toMatchObject({
      step: "bring_float",
      command: "FillBank",
    });
    expect([toBring(raised), bringing(raised)]).toEqual([2 * LEAST, "FillBank"]);
  });

  it("after a croupier counted it and another person signed", () => {
    const brought = table({ advance: LEAST, due });
    expect(nextAction(croupier, fram, brought)).toMatchObject({ step: "count_float", mine: true });
    expect(nextAction(chief, fram, brought)).toMatchObject({
      step: "count_float",
      mine: false,
      waitsFor: { people: ["dino"] },
    });
    const counted = table({ advance: LEAST, due: made });
    expect(nextAction(chief, fram, counted)).toMatchObject({ step: "sign_float", mine: true });
    expect(nextAction(director, fram, counted).mine).toBe(true);
    expect(nextAction(management, fram, counted).mine).toBe(true);
    expect(nextAction(croupier, fram, counted)).toMatchObject({
      mine: false,
      waitsFor: { people: ["carla"], posts: [] },
    });
    expect(nextAction(chief, fram, table({ advance: LEAST })).step).toBe("open");
  });

  it("and nobody signs their own count", () => {
    const own = table({ advance: LEAST, due: { ...made, by: "carla" } });
    expect(nextAction(chief, fram, own)).toMatchObject({ step: "sign_float", mine: false });
    expect(nextAction(chief, fram, own).waitsFor).toEqual({
      people: [],
      posts: ["chief"],
    });
  });

  it("not before its posts are held", () => {
    expect(nextAction(cashier, fr, table({}, { staff: {} })).step).toBe("posts");
  });
});

describe("at a table in play", () => {
  const betting = (float: Partial<FloatFacts>, more: Partial<TableFacts> = {}): TableFacts =>
    table({ advance: LEAST, refill: LEAST, ...float }, { phase: "betting", ...more });
  const refilled: CountFacts = { ...due, occasion: "refilled" };

  it("a refill is counted before the next launch, and not while a ball runs", () => {
    expect(nextAction(croupier, fram, betting({ due: refilled })).step).toBe("count_float");
    const running = betting({ due: refilled }, { launched: true });
    expect(nextAction(croupier, fram, running).step).toBe("close");
    const paying = betting({ due: refilled }, { phase: "paying" });
    expect(nextAction(croupier, fram, paying).step).toBe("pay");
  });

  it("a bank that cannot cover the bets is filled, and play is not just resumed", () => {
    const broken = betting({ uncovered: true }, { suspended: true });
    expect(nextAction(cashier, fram, broken)).toMatchObject({ step: "refill", mine: true });
    expect(nextAction(chief, fram, broken)).toMatchObject({ step: "refill", mine: false });
    expect(toBring(broken)).toBe(LEAST);
    const quarrel = betting({}, { suspended: true });
    expect(nextAction(chief, fram, quarrel).step).toBe("resume");
    const filled = betting({ uncovered: true, due: refilled }, { suspended: true });
    expect(nextAction(croupier, fram, filled).step).toBe("count_float");
  });

  it("the closing count comes before the session is over", () => {
    const closing: CountFacts = { ...due, occasion: "closed", amount: 0 };
    expect(nextAction(croupier, fram, betting({ due: closing }, { phase: "ended" })).step).toBe(
      "count_float",
    );
    expect(nextAction(croupier, fram, betting({}, { phase: "ended" })).step).toBe("over");
    expect(toBring(betting({}, { phase: "ended" }))).toBeNull();
  });
});

describe("what waits for the chief", () => {
  const waiting = (seen: TableFacts): string[] =>
    decisionsOf(fram, { ...seen, stakes: [], prison: [] } as unknown as Seen, [], () => "").map(
      ({ kind }) => kind,
    );

  it("is the float while it is missing, the count, and the signature", () => {
    expect(waiting(table({}))).toEqual(["float"]);
    expect(waiting(table({ advance: LEAST, due }))).toEqual(["count"]);
    expect(waiting(table({ advance: LEAST, due: made }))).toEqual(["sign"]);
    expect(waiting(table({ advance: LEAST }))).toEqual([]);
  });

  it("says why play is suspended", () => {
    const suspended = { phase: "betting", suspended: true };
    expect(waiting(table({ uncovered: true }, suspended))).toEqual(["uncovered"]);
    expect(waiting(table({}, suspended))).toEqual(["suspended"]);
  });
});

it("a house without articles on it asks for no float", () => {
  const plain = { ...table({}), float: null, staff: { carla: "chief", dino: "croupier" } };
  expect(nextAction(chief, books.esam, plain).step).toBe("open");
  expect(may(croupier, books.esam, plain, "CountFloat")).toBe(false);
});
