/** Amounts, as the chosen language writes them, and the chips of the rail. */
import type { Language } from "../api/types.ts";

const LOCALES: Record<Language, string> = {
  es: "es-ES",
  it: "it-IT",
  bg: "bg-BG",
  fr: "fr-FR",
  en: "en-GB",
};

const formats = new Map<string, Intl.NumberFormat>();

function format(language: Language, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  let found = formats.get(key);
  if (!found) {
    found = new Intl.NumberFormat(LOCALES[language], options);
    formats.set(key, found);
  }
  return found;
}

/** An amount in units, with the language's own separators; four digits are grouped too. */
export function amount(units: number, language: Language): string {
  return format(language, { useGrouping: true }).format(units);
}

/** An amount with its sign, as it is gained or lost. */
export function gain(units: number, language: Language): string {
  const text = amount(Math.abs(units), language);
  return units > 0 ? `+${text}` : units < 0 ? `−${text}` : text;
}

/** A fraction of the house's, such as `1825/37`, in units to a tenth. */
export function units(fraction: string): number {
  const [above, below = "1"] = fraction.split("/");
  return Math.round((Number(above) / Number(below)) * 10) / 10;
}

/** A share, as a percentage with one decimal. */
export function percent(share: number, language: Language): string {
  return format(language, { style: "percent", maximumFractionDigits: 1 }).format(share);
}

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/**
 * The chips of the rail: whole numbers of the player's chip, from one on. Where the placard has a
 * minimum above a chip, the first is worth that much.
 */
export function denominations(chip: number, least = chip, count = 6): number[] {
  const first = Math.max(chip, Math.ceil(least / chip) * chip);
  return STEPS.map((step) => step * first).slice(0, count);
}
