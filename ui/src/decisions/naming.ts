/** The words of a house for its decisions. */
import type { Book, Language } from "../api/types.ts";
import type { Naming } from "./decisions.ts";

export function namingOf(book: Book, language: Language): Naming {
  return {
    spot: (name) => book.spots[name]?.word ?? name,
    limit: (kind) => book.words[kind]?.[0] ?? kind,
    language,
  };
}
