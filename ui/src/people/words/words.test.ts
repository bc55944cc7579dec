import { describe, expect, test } from "vitest";
import { Problem } from "../../api/http.ts";
import type { Language, ProblemWhy } from "../../api/types.ts";
import { words } from "../../words/words.svelte.ts";
import { ALL, said as spoken } from "./chosen.svelte.ts";

/** Every message as it is said, by its path. */
function said(messages: unknown, path = ""): [string, string][] {
  if (typeof messages === "string") return [[path, messages]];
  if (typeof messages === "function") {
    const speak = messages as (...given: unknown[]) => string;
    return [1, 2].map((count) => [`${path}(${count})`, speak(count, count)]);
  }
  return Object.entries(messages as object).flatMap(([key, each]) => said(each, `${path}.${key}`));
}

describe.each(Object.entries(ALL))("the words about people in %s", (language, messages) => {
  const all = said(messages);

  test("are all there, not padded, and say what they are given", () => {
    expect(all.length).toBe(said(ALL.en).length);
    for (const [path, text] of all) {
      expect(text, path).not.toBe("");
      expect(text, path).toBe(text.trim());
      expect(text, path).not.toMatch(/undefined|\s\s/);
      if (path.endsWith("(2)")) expect(text, path).toContain("2");
    }
  });

  test("tell a problem by its reason and never by its sentence", () => {
    words.language = language as Language;
    const told = (status: number, why: ProblemWhy | null): string =>
      spoken.problem(new Problem(status, "an English sentence on https", why), { no_money: "here" });
    expect(told(409, "own_cash")).toBe(words.reason("own_cash"));
    expect(told(409, "no_money")).toBe("here");
    expect(told(0, null)).toBe(messages.signIn.unreachable);
    expect(told(502, null)).toBe(messages.account.failed);
    expect(told(409, "a_new_one" as ProblemWhy)).toBe(messages.account.failed);
  });

  test("are not English by oversight", () => {
    if (language === "en") return;
    const english = new Map(said(ALL.en));
    const same = all.filter(([path, text]) => text.length > 12 && english.get(path) === text);
    expect(same).toEqual([]);
  });
});
