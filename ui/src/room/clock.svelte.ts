/** The house's clock as this browser knows it, and how long the step still lasts. */
import type { ClockFrame } from "../api/types.ts";

const TICK = 100;
/** A house that says nothing for so long after a step has ended is late: something is wrong. */
const LATE = 2000;

export class Clock {
  #ends = $state<number | null>(null);
  #whole = $state(1);
  #now = $state(Date.now());
  #offset = 0;
  /** How many players are at their screens, or have stakes on the cloth. */
  playing = $state(0);
  readonly #onlate: () => void;
  #timer: ReturnType<typeof setInterval> | null = null;

  /** `late` is called once when a step has ended and the house says nothing of the next. */
  constructor(late: () => void = () => {}) {
    this.#onlate = late;
  }

  /** Takes a frame in; its times are the house's, ours may differ. */
  hear(frame: ClockFrame): void {
    this.#offset = frame.now - Date.now();
    this.#now = Date.now();
    this.playing = frame.playing;
    const ends = frame.ends === null ? null : frame.ends - this.#offset;
    // A frame that only repeats what is known does not make the bar jump back.
    if (ends === null || this.#ends === null || Math.abs(ends - this.#ends) > 250)
      this.#whole = ends === null ? 1 : Math.max(1, ends - this.#now);
    this.#ends = ends;
  }

  /** A time of the house's log on this browser's clock. */
  here = (at: number): number => at - this.#offset;

  /** Milliseconds left of the step, or null if nobody deals by the clock. */
  readonly left = $derived(this.#ends === null ? null : Math.max(0, this.#ends - this.#now));
  readonly seconds = $derived(this.left === null ? null : Math.ceil(this.left / 1000));
  /** How much of the step is left, from 1 to 0. */
  readonly share = $derived(this.left === null ? null : Math.min(1, this.left / this.#whole));

  /** Whether the step has ended for a while, and the house says nothing of the next. */
  readonly late = $derived(this.#ends !== null && this.#now >= this.#ends + LATE);

  start(): () => void {
    this.#timer = setInterval(() => {
      if (this.#ends === null || this.late) return;
      this.#now = Date.now();
      if (this.late) this.#onlate();
    }, TICK);
    return () => {
      if (this.#timer !== null) clearInterval(this.#timer);
    };
  }
}
