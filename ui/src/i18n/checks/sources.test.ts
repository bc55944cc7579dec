/** The checks of the messages, on the room itself and on sources that are wrong on purpose. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import bg from "../bg/index.ts";
import english from "../en/index.ts";
import es from "../es/index.ts";
import fr from "../fr/index.ts";
import { GROUPS } from "../groups.ts";
import it from "../it/index.ts";
import type { Message } from "../message.ts";
import {
  differingBlanks,
  differingKeys,
  literalsIn,
  unusedKeys,
  usesIn,
  type Source,
} from "./sources.ts";

const AREAS = new Set(Object.keys(english).map((key) => key.split(".")[0]!));
const OTHERS: Record<string, Readonly<Record<string, Message>>> = { es, it, bg, fr };

/** The product's name, the same in every language. */
const NAMES = ["novamas"];

/** What is no part of the room: tests, generated types, the messages themselves, the gallery. */
const LEFT_OUT = /\.test\.ts$|\.d\.ts$|^gallery\/|^i18n\/(?:checks|[a-z]{2})\/|^i18n\/groups\.ts$/;

/** Milliseconds in which a busy machine reads every source. */
const PATIENCE = 60_000;

function room(): Source[] {
  const src = new URL("../../", import.meta.url);
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:svelte|ts)$/.test(path) && !LEFT_OUT.test(path))
    .map((path) => ({ path, text: readFileSync(new URL(path, src), "utf8") }));
}

describe("the room", () => {
  const sources = room();

  test("uses every message, and asks only for declared groups", () => {
    const uses = usesIn(sources, new Set(Object.keys(GROUPS)), AREAS);
    expect(sources.length).toBeGreaterThan(150);
    expect(unusedKeys(Object.keys(english), uses)).toEqual([]);
    expect(uses.loose).toEqual([]);
  }, PATIENCE);

  test("has no text of its own in its components", () => {
    const components = sources.filter(({ path }) => path.endsWith(".svelte"));
    expect(components.flatMap((each) => literalsIn(each, NAMES))).toEqual([]);
  }, PATIENCE);

  test.each(Object.keys(OTHERS))("has the same keys and blanks in %s", (language) => {
    expect(differingKeys(english, OTHERS[language]!)).toEqual([]);
    expect(differingBlanks(english, OTHERS[language]!)).toEqual([]);
  });
});

const component = (text: string): Source => ({ path: "Wrong.svelte", text });
const script = (text: string): Source => ({ path: "wrong.ts", text });
const AREA = new Set(["room"]);

describe("an unused message", () => {
  const KEYS = ["room.a", "room.b", "room.phase.open", "room.phase.shut"];
  const unused = (...sources: Source[]): string[] =>
    unusedKeys(KEYS, usesIn(sources, new Set(["room.phase"]), AREA));

  test("is found", () => {
    expect(unused(script('t("room.a");'))).toEqual(["room.b", "room.phase.open", "room.phase.shut"]);
    expect(unused(script("t(`room.phase.${step}`);"))).toEqual(["room.a", "room.b"]);
    expect(unused(script('words.find("room.phase", step);'))).toEqual(["room.a", "room.b"]);
  });

  test("is not used by a comment, a style or a longer key", () => {
    const text = '<!-- room.a --><script lang="ts">// t("room.b")\n</script><style>.room { --a: "room.a"; }</style>';
    expect(unused(component(text), script('t("room.ab"); // room.b'))).toEqual(KEYS);
  });

  test("is used in markup, in an attribute and in either branch", () => {
    expect(unused(component('<p title={t("room.a")}>{late ? t("room.b") : ""}</p>'))).toEqual(
      KEYS.slice(2),
    );
    expect(unused(component('<Pad confirms="room.a" /><p>{t(late ? "room.b" : "room.a")}</p>'))).toEqual(
      KEYS.slice(2),
    );
  });
});

test("a key that is completed outside a declared group is found, with its line", () => {
  const sources = [script("\nt(`room.${name}`);"), script("t(`room.phase.${a}.${b}`);")];
  const { loose } = usesIn(sources, new Set(["room.phase"]), AREA);
  expect(loose.map(({ line, text }) => [line, text])).toEqual([
    [2, "room."],
    [1, "room.phase."],
  ]);
});

describe("a text in a component", () => {
  const texts = (text: string): string[] => literalsIn(component(text), NAMES).map((each) => each.text);

  test.each([
    ["<p>Place your bets</p>", "Place your bets"],
    ["<p>{late ? 'Too late' : ''}</p>", "Too late"],
    ["<p>{name || 'Somebody'}</p>", "Somebody"],
    ["<p>{`Coup ${n}`}</p>", "Coup"],
    ["<p>{'Coup ' + n}</p>", "Coup"],
    ['<button aria-label="Close">×</button>', "Close"],
    ['<input placeholder="Your name" />', "Your name"],
    ['<Sheet title="Settings" />', "Settings"],
    ['<img alt={dark ? "Night" : t("room.day")} src="a" />', "Night"],
    ["{#if open}<b>Открыто</b>{/if}", "Открыто"],
    ["<svg><text>Zero</text></svg>", "Zero"],
  ])("is found in %s", (text, found) => {
    expect(texts(text)).toEqual([found]);
  });

  test.each([
    '<p class="net win">{t("room.won")} · {amount} → 5 €</p>',
    '<button type="submit" style:width={`${n}px`} class:late={true}>×</button>',
    '<h1>novamas</h1><script lang="ts">const kind = "Not shown";</script>',
    "<p>{kind === 'late' ? '' : n}</p><style>p { content: \"Hello\"; }</style>",
  ])("is not found in %s", (text) => {
    expect(texts(text)).toEqual([]);
  });
});

test("a key too few, a key too many and other blanks are found", () => {
  const right = { "room.a": "{name} sits", "room.b": { one: "one chip", other: "{count} chips" } };
  expect(differingKeys(right, { "room.a": "x", "room.c": "y" })).toEqual(["room.b", "room.c"]);
  expect(differingBlanks(right, right)).toEqual([]);
  expect(differingBlanks(right, { ...right, "room.a": "{nombre} se sienta" })).toEqual(["room.a"]);
  expect(differingBlanks(right, { ...right, "room.b": "fichas" })).toEqual(["room.b"]);
  expect(differingBlanks(right, { ...right, "room.b": "Fichas: {count}" })).toEqual([]);
});
