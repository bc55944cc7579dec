import { describe, expect, test } from "vitest";
import { ALL } from "./chosen.svelte.ts";

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

  test("are not English by oversight", () => {
    if (language === "en") return;
    const english = new Map(said(ALL.en));
    const same = all.filter(([path, text]) => text.length > 12 && english.get(path) === text);
    expect(same).toEqual([]);
  });
});
