import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { STAFF_REFUSALS } from "../consoles/words/refusals/refusals.ts";
import { tongue } from "../consoles/words/chosen.svelte.ts";
import { PROBLEMS } from "./problems/problems.ts";
import { words } from "./words.svelte.ts";

/** The reasons of a closed set, as the house's source lists them. */
function listed(path: string, set: string): string[] {
  const text = readFileSync(new URL(`../../../src/novamas/${path}`, import.meta.url), "utf8");
  const body = text.split(`class ${set}(StrEnum):`)[1]!.split("\nclass ")[0]!.split("\n@")[0]!;
  return [...body.matchAll(/^ {4}[A-Z_]+ = "(\w+)"$/gm)].map((found) => found[1]!);
}

const WHY = listed("table/refusals.py", "RefusalReason");
const HOUSE = listed("house/refusals.py", "HouseRefusalReason");
const PROBLEM = listed("house/refusals.py", "Problem");

describe.each(["es", "it", "bg", "fr", "en"] as const)("what the house refuses, in %s", (language) => {
  it("has words for the staff, whatever the reason", () => {
    words.language = language;
    expect(WHY.length + HOUSE.length).toBeGreaterThan(90);
    for (const why of [...WHY, ...HOUSE, ...PROBLEM])
      expect(tongue.refusal(why), why).toMatch(/\S.*\.$/);
    expect(tongue.refusal("something_new")).toBeNull();
  });

  it("has words for nothing that the house never says", () => {
    const said = new Set([...WHY, ...HOUSE, ...PROBLEM]);
    const tables = [STAFF_REFUSALS[language], words.say.refusals, PROBLEMS[language]];
    const own = tables.flatMap((each) => Object.keys(each));
    expect(own.filter((why) => !said.has(why))).toEqual([]);
  });

  it("is told to a player in his language wherever it never came to the table", () => {
    words.language = language;
    for (const why of PROBLEM)
      expect(words.refusal(why, "English"), why).not.toBe("English");
    expect(words.refusal("lost", "English")).toBe(words.say.line.lost);
  });

  it("is not English by oversight", () => {
    if (language === "en") return;
    for (const all of [STAFF_REFUSALS, PROBLEMS]) {
      const english = new Map(Object.entries(all.en));
      const told = Object.entries(all[language]);
      expect(told.filter(([why, text]) => text === english.get(why))).toEqual([]);
    }
  });
});
