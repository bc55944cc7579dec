/** Searching the articles of a book: by id, or by words of their text, whatever their accents. */
import type { Book, Texts, Why } from "../api/types.ts";

/** An article as the reader sees it. */
export interface Entry {
  id: string;
  text: string;
  /** The language of the text: the reader's, or else the one that it is written in. */
  language: string;
  /** Whether it is our reading, where the house's text is unclear or silent. */
  isReading: boolean;
}

/** What an article decided in a coup: a stake, and what came of it. */
export interface Decided {
  on: string;
  net: number;
}

const plain = (text: string): string =>
  text.normalize("NFD").replace(/\p{Mn}/gu, "").toLowerCase();

/** The language in which a text is shown to somebody who reads `wanted`. */
function languageOf(texts: Texts, wanted: string): string {
  if (texts[wanted] !== undefined) return wanted;
  return texts["en"] !== undefined ? "en" : (Object.keys(texts)[0] ?? wanted);
}

/** The articles of a book, in the order of the book. */
export function entriesOf(book: Book, wanted: string): Entry[] {
  const readings = new Set(book.readings);
  return Object.entries(book.articles).map(([id, texts]) => {
    const language = languageOf(texts, wanted);
    return { id, text: texts[language] ?? "", language, isReading: readings.has(id) };
  });
}

/** The articles that have every word of a search in their id or their text. */
export function search(entries: readonly Entry[], sought: string): Entry[] {
  const parts = plain(sought).split(/\s+/u).filter(Boolean);
  return entries.filter(({ id, text }) => {
    const all = plain(`${id} ${text}`);
    return parts.every((part) => all.includes(part));
  });
}

/** What each article decided in a coup: article → the stakes whose payment cites it. */
export function decidedBy(why: Why | null): Map<string, Decided[]> {
  const found = new Map<string, Decided[]>();
  for (const line of why?.lines ?? [])
    for (const { id } of line.articles)
      found.set(id, [...(found.get(id) ?? []), { on: line.on, net: line.won - line.lost }]);
  for (const paid of why?.reduced ?? [])
    for (const id of paid.articles) if (!found.has(id)) found.set(id, []);
  return found;
}
