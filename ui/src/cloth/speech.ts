/** What a screen reader says of a spot. */
import type { Book, Limits } from "../api/types";
import { t } from "../i18n/words.svelte";
import { plainSpot } from "../room/naming";
import { isRun } from "../table/pockets";
import { odds } from "./spots";

/** What is always true of a spot: its name, what it covers and pays, and by what it is limited. */
export function described(book: Book, spot: string, limits: Limits): string {
  const told = book.spots[spot];
  if (!told) return spot;
  const parts = [told.word || spot];
  const plain = plainSpot(book, spot);
  if (plain !== null) parts.push(plain);
  const numbers = told.numbers;
  const whole = numbers.length > 6 && isRun(numbers);
  const listed = whole ? `${numbers[0]}–${numbers.at(-1)}` : numbers.join(", ");
  if (told.class !== "straight") parts.push(`${t("room.spot.covers")} ${listed}`);
  parts.push(`${t("room.spot.pays")} ${odds(book, spot)}`);
  const { min, max } = limits[spot] ?? limits[told.class] ?? {};
  if (min !== undefined || max !== undefined)
    parts.push(`${t("room.spot.limits")} ${min ?? 0}–${max ?? "…"}`);
  return parts.join("; ");
}
