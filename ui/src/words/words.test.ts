import { describe, expect, it as test } from "vitest";
import { bg } from "./bg.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { WALLETS, withWallets } from "./wallets.ts";
import { words } from "./words.svelte.ts";

const ALL = { es, it, bg, fr, en };

/** Every message as it is said, by its path. */
function said(messages: unknown, path = ""): [string, string][] {
  if (typeof messages === "string") return [[path, messages]];
  if (typeof messages === "function") {
    const speak = messages as (...given: unknown[]) => string;
    return [
      [`${path}(1)`, speak(1, 1, 1, 1, 1)],
      [`${path}(2)`, speak(2, 2, 2, 2, 2)],
    ];
  }
  return Object.entries(messages as object).flatMap(([key, each]) => said(each, `${path}.${key}`));
}

describe.each(Object.entries(ALL))("the words of %s", (language, messages) => {
  const all = said(messages);

  test("are all there, and not padded", () => {
    expect(all.length).toBe(said(en).length);
    for (const [path, text] of all) {
      expect(text, path).not.toBe("");
      expect(text, path).toBe(text.trim());
      expect(text, path).not.toMatch(/undefined|\s\s/);
    }
  });

  test("say what they are given", () => {
    for (const [path, text] of all) {
      const says = path.endsWith("(2)") && !/one|gamesLeft|players|pieces/.test(path);
      if (says) expect(text, path).toContain("2");
    }
  });

  test("are not English by oversight", () => {
    if (language === "en") return;
    const english = new Map(said(en));
    const same = all.filter(([path, text]) => text.length > 12 && english.get(path) === text);
    expect(same).toEqual([]);
  });
});

describe.each(Object.entries(WALLETS))("the words about wallets in %s", (language, own) => {
  test("say nothing of play money, and what they are given", () => {
    const messages = ALL[language as keyof typeof ALL];
    const all = new Map(said(withWallets(messages, language as keyof typeof ALL)));
    expect(all.size).toBe(said(messages).length);
    const before = new Map(said(messages));
    for (const [path, text] of said(own)) {
      expect(all.get(path), path).toBe(text);
      expect(before.get(path), path).not.toBe(text);
      if (path.endsWith("(2)")) expect(text, path).toContain("2");
    }
  });
});

describe("a text of the house", () => {
  test("is said in the chosen language, else in the house's own, else in English", () => {
    words.language = "it";
    expect(words.of({ en: "e", it: "i" }, "es")).toBe("i");
    expect(words.of({ en: "e", es: "s" }, "es")).toBe("s");
    expect(words.of({ en: "e" }, "es")).toBe("e");
    expect(words.of(undefined, "es")).toBe("");
    expect(words.refusal("betting_is_closed", "no")).toBe(it.refusals.betting_is_closed);
    expect(words.refusal("something_new", "the house says so")).toBe("the house says so");
  });
});
