/** Whether somebody is shown a first round, at which table, and whether they have seen one. */
import type { Book, Summary } from "../api/types.ts";
import { words } from "../i18n/words.svelte.ts";
import { shelf } from "./shelf.ts";

const KEY = "novamas.first-round";

class Coaching {
  /** The table of the guided round; null while there is none. */
  table = $state<string | null>(null);
  done = $state(shelf.read<boolean>(KEY) === true);

  begin(table: string): void {
    this.table = table;
  }

  end(): void {
    this.table = null;
  }

  /** The whole round was played: the lobby offers it less loudly from now on. */
  finish(): void {
    this.done = true;
    shelf.write(KEY, true);
  }
}

export const coaching = new Coaching();

/**
 * The table for a first round: one that the house deals by itself and that is in play, if there is
 * one in the reader's language, and then the one with the fewest players. Before all their books
 * are there it is not known, so that a link to it does not change under somebody's finger.
 */
export function firstTable(
  tables: readonly Summary[],
  books: Readonly<Record<string, Book>>,
): string | null {
  const isForeign = (table: Summary): number =>
    books[table.rulebook]?.language === words.language ? 0 : 1;
  const fit = tables.filter(
    (table) =>
      table.ball === "drawn" &&
      table.out_of_play === null &&
      table.at === null &&
      table.phase !== null &&
      table.phase !== "ended",
  );
  if (fit.some((table) => books[table.rulebook] === undefined)) return null;
  fit.sort(
    (one, other) => isForeign(one) - isForeign(other) || (one.players ?? 0) - (other.players ?? 0),
  );
  return fit[0]?.table ?? null;
}
