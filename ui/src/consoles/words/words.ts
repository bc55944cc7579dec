/** The words of the consoles: a word that a language lacks fails the type check. */

import type { Language } from "../../api/types";
import { bg } from "./bg";
import { en } from "./en";
import { es } from "./es";
import { fr } from "./fr";
import { it } from "./it";

type Words<T> = T extends string ? string : { readonly [K in keyof T]: Words<T[K]> };

export type ConsoleWords = Words<typeof en>;

export const CONSOLE_WORDS: Record<Language, ConsoleWords> = { es, it, bg, fr, en };

/** A text with its blanks filled; a blank that nothing fills stays empty. */
export function fill(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** The translation of a name of the house, or the name itself if there is none. */
export function named(words: Readonly<Record<string, string>>, name: string): string {
  return words[name] ?? name.replaceAll("_", " ");
}
