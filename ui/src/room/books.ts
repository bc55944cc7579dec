/** The rulebooks, each fetched once. */
import { House } from "../api/http.ts";
import type { Book } from "../api/types.ts";

const books = new Map<string, Promise<Book>>();

export function bookOf(id: string): Promise<Book> {
  let found = books.get(id);
  if (!found) {
    found = new House().rulebook(id);
    books.set(id, found);
    // After a failure, the next caller fetches it again.
    found.catch(() => books.delete(id));
  }
  return found;
}
