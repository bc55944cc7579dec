/**
 * What is printed in the boxes of the cloth, where and how large, before any font is known.
 *
 * A box reads from above: a word, something large in the middle where the chips will lie, and
 * another word. Boxes of one form have letters of one size, that of the longest word among them.
 * Where the words of tall boxes would be too small they are turned, as on the cloths of the halls,
 * to be read from the side on which the box lies; where they would be too small even then, the
 * figures in the middle stand alone.
 */
import type { Book, Pocket } from "../api/types";
import { isRun } from "../table/pockets";
import { EMS, NARROW_LETTERS, SPACING, WIDE_LETTERS } from "./look.generated";
import { centre, type DrawnBox, type Geometry, type Rect, type XY } from "./geometry";

export interface Label {
  readonly above: string;
  readonly middle: string;
  readonly below: string;
  /** What the box says when there is no room for words. */
  readonly short: string;
}

export interface Text {
  readonly text: string;
  readonly at: XY;
  readonly size: number;
  readonly turn: number;
  readonly spaced: boolean;
}

/** The smallest letters that are printed, in pixels of the screen. */
const SMALLEST = 7.5;

const hasDigit = (text: string): boolean => /\p{Nd}/u.test(text);

/** From the first to the last; the book lists numbers as they are written. */
const range = (numbers: readonly Pocket[]): string => `${numbers[0]}–${numbers.at(-1)}`;

/** What a simple chance covers, for players who do not know its word; empty for a colour. */
function hint(numbers: readonly Pocket[]): string {
  if (isRun(numbers)) return range(numbers);
  const steps = new Set(numbers.slice(1).map((number, at) => Number(number) - Number(numbers[at])));
  return steps.size === 1 ? numbers.slice(0, 3).join("·") : "";
}

/** The words above and below the middle; a part of a name with digits is the middle itself. */
function shared(word: string, middle: string): Label {
  const parts = word.split(/\s+/).filter(Boolean);
  const figures = parts.filter(hasDigit);
  if (figures.length) {
    const plain = parts.filter((part) => !hasDigit(part));
    return { above: plain.join(" "), middle: figures.join(" "), below: "", short: middle };
  }
  return { above: parts[0] ?? "", middle, below: parts.slice(1).join(" "), short: middle };
}

/** What a house prints in the box of a chance. */
export function label(book: Pick<Book, "spots" | "language">, box: DrawnBox): Label {
  const told = book.spots[box.spot];
  const word = box.word.toLocaleUpperCase(book.language);
  const numbers = told?.numbers ?? [];
  if (box.kind === "simple") {
    const below = hasDigit(word) ? "" : hint(numbers);
    return { above: word, middle: "", below, short: "" };
  }
  if (box.kind === "column") {
    const [n = 2, d = 1] = told?.pays ?? [];
    return shared(word, `${n}:${d}`);
  }
  return shared(word, range(numbers));
}

const WIDE = new Set<string>(WIDE_LETTERS);
const NARROW = new Set<string>(NARROW_LETTERS);

function em(character: string): number {
  if (WIDE.has(character)) return EMS.wide;
  if (NARROW.has(character)) return EMS.narrow;
  if (character === " ") return EMS.blank;
  if (hasDigit(character)) return EMS.digit;
  if (character !== character.toUpperCase()) return EMS.lower;
  // The capitals of Cyrillic are broader than those of Latin.
  return character >= "Ѐ" ? EMS.cyrillic : EMS.capital;
}

/** How wide a text is in ems of a bold roman face; the estimate errs on the wide side. */
export const breadth = (text: string): number =>
  [...text].reduce((sum, each) => sum + em(each) + SPACING, 0);

/** The font size at which the longest of the texts fills the room. */
function fitting(texts: readonly string[], room: number): number {
  const widest = Math.max(0, ...texts.map(breadth));
  return widest ? room / widest : room;
}

/** The name of an announcement in its space: a word a line, or two lines where it is low. */
function named(word: string, seen: Rect): Label {
  const parts = word.split(/\s+/).filter(Boolean);
  const low = seen.right - seen.left > 1.5 * (seen.bottom - seen.top);
  const [above = "", ...rest] = parts;
  const below = low ? rest.join(" ") : (rest.at(-1) ?? "");
  return { above, middle: low ? "" : rest.slice(0, -1).join(" "), below, short: "" };
}

interface Lettered {
  readonly seen: Rect;
  readonly label: Label;
  readonly simple: boolean;
  /** Whether it is the space of an announcement. */
  readonly space: boolean;
  readonly side: DrawnBox["side"];
}

