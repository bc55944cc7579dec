import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Book, Why } from "../api/types.ts";
import { decidedBy, entriesOf, search } from "./book-search.ts";

const book = JSON.parse(readFileSync("src/gallery/fixtures/it.json", "utf8")) as Book;
const ids = (entries: readonly { id: string }[]): string[] => entries.map(({ id }) => id);

test("a book is read in the reader's language, or in English, and says which", () => {
  const [first] = entriesOf(book, "it");
  expect(first?.language).toBe("it");
  expect(first?.text).toBe(book.articles[first!.id]!["it"]);
  expect(entriesOf(book, "bg")[0]?.language).toBe("en");
});

test("readings are told from articles", () => {
  const entries = entriesOf(book, "en");
  expect(entries.find(({ id }) => id === "AMB-IT-01")?.isReading).toBe(true);
  expect(entries.find(({ id }) => id === "IT-gioco-14")?.isReading).toBe(false);
});

test("an article is found by its id and by words, whatever their accents", () => {
  const entries = entriesOf(book, "it");
  expect(ids(search(entries, "gioco-15a"))).toEqual(["IT-gioco-15a"]);
  const [one] = entries.filter(({ text }) => text.includes("è"));
  const word = one!.text.split(/\s+/u).find((each) => each.includes("è"))!;
  expect(ids(search(entries, word.replaceAll("è", "E")))).toContain(one!.id);
  expect(search(entries, "nowhere to be found")).toEqual([]);
  expect(search(entries, "  ")).toHaveLength(entries.length);
});

test("an article tells the stakes that it decided", () => {
  const line = { on: "17", won: 175, lost: 0, articles: [{ id: "A", summary: "" }] };
  const lost = { on: "red", won: 0, lost: 50, articles: [{ id: "B", summary: "" }] };
  const why = { number: 17, lines: [line, lost], reduced: [{ articles: ["A", "C"] }] };
  const found = decidedBy(why as unknown as Why);
  expect(found.get("A")).toEqual([{ on: "17", net: 175 }]);
  expect(found.get("B")).toEqual([{ on: "red", net: -50 }]);
  expect(found.get("C")).toEqual([]);
  expect(decidedBy(null).size).toBe(0);
});
