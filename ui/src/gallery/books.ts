/**
 * The four houses' books as the house serves them, for tests and for the gallery.
 *
 * They are made by `books.of_rulebook(rulebooks.load(id))`, written as JSON.
 */
import type { Book } from "../api/types";
import ar from "./fixtures/ar.json";
import bg from "./fixtures/bg.json";
import es from "./fixtures/es.json";
import it from "./fixtures/it.json";

export const books = { ar, es, it, bg } as unknown as Record<"ar" | "es" | "it" | "bg", Book>;
