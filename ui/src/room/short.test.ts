import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LyingStake, ShortStake, TableView } from "../api/types.ts";
import { words } from "../i18n/words.svelte.ts";
import { Shortfall, shortText } from "./short.svelte.ts";

const stake = (id: string, on: string, amount: number, player = "ana"): LyingStake => ({
  id,
  player,
  on,
  amount,
  chips: "colour",
  announcement: null,
  call: null,
});

const table = (stakes: LyingStake[], phase = "betting"): TableView =>
  ({ phase, suspended: false, stopped: null, stakes, limits: {} }) as unknown as TableView;

const short = (id: string, on: string, amount: number): ShortStake => ({
  id,
  on,
  amount,
  counted: "chips_on_numbers",
  least: 5,
  there: 1,
  articles: ["IT-general-2"],
});

describe("what is too little to play", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is asked of the house once the hand has come to rest, and only of one's own", async () => {
    const ask = vi.fn(() => Promise.resolve([short("a", "17", 100)]));
    const found = new Shortfall(ask);
    found.follow(table([stake("x", "17", 900, "luis")]), "ana");
    await vi.advanceTimersByTimeAsync(1000);
    expect(ask).not.toHaveBeenCalled();
    found.follow(table([stake("a", "17", 100)]), "ana");
    await vi.advanceTimersByTimeAsync(100);
    found.follow(table([stake("a", "17", 100), stake("b", "20", 100)]), "ana");
    await vi.advanceTimersByTimeAsync(1000);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(found.on("17")?.least).toBe(5);
    expect(found.on("20")).toBeUndefined();
    expect([...found.ids]).toEqual(["a"]);
    // What others do asks for nothing.
    found.follow(
      table([stake("a", "17", 100), stake("b", "20", 100), stake("x", "5", 1, "luis")]),
      "ana",
    );
    await vi.advanceTimersByTimeAsync(1000);
    expect(ask).toHaveBeenCalledTimes(1);
    found.end();
  });

  it("is forgotten once taken back, and when betting closes", async () => {
    const said = [short("a", "17", 100), short("b", "20", 200)];
    const found = new Shortfall(() => Promise.resolve(said));
    found.follow(table([stake("a", "17", 100), stake("b", "20", 200)]), "ana");
    await vi.advanceTimersByTimeAsync(1000);
    expect(found.amount).toBe(300);
    found.follow(table([stake("b", "20", 200)]), "ana");
    expect(found.amount).toBe(200);
    found.follow(table([stake("b", "20", 200)], "closed"), "ana");
    expect(found.all).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(found.all).toEqual([]);
  });

  it("is asked anew after a house that was away", async () => {
    const ask = vi.fn<() => Promise<ShortStake[]>>();
    ask.mockRejectedValueOnce(new Error("away")).mockResolvedValue([short("a", "17", 100)]);
    const found = new Shortfall(ask);
    found.follow(table([stake("a", "17", 100)]), "ana");
    await vi.advanceTimersByTimeAsync(1000);
    expect(found.all).toEqual([]);
    found.follow(table([stake("a", "17", 100)]), "ana");
    await vi.advanceTimersByTimeAsync(1000);
    expect(found.amount).toBe(100);
  });

  it("says why, in the words of what is counted", () => {
    words.language = "en";
    expect(shortText(short("a", "17", 100))).toBe(
      "Fewer than 5 chips on the numbers: returned when betting closes.",
    );
    expect(shortText({ ...short("a", "17", 1), counted: "value", least: 1500 })).toBe(
      "Below the minimum of 1,500: returned when betting closes.",
    );
  });
});
