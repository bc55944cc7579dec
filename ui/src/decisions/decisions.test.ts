import { beforeEach, describe, expect, test } from "vitest";
import { sample as event } from "../api/sample.ts";
import type { Decided, Decision, DecisionSide, OpenDispute } from "../api/types.ts";
import { words } from "../i18n/words.svelte.ts";
import {
  changes,
  disputeOf,
  disputeRefusal,
  headline,
  isDecisive,
  joined,
  news,
  person,
  reason,
  told,
  type Naming,
} from "./decisions.ts";

beforeEach(() => {
  words.language = "en";
});

const naming: Naming = {
  spot: (name) => `spot ${name}`,
  limit: (kind) => `class ${kind}`,
  language: "en",
};
const none: DecisionSide = {
  standing: null,
  number: null,
  spot: null,
  amount: null,
  wrong_by: null,
  limits: null,
};

function decided(more: Partial<Decision>): Decision {
  return {
    kind: "suspended",
    seq: 1,
    at: 0,
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
    ...more,
  };
}

const change = (before: Partial<DecisionSide>, after: Partial<DecisionSide>) =>
  changes(decided({ before: { ...none, ...before }, after: { ...none, ...after } }), naming);

describe("what a decision says", () => {
  test("before and after, in the words of the table", () => {
    expect(change({ standing: "in_play" }, { standing: "suspended" })).toEqual([
      { of: "", before: "in play", after: "suspended" },
    ]);
    expect(change({ number: 0 }, { number: 26 })).toEqual([{ of: "", before: "0", after: "26" }]);
    expect(change({ spot: "17", amount: 500 }, { spot: "20", amount: 500 })).toEqual([
      { of: "", before: "spot 17 · 500", after: "spot 20 · 500" },
    ]);
    expect(change({ amount: 900 }, { amount: 0 })[0]).toEqual({
      of: "",
      before: "900",
      after: "0",
    });
    expect(change({ wrong_by: -200 }, { wrong_by: 0 })[0]).toEqual({
      of: "",
      before: "200 too little",
      after: "correct",
    });
    expect(change({ wrong_by: 0 }, { wrong_by: 70 })[0]!.after).toBe("70 too much");
    expect(changes(decided({}), naming)).toEqual([]);
  });

  test("limits, each class that changed", () => {
    const before = { straight: { min: 10, max: 500 }, red: { max: 900 } };
    const after = { straight: { min: 20, max: 500 }, dozen: { min: 5 } };
    expect(change({ limits: before }, { limits: after })).toEqual([
      { of: "class straight", before: "10 to 500", after: "20 to 500" },
      { of: "class red", before: "≤ 900", after: "no limit" },
      { of: "class dozen", before: "no limit", after: "≥ 5" },
    ]);
  });

  test("who, and why", () => {
    expect(person("ana")).toBe("ana");
    expect(person("management")).toBe("management");
    expect(person("management Vera")).toBe("Vera (management)");
    expect(person("managements")).toBe("managements");
    expect(person(null)).toBe("the casino");
    expect(reason(decided({ kind: "ball_voided", why: "ball_out" }))).toBe(
      "The ball left the wheel",
    );
    expect(reason(decided({ why: "ball_out" }))).toBe("ball_out");
    expect(headline(decided({ kind: "dispute_upheld", about: "ana", coup: 7 }))).toContain(
      "round 7",
    );
  });
});

test("a decision is told in one line when it happens", () => {
  const sides = { before: { ...none, number: 3 }, after: { ...none, number: 26 } };
  const corrected = decided({ kind: "number_corrected", why: "misread", ...sides });
  expect(told(corrected, naming)).toBe("The number was corrected · 3 → 26 · misread");
  expect(told(decided({}), naming)).toBe("Play was suspended");
});

describe("the list", () => {
  const all = [5, 4, 3, 2, 1].map((seq) => decided({ seq }));
  const page = (from: number, until: number, more: boolean): Decided => ({
    open: [],
    decisions: all.filter(({ seq }) => seq <= from && seq >= until),
    more,
    advances: [],
  });

  test("is read from its end, and joined without gap or doubling", () => {
    expect(joined(page(5, 4, true), all.slice(1))).toEqual(all);
    expect(joined(page(5, 1, false), [])).toEqual(all);
    expect(joined(page(5, 4, true), [])).toEqual(all.slice(0, 2));
  });

  test("forgets what would lie beyond a gap", () => {
    expect(joined(page(5, 4, true), all.slice(3))).toEqual(all.slice(0, 2));
  });

  test("tells what is new, the oldest first, and not what is only written down", () => {
    const mixed = [
      decided({ seq: 4, kind: "dispute_raised" }),
      decided({ seq: 3, kind: "ball_voided" }),
      decided({ seq: 2 }),
      decided({ seq: 1 }),
    ];
    expect(news(mixed, 1).map(({ seq }) => seq)).toEqual([2, 3]);
    expect(news(mixed, 4)).toEqual([]);
  });

  test("is another after a decision, and only then", () => {
    expect(isDecisive(event("BallVoided"))).toBe(true);
    for (const type of ["TableReopened", "OrphanDeclared", "FloatEntered"] as const)
      expect(isDecisive(event(type)), type).toBe(true);
    expect(isDecisive(event("CoupEnded"))).toBe(false);
    expect(isDecisive(event("StakeMoved", { correction: true }))).toBe(true);
    expect(isDecisive(event("StakeMoved", { correction: false }))).toBe(false);
    expect(isDecisive(event("StakePlaced", { exception: true }))).toBe(true);
    expect(isDecisive(event("StakePlaced"))).toBe(false);
    expect(isDecisive(event("StakesReturned", { by: "vera" }))).toBe(true);
    expect(isDecisive(event("StakesReturned", { by: null }))).toBe(false);
  });
});

describe("a dispute of one's own", () => {
  const open: OpenDispute[] = [
    { id: 1, player: "luis", coup: 4, stake: null, says: "", by: "luis", at: 0 },
    { id: 2, player: "ana", coup: 4, stake: null, says: "look", by: "ana", at: 0 },
  ];
  const rejected = decided({ kind: "dispute_rejected", about: "ana", coup: 3, why: "it was 3" });

  test("is open, decided, or not there", () => {
    expect(disputeOf(open, [rejected], "ana", 4)).toEqual({ state: "open", id: 2, says: "look" });
    expect(disputeOf(open, [rejected], "ana", 3)).toEqual({
      state: "rejected",
      decision: rejected,
    });
    expect(disputeOf(open, [rejected], "ana", 5)).toBeNull();
    expect(disputeOf(open, [rejected], "luis", 3)).toBeNull();
    const withdrawn = decided({ kind: "dispute_withdrawn", about: "ana", coup: 5 });
    expect(disputeOf([], [withdrawn], "ana", 5)).toBeNull();
  });

  test("is refused in one's own language", () => {
    words.language = "es";
    expect(disputeRefusal("coup_is_disputed")).toContain("reclamación");
    expect(disputeRefusal("exceeds_purse")).toBeNull();
  });
});
