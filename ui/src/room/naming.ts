/** Names of bets as the house says them, and what they mean in the reader's language. */
import type { Book, Replayable } from "../api/types.ts";
import { t, words } from "../i18n/words.svelte.ts";

/** The word of the house for a call: its own name, the number of a sector, or a final. */
export function callWord(book: Book, call: string): string {
  const word = book.words[call]?.[0];
  if (word) return word;
  const sector = /^(\d+)~(\d+)$/.exec(call);
  if (sector) return `${sector[1]} ± ${sector[2]}`;
  const final = /^f(.+)$/.exec(call);
  if (final) {
    const own = book.words["final"]?.[0];
    return own ? `${own} ${final[1]}` : t("room.track.final", { number: final[1]! });
  }
  return call;
}

/** How many pieces a call has: what it costs is so many times the unit. */
export function piecesIn(book: Book, call: string): number {
  const pieces = book.announcements[call];
  if (pieces) return pieces.length;
  const sides = /^\d+~(\d+)$/.exec(call)?.[1];
  return sides === undefined ? 1 : 2 * Number(sides) + 1;
}

/** What a call cost: so many pieces, each of so much; its sum, where some of it was given back. */
export const priceText = (pieces: number, amount: number): string =>
  amount % pieces === 0 ? `${pieces} × ${words.amount(amount / pieces)}` : words.amount(amount);

/** What is said at the table to play a call again; only the Venetian book offers it. */
export const modeWord: Readonly<Record<Replayable["modes"][number], string>> = {
  rifare: "a rifare",
  completare: "a completare",
  per_il_tutto: "per il tutto",
};

/** The word of the house for a class of spots. */
export const classWord = (book: Book, kind: string): string => book.words[kind]?.[0] ?? kind;

/** The first of these names that has plain words which the house's own word does not say already. */
function firstPlain(book: Book, word: string, names: readonly string[]): string | null {
  if (book.language === words.language) return null;
  const plain = names.map((name) => words.find("room.plain", name)).find((each) => each !== null);
  if (plain === undefined || plain === null) return null;
  return `${word} `.toLowerCase().startsWith(`${plain} `.toLowerCase()) ? null : plain;
}

/** A spot in plain words; null where the casino's word is the reader's own. */
export function plainSpot(book: Book, spot: string): string | null {
  const told = book.spots[spot];
  return told ? firstPlain(book, told.word, [spot, told.class]) : null;
}

/** A class of spots in plain words; null where the casino's word is the reader's own. */
export const plainClass = (book: Book, kind: string): string | null =>
  firstPlain(book, classWord(book, kind), [kind]);

/** A call in plain words; null where the casino's word is the reader's own. */
export const plainCall = (book: Book, call: string): string | null =>
  firstPlain(book, callWord(book, call), [/^f\d/.test(call) ? "final" : call]);

/** The casino's word with its plain meaning in brackets, for a sentence. */
export const withPlain = (word: string, plain: string | null): string =>
  plain === null ? word : `${word} (${plain})`;

/** What a spot pays; of a stake that is halved between two boxes, a half pays as its box does. */
export function paysText(book: Book, spot: string): string {
  const told = book.spots[spot];
  if (!told) return "";
  if (told.halves)
    return [...new Set(spot.split("+").map((box) => `½ × ${paysText(book, box)}`))].join(" / ");
  return `${told.pays[0] ?? 0}:${told.pays[1] ?? 1}`;
}
