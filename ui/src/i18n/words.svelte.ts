/**
 * The chosen language and everything that is said in it.
 *
 * `t` says a message. `words` knows the language, and writes amounts, times and the texts of the
 * houses in it.
 */
import type { Language, Texts } from "../api/types.ts";
import * as money from "../table/money.ts";
import type { OpenGroup } from "./groups.ts";
import { isLanguage, load, type Catalogue, type English, type Key } from "./languages.ts";
import { format, type Blanks, type Values } from "./message.ts";

const STORED = "novamas.language";

/** The language that was chosen before, or the first that the browser and the room both speak. */
function first(): Language {
  try {
    const chosen = localStorage.getItem(STORED);
    if (isLanguage(chosen)) return chosen;
  } catch {
    // This browser stores nothing.
  }
  const spoken = typeof navigator === "undefined" ? [] : navigator.languages;
  return spoken.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

const loaded = new Map<Language, Catalogue>();

class Words {
  /** The chosen language; its messages are loaded before it changes. */
  language = $state<Language>(first());
  /** Whether people have wallets here, with money that is no play money. */
  wallets = $state(false);

  /** Loads the messages of a language, by default the chosen one. Await it before `t`. */
  async ready(language: Language = this.language): Promise<void> {
    if (!loaded.has(language)) loaded.set(language, await load(language));
  }

  async choose(language: Language): Promise<void> {
    try {
      await this.ready(language);
    } catch {
      // The messages cannot be loaded now, so the language stays as it is.
      return;
    }
    this.language = language;
    try {
      localStorage.setItem(STORED, language);
    } catch {
      // The choice lasts as long as the page.
    }
  }

  /** A message whose values are known at run time alone; blanks without a value stay empty. */
  fill(key: Key, values: Readonly<Record<string, string | number>>): string {
    const messages = loaded.get(this.language);
    if (!messages) throw new Error(`the messages of ${this.language} are not loaded`);
    return format(this.language, messages[key], values);
  }

  /** The words for a name of the house; null for a name without any. */
  find(group: OpenGroup, name: string): string | null {
    const key = `${group}.${name}`;
    const known = loaded.get(this.language);
    return known && Object.hasOwn(known, key) ? this.fill(key as Key, {}) : null;
  }

  /** The words for a name of the house, or the name itself. */
  nameOf(group: OpenGroup, name: string): string {
    return this.find(group, name) ?? name.replaceAll("_", " ");
  }

  /** One of a house's texts: in the chosen language, or in the house's own, or in English. */
  of(texts: Texts | undefined, house = "en"): string {
    if (!texts) return "";
    return texts[this.language] ?? texts[house] ?? texts["en"] ?? Object.values(texts)[0] ?? "";
  }

  /** An amount as the chosen language writes it. */
  amount = (units: number): string => money.amount(units, this.language);

  /** An amount with its sign, as it is gained or lost. */
  gain = (units: number): string => money.gain(units, this.language);

  /** A time of the log, to the second: a dispute may turn on it. */
  time = (at: number): string =>
    new Date(at).toLocaleTimeString(this.language, {
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    });

  /** A day and an hour. */
  when = (at: number): string =>
    new Date(at).toLocaleString(this.language, { dateStyle: "medium", timeStyle: "short" });

  /** Why the house refuses something to a player, where there are words for it. */
  reason(why: string): string | null {
    if (why === "lost") return t("room.line.lost");
    return this.find("refusals.player", why) ?? this.find("refusals.problem", why);
  }

  /** Why the house refuses something to a player; in its own words where there are none. */
  refusal(why: string, detail: string): string {
    return this.reason(why) ?? (detail || t("room.told.refused"));
  }

  /** Why the house refuses something to the staff, where there are words for it. */
  staffReason = (why: string): string | null =>
    this.find("refusals.staff", why) ?? this.reason(why);
}

export const words = new Words();

/** A message in the chosen language, with its blanks filled. */
export function t<K extends Key>(
  key: K,
  ...values: [Blanks<English[K]>] extends [never] ? [] : [Values<English[K]>]
): string {
  return words.fill(key, values[0] ?? {});
}
