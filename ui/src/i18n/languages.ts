/**
 * The languages of the screens, and where their messages are.
 *
 * English says which keys there are and which blanks each has; the other languages have the same.
 * A browser loads the messages of one language, and another when it is chosen. The words of the
 * houses (the cloth, the calls, the articles) are not here: they come from the rulebooks.
 */
import type { Language } from "../api/types.ts";
import type english from "./en/index.ts";
import type { Message } from "./message.ts";

export type English = typeof english;
export type Key = keyof English;
export type Catalogue = Readonly<Record<Key, Message>>;

/** The languages in their own names. */
export const LANGUAGES: Readonly<Record<Language, string>> = {
  es: "Español",
  it: "Italiano",
  bg: "Български",
  fr: "Français",
  en: "English",
};

const LOADERS: Readonly<Record<Language, () => Promise<{ default: Catalogue }>>> = {
  es: () => import("./es/index.ts"),
  it: () => import("./it/index.ts"),
  bg: () => import("./bg/index.ts"),
  fr: () => import("./fr/index.ts"),
  en: () => import("./en/index.ts"),
};

export async function load(language: Language): Promise<Catalogue> {
  return (await LOADERS[language]()).default;
}

export const isLanguage = (text: unknown): text is Language =>
  typeof text === "string" && Object.hasOwn(LANGUAGES, text);
