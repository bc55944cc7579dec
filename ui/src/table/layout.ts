/** Layouts: what somebody lays in a coup, to be laid again, doubled or kept under a name. */
import type { LyingStake, TableView } from "../api/types.ts";

/** A bet of a layout: an amount on a spot, or on an announcement. */
export type Bet = { on: string; amount: number } | { call: string; amount: number };

export type Layout = Bet[];

const nameOf = (bet: Bet): string => ("on" in bet ? bet.on : bet.call);

/** The layout in the notation: `17:500 14/17:1000 voisins:900`. */
export const notation = (layout: Layout): string =>
  layout.map((bet) => `${nameOf(bet)}:${bet.amount}`).join(" ");

/** What a layout costs. */
export const total = (layout: Layout): number => layout.reduce((sum, bet) => sum + bet.amount, 0);

/** The stakes of a player that lie on the cloth. */
export const stakesOf = (view: TableView, player: string): LyingStake[] =>
  view.stakes.filter((stake) => stake.player === player);

/** What a player has on the cloth, one bet for each spot and each announcement that is whole. */
export function layoutOf(view: TableView, player: string): Layout {
  const own = stakesOf(view, player);
  const calls = wholeCalls(view, own);
  const whole = new Set(calls.map((each) => each.id));
  const bets = new Map<string, Bet>();
  for (const stake of own) {
    if (stake.announcement !== null && whole.has(stake.announcement)) continue;
    const bet = bets.get(stake.on);
    if (bet) bet.amount += stake.amount;
    else bets.set(stake.on, { on: stake.on, amount: stake.amount });
  }
  for (const { call, amount } of calls) {
    const bet = bets.get(`!${call}`);
    if (bet) bet.amount += amount;
    else bets.set(`!${call}`, { call, amount });
  }
  return [...bets.values()];
}

/** The pieces of the announcements of this call that lie whole, one for each spot. */
export function piecesOf(view: TableView, player: string, call: string): { on: string; amount: number }[] {
  const own = stakesOf(view, player);
  const ids = wholeCalls(view, own).filter((each) => each.call === call).map((each) => each.id);
  const pieces = new Map<string, number>();
  for (const { announcement, on, amount } of own)
    if (announcement !== null && ids.includes(announcement))
      pieces.set(on, (pieces.get(on) ?? 0) + amount);
  return [...pieces].map(([on, amount]) => ({ on, amount }));
}

/** The announcements that lie there whole; of one that won only the winners may be left. */
function wholeCalls(view: TableView, own: LyingStake[]): { id: string; call: string; amount: number }[] {
  return view.announcements.filter((announced) => {
    const pieces = own.filter((stake) => stake.announcement === announced.id);
    const lying = pieces.reduce((sum, stake) => sum + stake.amount, 0);
    return pieces.length > 0 && lying === announced.amount;
  });
}

/** What is missing on the cloth for a layout to lie there. */
export function missing(wanted: Layout, lying: Layout): Layout {
  const there = new Map(lying.map((bet) => [key(bet), bet.amount]));
  const rest: Layout = [];
  for (const bet of wanted) {
    const amount = bet.amount - (there.get(key(bet)) ?? 0);
    if (amount > 0) rest.push({ ...bet, amount });
  }
  return rest;
}

/** Whether all that lies there belongs to a layout. */
export const lies = (lying: Layout, wanted: Layout): boolean => missing(lying, wanted).length === 0;

const key = (bet: Bet): string => ("on" in bet ? bet.on : `!${bet.call}`);

/** A layout that a player keeps under a name. */
export interface Saved {
  name: string;
  layout: Layout;
}

/** Where layouts are kept; the browser's own storage, or another in tests. */
export interface Shelf {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const MOST_SAVED = 24;

const isBet = (bet: unknown): bet is Bet => {
  if (typeof bet !== "object" || bet === null) return false;
  const { on, call, amount } = bet as Record<string, unknown>;
  const named = typeof on === "string" || typeof call === "string";
  return named && typeof amount === "number" && Number.isSafeInteger(amount) && amount > 0;
};

const isSaved = (each: unknown): each is Saved => {
  if (typeof each !== "object" || each === null) return false;
  const { name, layout } = each as Record<string, unknown>;
  return typeof name === "string" && Array.isArray(layout) && layout.every(isBet);
};

/** The layouts that are kept for a rulebook: those of one house do not fit another's cloth. */
export class Layouts {
  readonly #shelf: Shelf;
  readonly #key: string;

  constructor(shelf: Shelf, book: string) {
    this.#shelf = shelf;
    this.#key = `novamas.layouts.${book}`;
  }

  all(): Saved[] {
    try {
      const found: unknown = JSON.parse(this.#shelf.getItem(this.#key) ?? "[]");
      return Array.isArray(found) ? found.filter(isSaved) : [];
    } catch {
      return [];
    }
  }

  /** Keeps a layout; one of the same name makes room. */
  save(name: string, layout: Layout): Saved[] {
    const others = this.all().filter((each) => each.name !== name);
    return this.#write([{ name, layout }, ...others].slice(0, MOST_SAVED));
  }

  remove(name: string): Saved[] {
    return this.#write(this.all().filter((each) => each.name !== name));
  }

  #write(all: Saved[]): Saved[] {
    try {
      this.#shelf.setItem(this.#key, JSON.stringify(all));
    } catch {
      // A full or forbidden storage: the layouts last as long as the page.
    }
    return all;
  }
}
