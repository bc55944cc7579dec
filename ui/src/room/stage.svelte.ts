/** What of the table is shown when: nothing of a coup before its ball has fallen on the screen. */
import type { TableView } from "../api/types.ts";
import { Fall, veiled } from "./fall.svelte.ts";
import { prefs } from "./prefs.svelte.ts";

/** How long the number and the stakes are shown before the losers go. */
const LOOK = 1400;

const isCalled = (view: TableView): boolean =>
  view.phase === "pocketed" || view.phase === "collecting";

export class Stage {
  /** The table as it is shown. */
  view = $state.raw<TableView | null>(null);
  /** The table as it is. */
  live: TableView | null = null;
  readonly fall = new Fall(
    () => this.#landed(),
    () => this.still,
  );
  /** The coup that the player has asked the house to deal quickly. */
  hurried = $state<number | null>(null);
  /** Whether the ball is shown in its pocket at once. */
  readonly still = $derived(prefs.still || (this.view !== null && this.hurried === this.view.coup));
  readonly #shown: () => void;
  /** The table with the number called and all stakes still there. */
  #called: TableView | null = null;
  #pause: ReturnType<typeof setTimeout> | null = null;

  /** `shown` is called whenever the table is shown as it is, or with its number called. */
  constructor(shown: () => void) {
    this.#shown = shown;
  }

  /** Whether what has happened is kept from the eyes for a moment. */
  get waits(): boolean {
    return this.fall.falling || this.#pause !== null;
  }

  changed(view: TableView): void {
    this.live = view;
    if (!this.waits) {
      this.#show(view);
      return;
    }
    if (isCalled(view)) this.#called ??= view;
    if (this.view) this.view = veiled(view, this.view);
  }

  /** Shows the table as it is, however far the ball on the screen has come. */
  catchUp(): void {
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#pause = null;
    this.#called = null;
    this.#show(this.live);
  }

  end(): void {
    this.fall.end();
    if (this.#pause !== null) clearTimeout(this.#pause);
  }

  /** The ball lies still on the screen. A croupier who is ahead of it is not followed at once. */
  #landed(): void {
    const called = this.#called;
    const live = this.live;
    this.#called = null;
    const isAhead = called && live && !isCalled(live);
    this.#show(isAhead ? veiled(live, called) : live);
    if (isAhead) this.#pause = setTimeout(() => this.catchUp(), LOOK);
  }

  #show(view: TableView | null): void {
    if (view) this.view = view;
    this.#shown();
  }
}
