import { describe, expect, it } from "vitest";
import { sample } from "../api/sample.ts";
import type { TableEvent, TableView } from "../api/types.ts";
import { Following } from "./follow.ts";
import told from "./followed.fixture.json";

const first = (told as unknown as { first: TableView }[])[0]!.first;

const sat = (seq: number, player: string): TableEvent => ({
  seq,
  at: 0,
  type: "PlayerSat",
  data: { player },
});
const ended = (seq: number): TableEvent => sample("CoupEnded", {}, { seq });

function follow(): {
  following: Following;
  seen: TableView[];
  answer: (view: TableView) => Promise<void>;
  fail: () => Promise<void>;
  asked: () => number;
} {
  const seen: TableView[] = [];
  const waiting: { kept: (view: TableView) => void; failed: (why: Error) => void }[] = [];
  let count = 0;
  const settle = (): Promise<void> => new Promise((then) => setTimeout(then));
  const following = new Following({
    me: "me",
    changed: (view) => seen.push(view),
    fetch: () => {
      count += 1;
      return new Promise((kept, failed) => waiting.push({ kept, failed }));
    },
    wait: () => Promise.resolve(),
  });
  return {
    following,
    seen,
    answer: async (view) => {
      waiting.shift()!.kept(view);
      await settle();
    },
    fail: async () => {
      waiting.shift()!.failed(new Error("no house"));
      await settle();
    },
    asked: () => count,
  };
}

describe("following", () => {
  it("applies plain events at once", () => {
    const { following, seen, asked } = follow();
    following.adopt({ ...first, seq: 10 });
    following.event(sat(11, "eva"));
    expect(seen.at(-1)?.seq).toBe(11);
    expect(seen.at(-1)?.players).toHaveProperty("eva");
    expect(asked()).toBe(0);
  });

  it("passes over what the view holds already", () => {
    const { following, seen } = follow();
    following.adopt({ ...first, seq: 10 });
    following.event(sat(10, "eva"));
    expect(seen.at(-1)?.players).not.toHaveProperty("eva");
    expect(seen).toHaveLength(1);
  });

  it("asks the house where the rules decide, and applies what came meanwhile", async () => {
    const { following, answer, asked } = follow();
    following.adopt({ ...first, seq: 10 });
    following.event(ended(11));
    following.event(sat(12, "eva"));
    expect(following.view?.seq).toBe(10);
    await answer({ ...first, seq: 11, coup: 2 });
    expect(following.view).toMatchObject({ seq: 12, coup: 2 });
    expect(following.view?.players).toHaveProperty("eva");
    expect(asked()).toBe(1);
  });

  it("takes a newer answer whole, and does not apply its events again", async () => {
    const { following, answer } = follow();
    following.adopt({ ...first, seq: 10 });
    following.event(ended(11));
    following.event(sat(12, "eva"));
    await answer({ ...first, seq: 12, coup: 2, players: {} });
    expect(following.view?.players).toEqual({});
  });

  it("asks how one's own seat looks before it goes on", async () => {
    const { following, answer, asked } = follow();
    following.adopt({ ...first, seq: 10 });
    following.event(sat(11, "me"));
    following.event(sat(12, "eva"));
    expect(asked()).toBe(1);
    const you = { player: "me", purse: 7 } as TableView["you"];
    await answer({ ...first, seq: 11, you });
    expect(following.view).toMatchObject({ seq: 12, you });
  });

  it("asks again when an event is missing", async () => {
    const { following, answer, asked } = follow();
    following.adopt({ ...first, seq: 10 });
    following.event(sat(13, "eva"));
    expect(asked()).toBe(1);
    expect(following.view?.seq).toBe(10);
    await answer({ ...first, seq: 12 });
    expect(following.view?.seq).toBe(13);
  });

  it("asks again when the answer is older than what it needs", async () => {
    const { following, answer, asked } = follow();
    following.adopt({ ...first, seq: 10 });
    following.event(ended(11));
    await answer({ ...first, seq: 10 });
    expect(asked()).toBe(2);
    await answer({ ...first, seq: 11, coup: 2 });
    expect(following.view?.coup).toBe(2);
  });

  it("goes on asking while the house cannot be reached", async () => {
    const { following, answer, fail, asked } = follow();
    following.adopt({ ...first, seq: 10 });
    following.event(ended(11));
    await fail();
    await fail();
    expect(asked()).toBe(3);
    await answer({ ...first, seq: 11, coup: 2 });
    expect(following.view?.coup).toBe(2);
  });

  it("never goes back to an older view", () => {
    const { following } = follow();
    following.adopt({ ...first, seq: 10 });
    following.adopt({ ...first, seq: 9, coup: 99 });
    expect(following.view?.seq).toBe(10);
  });

  it("begins anew with another log", () => {
    const { following } = follow();
    following.adopt({ ...first, seq: 10 });
    following.restart({ ...first, seq: 2 });
    expect(following.view?.seq).toBe(2);
  });
});
