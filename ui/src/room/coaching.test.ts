import { beforeEach, describe, expect, test } from "vitest";
import type { Summary } from "../api/types.ts";
import { books } from "../gallery/books.ts";
import { words } from "../i18n/words.svelte.ts";
import { firstTable } from "./coaching.svelte.ts";

function table(rulebook: string, more: Partial<Summary> = {}): Summary {
  return {
    table: rulebook,
    rulebook,
    title: {},
    ball: "drawn",
    phase: "betting",
    suspended: false,
    players: 0,
    limits: null,
    chip: 100,
    last_numbers: [],
    out_of_play: null,
    at: null,
    yours: null,
    ...more,
  };
}

beforeEach(() => {
  words.language = "en";
});

describe("the table for a first round", () => {
  test("is one in the reader's language, if there is any", () => {
    const tables = [table("ar"), table("sd", { players: 3 }), table("fr")];
    expect(firstTable(tables, books)).toBe("sd");
    words.language = "fr";
    expect(firstTable(tables, books)).toBe("fr");
    words.language = "bg";
    expect(firstTable(tables, books)).toBe("ar");
  });

  test("is the one with the fewest players", () => {
    const tables = [table("ar", { players: 2 }), table("fr", { players: 1 })];
    expect(firstTable(tables, books)).toBe("fr");
  });

  test("is dealt by the house itself, here, and is in play", () => {
    const unfit = [
      table("ar", { ball: "wheel" }),
      table("es", { out_of_play: "its log is not whole" }),
      table("fr", { phase: "ended" }),
      table("it", { phase: null }),
      table("bg", { at: "https://other.test" }),
    ];
    expect(firstTable(unfit, books)).toBeNull();
  });
});
