/**
 * The ball as it is shown. The house says the number when the ball leaves the track; it lies still a
 * moment later, on the screen and by the house's clock, and nothing that follows is shown before.
 */

import { FALLING } from "../api/constants.ts";
import type { Pocket, TableView } from "../api/types.ts";

/**
 * The table as it is, but with the play of the coup as it was: players who sit down or buy chips
 * while the ball falls see that at once, and nobody sees a payment before its number.
 */
export function veiled(live: TableView, before: TableView): TableView {
  const { phase, number, call, coup, launched, directions, last_numbers } = before;
  const { stakes, prison, announcements, replays, due } = before;
  const purse = before.you?.purse;
  return {
    ...live,
    ...{ phase, number, call, coup, launched, directions, last_numbers },
    ...{ stakes, prison, announcements, replays, due },
    you: live.you && purse !== undefined ? { ...live.you, purse } : live.you,
  };
}

export interface Spin {
  id: string;
  number: Pocket | null;
  clockwise: boolean;
  /** Milliseconds of this browser's clock, as `Date.now()` counts them. */
  launchedAt: number;
  landsBy: number;
}

/** How long the ball takes from the track into its pocket: the house waits for it. */
export const FALLS: number = FALLING;
/** A wheel that does not say that the ball has landed is not waited for. */
const PATIENCE = 900;
/** A ball that fell longer ago than this is only shown in its pocket. */
const STALE = 4000;

export class Fall {
  spin = $state.raw<Spin | null>(null);
  rest = $state<Pocket | null>(null);
  /** While the ball falls, the screen shows the table as it was before. */
  falling = $state(false);
  readonly #landed: () => void;
  readonly #still: () => boolean;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(landed: () => void, still: () => boolean) {
    this.#landed = landed;
    this.#still = still;
  }

  launched(id: string, clockwise: boolean, at: number): void {
    this.#stop();
    this.falling = false;
    this.spin = { id, number: null, clockwise, launchedAt: at, landsBy: at + 12_000 };
  }

  /** The ball lies still in a pocket; `at` is when. */
  pocketed(number: Pocket, at: number): void {
    if (this.falling && this.spin?.number === number) return;
    this.#stop();
    const now = Date.now();
    if (!this.spin || this.#still() || now - at > STALE) {
      this.#lies(number);
      return;
    }
    this.falling = true;
    this.spin = { ...this.spin, number, landsBy: now + FALLS };
    this.#timer = setTimeout(() => this.land(), FALLS + PATIENCE);
  }

  /** The wheel says that the ball has come to rest on the screen, or nobody waits for it. */
  land(): void {
    if (!this.falling || this.spin?.number == null) return;
    const number = this.spin.number;
    this.#stop();
    this.falling = false;
    this.rest = number;
    this.#landed();
  }

  /** The coup is over: the ball lies where it fell until the next launch. */
  over(): void {
    this.land();
    this.spin = null;
  }

  voided(): void {
    this.#stop();
    this.falling = false;
    this.spin = null;
    this.#landed();
  }

  /** The state of the wheel for a player who comes in. */
  found(number: Pocket | null, running: { id: string; clockwise: boolean } | null): void {
    this.#stop();
    this.falling = false;
    if (running && number === null) {
      if (this.spin?.id !== running.id) this.launched(running.id, running.clockwise, Date.now());
      return;
    }
    this.spin = null;
    if (number !== null) this.rest = number;
  }

  end(): void {
    this.#stop();
  }

  #lies(number: Pocket): void {
    this.falling = false;
    this.rest = number;
    if (this.spin) this.spin = { ...this.spin, number, landsBy: Date.now() };
    this.#landed();
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
