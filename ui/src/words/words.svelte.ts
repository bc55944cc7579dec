/** The chosen language, and with it every word of the room. */
import type { Language, Texts } from "../api/types.ts";
import { amount } from "../table/money.ts";
import { bg } from "./bg.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import type { Messages, PlayerWhy } from "./messages.ts";
import { PROBLEMS } from "./problems/problems.ts";
import { withWallets } from "./wallets.ts";

const ALL: Record<Language, Messages> = { es, it, bg, fr, en };

/** The languages in their own names. */
export const LANGUAGES: Record<Language, string> = {
  es: "Español",
  it: "Italiano",
  bg: "Български",
  fr: "Français",
  en: "English",
};

const KEY = "novamas.language";

export const isLanguage = (text: unknown): text is Language =>
  typeof text === "string" && Object.hasOwn(ALL, text);

/** The language that was chosen before, or the first that the browser and the room both speak. */
function first(): Language {
  try {
    const chosen = localStorage.getItem(KEY);
    if (isLanguage(chosen)) return chosen;
  } catch {
    // A browser that keeps nothing.
  }
  const spoken = typeof navigator === "undefined" ? [] : navigator.languages;
  return spoken.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

class Words {
  language = $state<Language>(first());
  /** Whether people have wallets here, with money that is no play money. */
  wallets = $state(false);
  readonly say = $derived(
    this.wallets ? withWallets(ALL[this.language], this.language) : ALL[this.language],
  );

  choose(language: Language): void {
    this.language = language;
    try {
      localStorage.setItem(KEY, language);
    } catch {
      // It lasts as long as the page.
    }
  }

  /** One of a house's texts: in the chosen language, or in the house's own, or in English. */
  of(texts: Texts | undefined, house: string): string {
    if (!texts) return "";
    return texts[this.language] ?? texts[house] ?? texts["en"] ?? Object.values(texts)[0] ?? "";
  }

  /** An amount as the chosen language writes it. */
  amount(units: number): string {
    return amount(units, this.language);
  }

  /** Why the house refuses something, where the room has words for it. */
  reason(why: string): string | null {
    const known: Partial<Record<string, string>> = this.say.refusals satisfies Record<
      PlayerWhy,
      string
    >;
    const problems: Partial<Record<string, string>> = PROBLEMS[this.language];
    return why === "lost" ? this.say.line.lost : (known[why] ?? problems[why] ?? null);
  }

  /** Why the house refuses something; in its own words where the room has none. */
  refusal(why: string, detail: string): string {
    return this.reason(why) ?? (detail || this.say.told.refused);
  }
}

export const words = new Words();
