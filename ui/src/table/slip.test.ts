import { describe, expect, it } from "vitest";
import { sample } from "../api/sample.ts";
import type { Answer, EventData, EventName, TableView } from "../api/types.ts";
import { applied } from "./apply.ts";
import { layoutOf, Layouts, missing, notation, total } from "./layout.ts";
import { Slip } from "./slip.ts";
import told from "./followed.fixture.json";

const empty: TableView = {
  ...(told as unknown as { first: TableView }[])[2]!.first,
  phase: "betting",
  stakes: [],
  announcements: [],
  players: { ana: { colour: "blue", chip: 100, away: false } },
  you: {
    player: "ana",
    purse: 10_000,
    custody: 0,
    colour: "blue",
    chip: 100,
    value_chips: false,
  },
};

type Fields = Record<string, never>;

/** A house that takes what it can read and refuses what costs more than the purse. */
class Dealer {
  view = empty;
  given: string[] = [];

  give = (command: string, fields: Record<string, unknown>): Promise<Answer> => {
    const { id, on, call, amount } = fields as Fields;
    this.given.push(`${command} ${on ?? call ?? ""} ${amount ?? ""}`.trim().replace(/\s+/g, " "));
    const refused = (why: string): Promise<Answer> =>
      Promise.resolve({ kind: "refused", why, articles: ["AR-2.a"], detail: "" });
    const purse = this.view.you!.purse;
    if (command === "PlaceStake") {
      if (Number(amount) > purse) return refused("exceeds_purse");
      this.#happens("StakePlaced", { ...fields, chips: "colour" });
    } else if (command === "Announce") {
      if (Number(amount) > purse) return refused("exceeds_purse");
      const piece = Number(amount) / 2;
      const stakes = ["17", "20"].map(
        (spot, n) =>
          sample("StakePlaced", {
            id: `${String(id)}/${n + 1}`,
            player: "ana",
            on: spot,
            amount: piece,
            chips: "colour",
            announcement: id ?? null,
            call: call ?? null,
          }).data,
      );
      this.#happens("AnnouncementPlaced", { ...fields, stakes });
    } else if (command === "MoveStake") this.#happens("StakeMoved", fields);
    else {
      const pieces = this.view.stakes.filter((each) => each.announcement === id || each.id === id);
      const amounts = Object.fromEntries(
        pieces.map((each) => [each.id, Number(amount ?? each.amount)]),
      );
      if (pieces.length === 0) return refused("no_such_stake");
      this.#happens("StakeWithdrawn", { id, amounts });
    }
    return Promise.resolve({ kind: "ack", first: 1, seq: 1 });
  };

  #happens<T extends EventName>(type: T, data: Partial<EventData[T]>): void {
    this.view = applied(this.view, sample(type, data, { seq: this.view.seq + 1 }))!;
  }

  get lies(): string {
    return notation(layoutOf(this.view, "ana"));
  }
}

function table(): { dealer: Dealer; slip: Slip } {
  const dealer = new Dealer();
  return { dealer, slip: new Slip(dealer.give, "ana") };
}

