import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { House } from "../api/http.ts";
import type { Book, TableEvent, TableView, Why } from "../api/types.ts";
import { Clock } from "./clock.svelte.ts";
import { FALLS } from "./fall.svelte.ts";
import { Hearing, type Hearer } from "./hearing.svelte.ts";
import told from "../table/followed.fixture.json";
import { Toasts } from "./toasts.svelte.ts";

const first = (told as unknown as { first: TableView }[])[0]!.first;
const book = {
  red: [1, 3, 5],
  calls: { language: "es" },
} as unknown as Book;

function hearing(): Hearing {
  const hearer: Hearer = {
    table: "es",
    book,
    me: { name: "ana" },
    house: {} as House,
    clock: new Clock(),
    toasts: new Toasts(),
    closed: () => {},
  };
  return new Hearing(hearer);
}

const event = (type: string, data: object, more: object = {}): TableEvent =>
  ({ seq: 1, at: Date.now(), type, data, change: {}, ...more }) as unknown as TableEvent;
const view = (change: Partial<TableView>): TableView => ({ ...first, ...change });

const why = (won: number, lost: number): Why =>
  ({
    coup: 4,
    number: 5,
    call: "Colorado el cinco",
    won,
    lost,
    lines: [{ id: "b" }],
    reduced: [],
  }) as unknown as Why;

describe("what a screen reader hears", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  it("is the call in the house's language, and what it means", () => {
    const heard = hearing();
    heard.event(event("LastBetsCalled", { call: "Últimas apuestas" }));
    expect(heard.spoken).toEqual([
      { text: "Últimas apuestas", language: "es" },
      { text: "Last bets", language: "en" },
    ]);
  });

  it("is one's own result, after the call of the number, once the ball has landed", () => {
    const heard = hearing();
    heard.stage.changed(view({ phase: "closed", number: null }));
    heard.event(event("BallLaunched", { spin: 1, wheel: "cw" }));
    heard.event(event("BallPocketed", { number: 5 }));
    heard.event(event("NumberCalled", { pocket: 5, call: "Colorado el cinco" }, { why: why(350, 0) }));
    heard.stage.changed(view({ phase: "collecting", number: 5, call: "Colorado el cinco" }));
    expect(heard.spoken).toEqual([]);
    vi.advanceTimersByTime(FALLS + 1000);
    expect(heard.spoken).toEqual([
      { text: "Colorado el cinco", language: "es" },
      { text: "5, red", language: "en" },
      { text: "You won 350", language: "en" },
    ]);
  });

  it("is the result alone where the call is no news any more", () => {
    const heard = hearing();
    heard.stage.changed(view({ phase: "collecting", number: 5 }));
    const old = { why: why(0, 100), at: Date.now() - 60_000 };
    heard.event(event("NumberCalled", { pocket: 5, call: "Colorado el cinco" }, old));
    expect(heard.spoken).toEqual([{ text: "You lost 100", language: "en" }]);
  });
});
