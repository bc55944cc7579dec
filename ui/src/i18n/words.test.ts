import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Problem } from "../api/http.ts";
import type { ProblemWhy } from "../api/types.ts";
import { problemText } from "../people/problems.ts";
import bg from "./bg/index.ts";
import en from "./en/index.ts";
import es from "./es/index.ts";
import fr from "./fr/index.ts";
import it from "./it/index.ts";
import type { Catalogue, Key } from "./languages.ts";
import { format, forms, type Message, type Translation } from "./message.ts";
import { t, words } from "./words.svelte.ts";

const ALL = { es, it, bg, fr, en };
const LANGUAGES = ["es", "it", "bg", "fr", "en"] as const;
const KEYS = Object.keys(en) as Key[];
/** Spots in the notation, which is the same in every language. */
const NOTATION: Key = "console.place.spotHint";

/** A module of the house. */
const source = (path: string): string =>
  readFileSync(new URL(`../../../src/novamas/${path}`, import.meta.url), "utf8");

/** The names of a closed set, as the house's source lists them. */
function listed(path: string, set: string): string[] {
  const text = source(path);
  // The class ends where something stands at the margin again.
  const body = text.split(`class ${set}(StrEnum):`)[1]!.split(/\n(?=\S)/)[0]!;
  return [...body.matchAll(/^ {4}[A-Z_]+ = "(\w+)"$/gm)].map((found) => found[1]!);
}

const inGroup = (group: string): string[] =>
  KEYS.filter((key) => key.startsWith(`${group}.`)).map((key) => key.slice(group.length + 1));

const WHY = listed("table/refusals.py", "RefusalReason");
const HOUSE = listed("house/refusals.py", "HouseRefusalReason");
const PROBLEM = listed("house/refusals.py", "Problem");

describe.each(LANGUAGES)("the messages in %s", (language) => {
  const messages: Catalogue = ALL[language];

  test("are not empty and not padded", () => {
    for (const key of KEYS)
      for (const text of forms(messages[key])) {
        expect(text, key).not.toBe("");
        expect(text, key).toBe(text.trim());
        expect(text, key).not.toMatch(/undefined|[ \n]{2}/);
      }
  });

  test("are not English by oversight", () => {
    if (language === "en") return;
    const filled = (message: Message): string => forms(message)[0]!.replace(/\{\w+\}/g, "1");
    const same = KEYS.filter((key) => {
      const text = filled(messages[key]);
      return text.length > 12 && text === filled(en[key]) && key !== NOTATION;
    });
    expect(same).toEqual([]);
  });

  test("say nothing of play money where people have wallets", () => {
    for (const name of inGroup("room.wallet")) {
      const plain = messages[`room.${name}` as Key];
      expect(plain, name).toBeDefined();
      expect(messages[`room.wallet.${name}` as Key], name).not.toBe(plain);
    }
  });

  test("have words for whatever the house refuses the staff", () => {
    words.language = language;
    expect(WHY.length + HOUSE.length).toBeGreaterThan(90);
    for (const why of [...WHY, ...HOUSE, ...PROBLEM])
      expect(words.staffReason(why), why).toMatch(/\S.*\.$/);
    expect(words.staffReason("something_new")).toBeNull();
  });

  test("tell players in their language why something never came to the table", () => {
    words.language = language;
    for (const why of PROBLEM) expect(words.refusal(why, "English"), why).not.toBe("English");
    expect(words.refusal("lost", "English")).toBe(t("room.line.lost"));
  });

  test("tell a problem by its reason and never by its sentence", () => {
    words.language = language;
    const told = (status: number, why: ProblemWhy | null): string =>
      problemText(new Problem(status, "an English sentence on https", why), { no_money: "here" });
    expect(told(409, "own_cash")).toBe(words.reason("own_cash"));
    expect(told(409, "no_money")).toBe("here");
    expect(told(0, null)).toBe(t("people.signIn.unreachable"));
    expect(told(502, null)).toBe(t("people.account.failed"));
    expect(told(409, "a_new_one" as ProblemWhy)).toBe(t("people.account.failed"));
  });
});

