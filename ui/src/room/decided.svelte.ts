/** The decisions of a table as a player follows them, and the dispute that they are writing. */
import type {
  Decided as Page,
  Decision,
  FloatEntry,
  OpenDispute,
  TableEvent,
} from "../api/types.ts";
import { disputeOf, isDecisive, joined, news, type DisputeStanding } from "../decisions/decisions.ts";

/** How many coups back the house hears a dispute. */
export const DISPUTABLE = 30;

export class Decided {
  all = $state.raw<Decision[]>([]);
  open = $state.raw<OpenDispute[]>([]);
  /** The book of advances, the newest entry first. */
  advances = $state.raw<FloatEntry[]>([]);
  more = $state(false);
  /** How many are new since one last looked. */
  unseen = $state(0);
  /** The coup that the player is about to dispute; it stays while the table goes on. */
  draft = $state<{ coup: number; says: string } | null>(null);

  readonly #ask: (before?: number) => Promise<Page>;
  readonly #tell: (decision: Decision) => void;
  #asking = false;
  #again = false;
  /** The last that is known; null until the list was read once. */
  #since: number | null = null;

  constructor(ask: (before?: number) => Promise<Page>, tell: (decision: Decision) => void) {
    this.#ask = ask;
    this.#tell = tell;
  }

  /** How a player's dispute of a coup stands. */
  of(player: string, coup: number): DisputeStanding | null {
    return disputeOf(this.open, this.all, player, coup);
  }

  /** Hears an event, and asks again where it was a decision. */
  event(event: TableEvent): void {
    if (isDecisive(event)) void this.read();
  }

  /** Starts again for a table with another log. */
  forget(): void {
    this.all = [];
    this.open = [];
    this.advances = [];
    this.unseen = 0;
    this.draft = null;
    this.#since = null;
  }

  async read(): Promise<void> {
    this.#again = this.#asking;
    if (this.#asking) return;
    this.#asking = true;
    try {
      const page = await this.#ask();
      this.all = joined(page, this.all);
      this.open = page.open;
      this.advances = page.advances;
      this.more = page.decisions.length < this.all.length ? this.more : page.more;
      const newest = this.all[0]?.seq ?? 0;
      const fresh = this.#since === null ? [] : news(this.all, this.#since);
      this.#since = Math.max(newest, this.#since ?? 0);
      this.unseen += fresh.length;
      fresh.forEach(this.#tell);
    } catch {
      // The house is unreachable: a reconnection asks again.
    } finally {
      this.#asking = false;
    }
    if (this.#again) await this.read();
  }

  async older(): Promise<void> {
    const last = this.all.at(-1)?.seq;
    if (last === undefined) return;
    try {
      const page = await this.#ask(last);
      this.all = [...this.all, ...page.decisions.filter(({ seq }) => seq < last)];
      this.more = page.more;
    } catch {
      // What was read stays, and may be asked for again.
    }
  }
}
