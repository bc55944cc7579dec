/** Names of announcements as the house says them. */
import type { Book } from "../api/types.ts";
import { t } from "../i18n/words.svelte.ts";

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

/** The word of the house for a class of spots. */
export const classWord = (book: Book, kind: string): string => book.words[kind]?.[0] ?? kind;

/** What a spot pays; a stake that is halved between two boxes pays what each of them does. */
export function paysText(book: Book, spot: string): string {
  const told = book.spots[spot];
  if (!told) return "";
  return told.halves ? "½ + ½" : `${told.pays[0] ?? 0}:${told.pays[1] ?? 1}`;
}