describe("the slip", () => {
  it("lays stakes, and takes the last back first", async () => {
    const { dealer, slip } = table();
    await slip.place("17", 500);
    await slip.place("17", 200);
    await slip.place("red", 1000);
    expect(dealer.lies).toBe("17:700 red:1000");
    await slip.takeBack(dealer.view, "17", 300);
    expect(dealer.lies).toBe("17:400 red:1000");
    expect(dealer.view.you?.purse).toBe(8600);
  });

  it("undoes whatever was done, step by step to the empty cloth", async () => {
    const { dealer, slip } = table();
    const seen = [dealer.lies];
    const steps = [
      () => slip.place("17", 500),
      () => slip.announce("17~2", 400),
      () => slip.takeBack(dealer.view, "17", 100),
      () => slip.place("red", 300),
      () => slip.double(dealer.view),
      () => slip.move(dealer.view, dealer.view.stakes.find((each) => each.on === "red")!.id, "even"),
      () => slip.clear(dealer.view),
    ];
    for (const step of steps) {
      const { refused } = await step();
      expect(refused).toEqual([]);
      seen.push(sorted(dealer.lies));
    }
    expect(dealer.view.stakes).toEqual([]);
    while (slip.canUndo) {
      seen.pop();
      const { refused } = await slip.undo();
      expect(refused).toEqual([]);
      expect(sorted(dealer.lies)).toBe(seen.at(-1));
    }
    expect(seen).toEqual([""]);
    expect(dealer.view.you?.purse).toBe(10_000);
  });

  it("undoes the last thing that was asked for, though the house has not answered yet", async () => {
    const { dealer, slip } = table();
    await slip.place("17", 500);
    await slip.takeBack(dealer.view, "17", 500);
    const placing = slip.place("20", 300);
    expect(dealer.lies).toBe("20:300");
    await slip.undo();
    await placing;
    expect(dealer.lies).toBe("");
    await slip.undo();
    expect(dealer.lies).toBe("17:500");
    await Promise.all([slip.undo(), slip.place("red", 100)]);
    expect(dealer.lies).toBe("red:100");
  });

  it("tells what was refused, and undoes only what was taken", async () => {
    const { dealer, slip } = table();
    await slip.place("17", 6000);
    const outcome = await slip.lay([
      { on: "red", amount: 4000 },
      { on: "20", amount: 4000 },
    ]);
    expect(outcome.done).toBe(1);
    expect(outcome.refused).toMatchObject([{ kind: "refused", why: "exceeds_purse" }]);
    await slip.undo();
    expect(dealer.lies).toBe("17:6000");
  });

  it("does not remember what the house refused", async () => {
    const { slip } = table();
    await slip.place("17", 99_999);
    expect(slip.canUndo).toBe(false);
  });

  it("takes a call back whole from any of its pieces", async () => {
    const { dealer, slip } = table();
    await slip.announce("17~2", 400);
    expect(dealer.lies).toBe("17~2:400");
    await slip.takeBack(dealer.view, "20", 100);
    expect(dealer.lies).toBe("");
    await slip.undo();
    expect(dealer.lies).toBe("17~2:400");
  });

  it("repeats an earlier coup, without what still lies there", async () => {
    const { dealer, slip } = table();
    await slip.place("17", 500);
    await slip.repeat(dealer.view, [
      { on: "17", amount: 700 },
      { on: "red", amount: 100 },
    ]);
    expect(dealer.given.slice(1)).toEqual(["PlaceStake 17 200", "PlaceStake red 100"]);
  });

  it("has nothing to do where nothing lies", async () => {
    const { dealer, slip } = table();
    for (const outcome of [
      await slip.takeBack(dealer.view, "17", 100),
      await slip.clear(dealer.view),
      await slip.double(dealer.view),
      await slip.undo(),
      await slip.move(dealer.view, "nobody's", "17"),
    ])
      expect(outcome).toEqual({ refused: [], done: 0 });
    expect(dealer.given).toEqual([]);
  });

  it("forgets the past when betting closes", async () => {
    const { slip } = table();
    await slip.place("17", 500);
    slip.forget();
    expect(slip.canUndo).toBe(false);
  });

  it("gives every stake a name of its own that nobody can guess", async () => {
    const { dealer, slip } = table();
    await slip.place("17", 100);
    await slip.place("17", 100);
    const ids = dealer.view.stakes.map((stake) => stake.id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^s-[0-9a-z]{24,}$/);
  });
});

const sorted = (text: string): string => text.split(" ").sort().join(" ");

describe("layouts", () => {
  const shelf = (): Storage => {
    const kept = new Map<string, string>();
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    } as unknown as Storage;
  };

  it("are kept for a house, under a name", () => {
    const store = shelf();
    const layouts = new Layouts(store, "it");
    layouts.save("mia", [{ call: "voisins", amount: 900 }]);
    layouts.save("altra", [{ on: "17", amount: 100 }]);
    layouts.save("mia", [{ on: "red", amount: 100 }]);
    expect(new Layouts(store, "it").all()).toEqual([
      { name: "mia", layout: [{ on: "red", amount: 100 }] },
      { name: "altra", layout: [{ on: "17", amount: 100 }] },
    ]);
    expect(new Layouts(store, "es").all()).toEqual([]);
    expect(layouts.remove("mia")).toHaveLength(1);
  });

  it("that cannot be read are none", () => {
    const store = shelf();
    const layouts = new Layouts(store, "it");
    for (const nonsense of ["{", "7", '[{"name":1}]', '[{"name":"a","layout":[{"on":"17"}]}]']) {
      store.setItem("novamas.layouts.it", nonsense);
      expect(layouts.all()).toEqual([]);
    }
  });

  it("know their price and what is missing of them", () => {
    const wanted = [
      { on: "17", amount: 500 },
      { call: "tiers", amount: 600 },
    ];
    expect(total(wanted)).toBe(1100);
    expect(missing(wanted, [{ on: "17", amount: 600 }])).toEqual([{ call: "tiers", amount: 600 }]);
    expect(missing(wanted, [{ call: "tiers", amount: 100 }])).toEqual([
      { on: "17", amount: 500 },
      { call: "tiers", amount: 500 },
    ]);
  });
});