describe("a group that is completed by names of the house", () => {
  const said = new Set([...WHY, ...HOUSE, ...PROBLEM]);

  test.each(["refusals.player", "refusals.staff", "refusals.problem", "refusals.dispute"])(
    "%s has no reason that the house never gives",
    (group) => expect(inGroup(group).filter((why) => !said.has(why))).toEqual([]),
  );

  test("has exactly the names of the house's source", () => {
    const path = "game/rulebook/behaviours.py";
    expect(inGroup("console.acts").sort()).toEqual(listed(path, "Act").sort());
    expect(inGroup("console.causes").sort()).toEqual(listed(path, "Cause").sort());
    expect(inGroup("decisions.causes").sort()).toEqual(listed(path, "Cause").sort());
    const floats = source("house/table/floats.py");
    const reasons = [...floats.matchAll(/^(?:UN)?COVERED = "(\w+)"$/gm)].map((found) => found[1]!);
    expect(inGroup("decisions.reasons").sort()).toEqual(reasons.sort());
  });

  test("has every event of the register", () => {
    const path = "../../../src/novamas/house/people/events.py";
    const text = readFileSync(new URL(path, import.meta.url), "utf8");
    const events = [...text.matchAll(/^class (\w+)\(RegisterEvent\b/gm)].map((found) => found[1]!);
    expect(inGroup("people.register.kinds").sort()).toEqual(events.sort());
  });
});

describe("a message", () => {
  test("is filled, and a blank without a value is left empty", () => {
    const text = "Pay {amount} to {player}{x}";
    expect(format("en", text, { amount: 5, player: "ana" })).toBe("Pay 5 to ana");
  });

  test("chooses its plural by the rules of the language", () => {
    const chips = { one: "{count} chip", other: "{count} chips" };
    const said = (language: "en" | "fr"): string[] =>
      [0, 1, 2].map((count) => format(language, chips, { count }));
    expect(said("en")).toEqual(["0 chips", "1 chip", "2 chips"]);
    expect(said("fr")).toEqual(["0 chip", "1 chip", "2 chips"]);
  });

  test("may have every form that its language knows", () => {
    const jetons = { one: "{count} jeton", many: "{count} de jetons", other: "{count} jetons" };
    const million = format("fr", jetons, { count: 1_000_000 }).replaceAll(/\s/g, " ");
    expect(million).toBe("1 000 000 de jetons");
    expect(format("en", jetons, { count: 1_000_000 })).toBe("1,000,000 jetons");
  });

  test("says its count as the language writes numbers", () => {
    const chips = { one: "{count} chip", other: "{count} chips" };
    expect(format("en", chips, { count: 3_500 })).toBe("3,500 chips");
    expect(format("es", chips, { count: 3_500 })).toBe("3.500 chips");
  });

  test("is said in the chosen language", () => {
    words.language = "it";
    expect(t("room.lobby.players", { count: 1 })).toBe("1 giocatore");
    expect(t("room.lobby.players", { count: 3 })).toBe("3 giocatori");
    words.language = "bg";
    expect(t("room.lobby.players", { count: 3 })).toBe("3 играчи");
  });
});

/** What must not compile; it is never called. */
function mistakes(): void {
  // @ts-expect-error There is no such key.
  t("room.nothing");
  // @ts-expect-error The blank has no value.
  t("room.lobby.playingAs");
  // @ts-expect-error The blank has another name.
  t("room.lobby.playingAs", { who: "ana" });
  // @ts-expect-error A count is a number.
  t("room.lobby.players", { count: "3" });
  // @ts-expect-error The message has no blank.
  t("room.common.close", { name: "ana" });
  // @ts-expect-error The group has no such name.
  t(`room.phase.${"asleep" as "betting" | "asleep"}`);
  // @ts-expect-error A key is missing in the translation.
  void ({ "room.a": "x" } satisfies Translation<{ "room.a": string; "room.b": string }>);
  // @ts-expect-error The translation has a key too many.
  void ({ "room.a": "x", "room.b": "y" } satisfies Translation<{ "room.a": string }>);
}

describe("the typography", () => {
  const said = (language: "fr" | "it"): string => KEYS.flatMap((key) => forms(ALL[language][key])).join("\n");

  test("never lets a French line break before a sign or inside quotation marks", () => {
    expect(said("fr").match(/.{0,20}(?: [:;?!»]|« ).{0,10}/g)).toBeNull();
  });

  test("has the apostrophe of French and Italian", () => {
    for (const language of ["fr", "it"] as const)
      expect(said(language).match(/.{0,20}\p{L}'\p{L}.{0,10}/gu)).toBeNull();
  });
});

test("a wrong use of a message does not compile", () => {
  expect(mistakes).toBeTypeOf("function");
});

describe("a text of the house", () => {
  test("is said in the chosen language, else in the house's own, else in English", () => {
    words.language = "it";
    expect(words.of({ en: "e", it: "i" }, "es")).toBe("i");
    expect(words.of({ en: "e", es: "s" }, "es")).toBe("s");
    expect(words.of({ en: "e" }, "es")).toBe("e");
    expect(words.of(undefined, "es")).toBe("");
    expect(words.refusal("betting_is_closed", "no")).toBe(it["refusals.player.betting_is_closed"]);
    expect(words.refusal("something_new", "the house says so")).toBe("the house says so");
  });
});
