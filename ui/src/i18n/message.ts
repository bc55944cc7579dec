/**
 * Messages: a text with blanks such as `{name}`, or one text for each plural form.
 *
 * A plural message is chosen by its blank `count`, by the rules of its language, and says the count
 * as the language writes numbers.
 */
import type { Language } from "../api/types.ts";
import { amount } from "../table/money.ts";

/** The forms that a language may have. A form that is not given is said as `other`. */
export interface Plural {
  readonly one: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

export type Message = string | Plural;

/** The same keys in another language. A key too few or too many fails the type check. */
export type Translation<English> = { readonly [Key in keyof English]: Message };

/** The texts of a message: itself, or each of its forms. */
export const forms = (message: Message): string[] =>
  typeof message === "string" ? [message] : Object.values<string>({ ...message });

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

function pluralForm(language: Language, message: Plural, count: number): string {
  let rule = rules.get(language);
  if (!rule) rules.set(language, (rule = new Intl.PluralRules(language)));
  return message[rule.select(count) as keyof Plural] ?? message.other;
}

/** A message with its blanks filled. A blank without a value is left empty. */
export function format(
  language: Language,
  message: Message,
  values: Readonly<Record<string, string | number>> = {},
): string {
  if (typeof message === "string")
    return message.replace(BLANK, (_, name: string) => String(values[name] ?? ""));
  const count = Number(values["count"]);
  const said = { ...values, count: amount(count, language) };
  return format(language, pluralForm(language, message, count), said);
}