/** All words of the cloth; `px` says how many pixels of the screen a unit is. */
export function words(
  book: Pick<Book, "spots" | "language" | "words">,
  drawn: Geometry,
  px: number,
): readonly Text[] {
  const lettered: Lettered[] = drawn.boxes
    .filter((box) => box.side !== "numbers")
    .map((box) => ({
      seen: box.rect,
      label: label(book, box),
      simple: box.kind === "simple",
      space: false,
      side: box.side,
    }));
  for (const [call, seen] of drawn.spaces) {
    const word = (book.words[call]?.[0] ?? call).toLocaleUpperCase(book.language);
    lettered.push({ seen, label: named(word, seen), simple: false, space: true, side: "numbers" });
  }
  const forms = new Map<string, Lettered[]>();
  for (const each of lettered) {
    const { left, top, right, bottom } = each.seen;
    const size = `${(right - left).toFixed(2)} ${(bottom - top).toFixed(2)}`;
    const form = `${size} ${each.simple} ${each.space}`;
    forms.set(form, [...(forms.get(form) ?? []), each]);
  }
  return [...forms.values()].flatMap((alike) => [...print(alike, px)]);
}

interface Sizes {
  readonly word: number;
  readonly middle: number;
  readonly step: number;
  /** Whether the words stand left and right of the middle, not above and below. */
  readonly along: boolean;
}

function sizes(alike: readonly Lettered[], wide: number, high: number): Sizes {
  const simple = alike[0]?.simple ?? false;
  const all = alike.flatMap(({ label }) => [label.above, label.below]);
  const middles = alike.map(({ label }) => label.middle);
  if (alike[0]?.space) {
    const lines = middles.some(Boolean) ? 3 : 2;
    const word = Math.min((high * 0.8) / lines / 1.2, 0.6, fitting([...all, ...middles], wide * 0.86));
    return { word, middle: word, step: word * 1.2, along: false };
  }
  if (wide > 2.2 * high) {
    // In a long low box the words are beside the middle, which stays free for the chips.
    return {
      word: Math.min(0.56, fitting(all, wide * 0.33)),
      middle: Math.min(0.7, fitting(middles, wide * 0.24)),
      step: wide * 0.31,
      along: true,
    };
  }
  const margin = Math.max(0.36, high * 0.14);
  const word = Math.min(high * 0.18, 1, fitting(all, wide * 0.88));
  const middle = Math.min(high * 0.3, 0.6, fitting(middles, wide * 0.8));
  // In a tall box the words keep near the middle.
  const step = simple ? Infinity : 0.85 * (word + middle) + 0.1;
  return { word, middle, step: Math.min(high / 2 - margin, step), along: false };
}

function* print(alike: readonly Lettered[], px: number): Generator<Text> {
  const [first] = alike;
  if (!first) return;
  const wide = first.seen.right - first.seen.left;
  const high = first.seen.bottom - first.seen.top;
  const straight = sizes(alike, wide, high);
  const aside = sizes(alike, high, wide);
  const roomy = first.side !== "foot" && high > wide;
  const wordy = roomy && straight.word * px < 12 && aside.word > straight.word * 1.15;
  const chosen = wordy ? aside : straight;
  const wordless = chosen.word * px < SMALLEST && alike.every(({ label }) => label.short);
  const lone = alone(alike, wide, high);
  const loneAside = alone(alike, high, wide);
  const turned = wordless ? loneAside > lone * 1.25 : wordy;
  for (const { seen, label, simple, space, side } of alike) {
    // The feet of the letters point to the side from which the box is played.
    const turn = turned ? (side === "left" || (side === "foot" && seen.left < 0) ? 90 : -90) : 0;
    const at = centre(seen);
    const place = (away: number): XY => {
      const ahead = chosen.along ? { x: away, y: 0 } : { x: 0, y: away };
      if (!turn) return { x: at.x + ahead.x, y: at.y + ahead.y };
      const sign = turn > 0 ? 1 : -1;
      return { x: at.x - sign * ahead.y, y: at.y + sign * ahead.x };
    };
    if (wordless) {
      yield { text: label.short, at, size: turned ? loneAside : lone, turn, spaced: false };
      continue;
    }
    const small = simple ? 0.72 : 1;
    const step = space && !label.middle ? chosen.step / 2 : chosen.step;
    if (label.above)
      yield { text: label.above, at: place(-step), size: chosen.word, turn, spaced: true };
    if (label.below)
      yield {
        text: label.below,
        at: place(step),
        size: chosen.word * small,
        turn,
        spaced: true,
      };
    if (label.middle)
      yield { text: label.middle, at, size: chosen.middle, turn, spaced: space };
  }
}

/** The size of the figures that stand alone in boxes without words. */
function alone(alike: readonly Lettered[], wide: number, high: number): number {
  const shorts = alike.map(({ label }) => label.short);
  return Math.min(high * 0.42, fitting(shorts, wide * 0.84), 0.75);
}

/** Half the width and half the height of the diamond in a box. */
export function diamond({ left, top, right, bottom }: Rect): XY {
  const wide = right - left;
  const high = bottom - top;
  const tall = high > wide * 1.3;
  const short = Math.min(wide, high) * (tall ? 0.25 : 0.22);
  return tall ? { x: short, y: short * 1.4 } : { x: short * 1.6, y: short };
}
