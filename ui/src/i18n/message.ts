/**
 * Messages: a text with blanks such as `{name}`, or one text for each plural form.
 *
 * A plural message is chosen by its blank `count`, by the rules of its language.
 */
import type { Language } from "../api/types.ts";

export interface Plural {
  readonly one: string;
  readonly other: string;
}

export type Message = string | Plural;

/** The same keys in another language. A key too few or too many fails the type check. */
export type Translation<English> = { readonly [Key in keyof English]: Message };

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The names of the blanks of a message. */
export type Blanks<M> = M extends string
  ? NamesIn<M>
  : M extends Plural
    ? NamesIn<M["one"] | M["other"]> | "count"
    : never;

/** What fills the blanks of a message. */
export type Values<M> = {
  readonly [Name in Blanks<M>]: Name extends "count" ? number : string | number;
};

const BLANK = /\{(\w+)\}/g;

const rules = new Map<Language, Intl.PluralRules>();

function pluralForm(language: Language, count: number): keyof Plural {
  let rule = rules.get(language);
  if (!rule) rules.set(language, (rule = new Intl.PluralRules(language)));
  return rule.select(count) === "one" ? "one" : "other";
}

/** A message with its blanks filled. A blank without a value is left empty. */
export function format(
  language: Language,
  message: Message,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const text =
    typeof message === "string" ? message : message[pluralForm(language, Number(values["count"]))];
  return text.replace(BLANK, (_, name: string) => String(values[name] ?? ""));
}
