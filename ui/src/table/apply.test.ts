import { describe, expect, it } from "vitest";
import { sample } from "../api/sample.ts";
import type { EventData, EventName, TableEvent, TableView } from "../api/types.ts";
import { applied } from "./apply.ts";
import told from "./followed.fixture.json";

type Changes = Record<string, unknown>;
interface Evening {
  table: string;
  viewer: "public" | "staff";
  first: TableView;
  steps: { event: TableEvent; changes: Changes }[];
}

const evenings = told as unknown as Evening[];
const LYING = ["stakes", "announcements", "prison", "replays"] as const;

/** What the rules decide, and the room must not. */
const ASKED = ["ColourConverted", "BankOpened", "BankFilled"];

const byId = (all: { id: string }[]): { id: string }[] =>
  [...all].sort((one, other) => one.id.localeCompare(other.id));

function after(view: TableView, changes: Changes): TableView {
  const next = { ...view, ...changes } as unknown as Record<string, unknown>;
  for (const key of LYING) {
    const change = changes[key] as { put: { id: string }[]; gone: string[] } | undefined;
    next[key] = view[key];
    if (!change) continue;
    const gone = new Set([...change.gone, ...change.put.map((each) => each.id)]);
    next[key] = [...(view[key] as { id: string }[]).filter((each) => !gone.has(each.id)), ...change.put];
  }
  return next as unknown as TableView;
}

/** In what order things lie does not matter, nor how a number will be called before it is. */
const unordered = (view: TableView): TableView => ({
  ...view,
  call: view.phase === "pocketed" ? null : view.call,
  // What the room keeps of the call until the coup is over, the house does not tell again.
  settled: undefined,
  ...Object.fromEntries(LYING.map((key) => [key, byId(view[key])])),
});

describe.each(evenings)("an evening at $table, for the $viewer", ({ table, viewer, first, steps }) => {
  it("is followed as the house sees it, event by event", () => {
    let seen = first;
    let plain = 0;
    for (const { event, changes } of steps) {
      const real = after(seen, changes);
      const me = viewer === "public" ? "ana" : null;
      const ours = applied(seen, event, me);
      const seated = event.type === "PlayerSat" && event.data["player"] === me;
      if (ASKED.includes(event.type) || seated) expect(ours, event.type).toBeNull();
      else {
        expect(ours, `${table} ${event.seq} ${event.type}`).not.toBeNull();
        expect(unordered(ours!), `${event.seq} ${event.type}`).toEqual(unordered(real));
        plain += 1;
      }
      seen = { ...real, settled: ours?.settled };
    }
    expect(plain).toBeGreaterThan(60);
  });
});

describe("an event that the room does not know", () => {
  it("has the house asked", () => {
    const { first } = evenings[0]!;
    const event: unknown = { seq: first.seq + 1, at: 0, type: "SomethingNew", data: {} };
    expect(applied(first, event as TableEvent)).toBeNull();
  });
});

describe("limits that were announced", () => {
  const { first } = evenings[0]!;
  const event = (from_next_coup: boolean): TableEvent =>
    sample("LimitsChanged", { limits: { straight: { max: 25 } }, from_next_coup });

  it("stand beside those that bind until the next coup", () => {
    const seen = applied(first, event(true))!;
    expect(seen.limits).toEqual(first.limits);
    expect(seen.limits_coming).toEqual({ straight: { max: 25 } });
  });

  it("are the house's to say once they bind", () => {
    expect(applied(first, event(false))).toBeNull();
  });
});

