/** Opens the desk of a table: its book is asked for until the house answers. */
import { House, Problem } from "../api/http";
import type { Book } from "../api/types";
import { Desk } from "./desk.svelte";
import type { Hand } from "./kinds";

const TRY_AGAIN = 2000;

/** Which table a console shows. */
export interface Shown {
  readonly table: string;
  readonly rulebook: string;
}

/** The table's book; null if the table was left meanwhile. */
async function bookOf(house: House, rulebook: string, left: () => boolean): Promise<Book | null> {
  while (!left()) {
    try {
      return await house.rulebook(rulebook);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      await new Promise((then) => setTimeout(then, TRY_AGAIN));
    }
  }
  return null;
}

/** Opens a desk; what is returned leaves the table, whether the desk has come or not. */
export function openDesk(
  { table, rulebook }: Shown,
  hand: Hand,
  token: string | null,
  opened: (desk: Desk) => void,
): () => void {
  let left = false;
  let end: (() => void) | null = null;
  void bookOf(new House(token), rulebook, () => left).then((book) => {
    if (left || !book) return;
    const desk = new Desk(table, hand, book, token);
    opened(desk);
    end = desk.start();
  });
  return () => {
    left = true;
    end?.();
  };
}
