/** Follows a table: the last view that the house gave, and the events since. */
import type { TableEvent, TableView } from "../api/types.ts";
import { applied } from "./apply.ts";

export interface Followed {
  /** The player who looks, if it is one. */
  me?: string | null;
  /** The table has changed. */
  changed(view: TableView): void;
  /** Asks the house how the table stands. */
  fetch(): Promise<TableView>;
  /** Waits before it asks again. */
  wait(milliseconds: number): Promise<void>;
}

const AGAIN = 1000;

/**
 * The table as it stands. Events are applied as they come where that is plain; where the rules
 * decide, or one is missing, the house is asked, and what came in the meantime is applied after.
 */
export class Following {
  readonly #told: Followed;
  #view: TableView | null = null;
  #kept: TableEvent[] = [];
  #asking = false;
  #ended = false;

  constructor(told: Followed) {
    this.#told = told;
  }

  get view(): TableView | null {
    return this.#view;
  }

  /** Takes over a view that the house gave, unless we know better already. */
  adopt(view: TableView): void {
    if (this.#ended || (this.#view && view.seq < this.#view.seq)) return;
    this.#view = view;
    this.#goOn();
    this.#told.changed(this.#view);
  }

  /** Begins anew, with a table whose log is another. */
  restart(view: TableView): void {
    this.#view = null;
    this.#kept = [];
    this.adopt(view);
  }

  /** Takes an event in. */
  event(event: TableEvent): void {
    if (this.#ended) return;
    if (this.#view && event.seq <= this.#view.seq) return;
    this.#kept.push(event);
    const before = this.#view;
    this.#goOn();
    if (this.#view && this.#view !== before) this.#told.changed(this.#view);
  }

  end(): void {
    this.#ended = true;
  }

  #goOn(): void {
    while (this.#view && this.#kept.length > 0) {
      const event = this.#kept[0]!;
      if (event.seq > this.#view.seq) {
        const next = event.seq === this.#view.seq + 1 ? applied(this.#view, event, this.#told.me) : null;
        if (next === null) {
          void this.#ask();
          return;
        }
        this.#view = next;
      }
      this.#kept.shift();
    }
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    try {
      while (!this.#ended) {
        try {
          const view = await this.#told.fetch();
          this.#asking = false;
          this.adopt(view);
          return;
        } catch {
          await this.#told.wait(AGAIN);
        }
      }
    } finally {
      this.#asking = false;
    }
  }
}