describe("what the further houses do at a table", () => {
  const { first } = evenings.find(({ viewer }) => viewer === "staff")!;
  const stake = { id: "o1", player: "luis", on: "red", amount: 20, chips: "value", by: "luis" } as const;
  const laid = applied(first, sample("StakePlaced", stake))!;

  it("puts an abandoned stake into custody", () => {
    const said = { id: "o1", player: "luis", stakes: ["o1"], amount: 20 };
    const seen = applied(laid, sample("OrphanDeclared", said))!;
    expect(seen.stakes.some((each) => each.id === "o1")).toBe(false);
    expect(seen.purses).toEqual(laid.purses);
    const kept = laid.custody?.["luis"] ?? 0;
    expect(seen.custody?.["luis"]).toBe(kept + 20);
  });

  it("inspects table and ball", () => {
    const waits = { ...first, inspected: false, ball_to_inspect: true };
    expect(applied(waits, sample("TableInspected", {}))!.inspected).toBe(true);
    expect(applied(waits, sample("BallInspected", {}))!.ball_to_inspect).toBe(false);
  });

  it("follows the count of a float to its signature, and asks what one is counted for", () => {
    const due = { occasion: "opened", amount: 9, counted: null, expected: null, by: null } as const;
    const float = { least: 9, uncovered: false, advance: 9, refill: null, due };
    const said = { occasion: "opened", counted: 8, expected: 9, by: "dino" } as const;
    const counted = applied({ ...first, float }, sample("FloatCounted", said))!;
    expect(counted.float?.due).toEqual({ ...due, counted: 8, expected: 9, by: "dino" });
    expect(applied(counted, sample("FloatEntered", {}))!.float).toEqual({ ...float, due: null });
    expect(applied({ ...first, float: { ...float, due: null } }, sample("FloatCounted", said))).toBeNull();
  });

  it("asks what is counted while play is suspended, where a float is", () => {
    const float = { least: 9, uncovered: false, advance: null, refill: null, due: null };
    const event = sample("TableSuspended", { reason: "a quarrel" });
    expect(applied(first, event)?.suspended).toBe(true);
    expect(applied({ ...first, float }, event)).toBeNull();
  });

  it("sees that the bank cannot cover the bets", () => {
    const float = { least: 9, uncovered: false, advance: null, refill: null, due: null };
    const seen = applied({ ...first, float }, sample("BankUncovered", { coup: 3 }))!;
    expect(seen.float?.uncovered).toBe(true);
  });

  it("asks the house which float another placard demands", () => {
    const float = { least: 9, uncovered: false, advance: null, refill: null, due: null };
    const event = {
      ...sample("LimitsChanged", { limits: {}, from_next_coup: false }),
      change: { limits: {}, limits_apart: {} },
    };
    expect(applied(first, event)).not.toBeNull();
    expect(applied({ ...first, float }, event)).toBeNull();
  });

  it("leaves to the house what another placard and a ball that left the wheel mean", () => {
    expect(applied(first, sample("TableReopened", { limits: {}, returned: [] }))).toBeNull();
    expect(applied(first, sample("BallVoided", { cause: "ball_out" }))).toBeNull();
  });

  it("takes the zeros of the wheel from the commitment", () => {
    const zeros = [0, "00"];
    expect(applied(first, sample("BallCommitted", { spin: 1, zeros }))!.draw?.zeros).toEqual(zeros);
  });
});

describe("a correction that was ordered", () => {
  const first = evenings.find(({ table }) => table === "es")!.first;
  const told = <T extends EventName>(
    view: TableView,
    type: T,
    data: Partial<EventData[T]>,
  ): TableView => applied(view, sample(type, data, { seq: view.seq + 1 }))!;
  const stake = { id: "a", player: "luis", on: "5", amount: 20, chips: "colour", by: "luis" } as const;
  const laid = told(first, "StakePlaced", stake);
  const ordered = told(laid, "CorrectionOrdered", { id: "a", on: "8", by: "carla", reason: "" });

  it("waits while the stake lies where it lay", () => {
    expect(ordered.orders).toEqual([{ id: "a", on: "8", by: "carla", reason: "" }]);
    expect(ordered.stakes.at(-1)?.on).toBe("5");
    const again = told(ordered, "CorrectionOrdered", { id: "a", on: "9", by: "carla" });
    expect(again.orders.map((order) => order.on)).toEqual(["9"]);
    const part = told(ordered, "StakeWithdrawn", { id: "a", amounts: { a: 5 } });
    expect(part.orders.length).toBe(1);
  });

  it.each([
    sample("StakeMoved", { id: "a", on: "8", by: "dino", ordered_by: "carla" }),
    sample("StakeMoved", { id: "a", on: "9", by: "luis" }),
    sample("StakeWithdrawn", { id: "a", amounts: { a: 20 } }),
    sample("BettingClosed", { call: "" }),
  ])("is over with $type $data", (event) => {
    expect(applied(ordered, event)!.orders).toEqual([]);
  });
});
