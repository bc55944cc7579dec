/** Loads every language before a test, so that a test can set `words.language` at once. */
import { LANGUAGES, isLanguage } from "./languages.ts";
import { words } from "./words.svelte.ts";

await Promise.all(Object.keys(LANGUAGES).filter(isLanguage).map((each) => words.ready(each)));
words.language = "en";
