/** What a screen reader says of a spot. The component that draws the cloth gives the words. */
import type { Book, Limits } from "../api/types";
import { odds } from "./spots";

export interface ClothLabels {
  /** The name of the cloth as a whole. */
  cloth: string;
  /** How it is played by keyboard; read with the cloth's name. */
  help: string;
  covers: string;
  pays: string;
  limits: string;
  yours: string;
  prison: string;
}

export const english: ClothLabels = {
  cloth: "Cloth",
  help: "Arrow keys move between the spots, Enter lays a chip, Delete takes back.",
  covers: "covers",
  pays: "pays",
  limits: "limits",
  yours: "your stake",
  prison: "in prison",
};

/** What is always true of a spot: its name, what it covers and pays, and by what it is limited. */
export function described(book: Book, spot: string, limits: Limits, labels: ClothLabels): string {
  const told = book.spots[spot];
  if (!told) return spot;
  const parts = [told.word || spot];
  const numbers = told.numbers;
  const whole = numbers.length > 6 && run(numbers);
  const listed = whole ? `${numbers[0]}–${numbers.at(-1)}` : numbers.join(", ");
  if (told.class !== "straight") parts.push(`${labels.covers} ${listed}`);
  parts.push(`${labels.pays} ${odds(book, spot)}`);
  const { min, max } = limits[spot] ?? limits[told.class] ?? {};
  if (min !== undefined || max !== undefined)
    parts.push(`${labels.limits} ${min ?? 0}–${max ?? "…"}`);
  return parts.join("; ");
}

const run = (numbers: readonly number[]): boolean =>
  numbers.every((number, at) => at === 0 || number === (numbers[at - 1] ?? 0) + 1);
