/**
 * Automatic play: a saved layout is laid round after round, so many times and no longer than a loss
 * or a win allows. The house is asked for nothing that a hand could not ask for, and says of each
 * round what it brought.
 */
import type { Coup, TableView } from "../api/types.ts";
import { layoutOf, lies, total, type Layout } from "../table/layout.ts";
import { isOpen } from "./phase.ts";

export const MOST_ROUNDS = 100;

export interface Plan {
  readonly name: string;
  readonly layout: Layout;
  readonly rounds: number;
  /** No round is begun that could take the loss beyond this. */
  readonly loss: number;
  /** The win at which it ends, if there is one. */
  readonly win: number | null;
}

export type Ending = "rounds" | "loss" | "win" | "stopped" | "refused" | "interrupted";

/** The table as automatic play sees it. */
export interface Seat {
  readonly view: TableView | null;
  readonly me: string;
  readonly coups: readonly Coup[];
  /** Whether no stakes are taken, or the house is not heard. */
  readonly locked: boolean;
  readonly isLost: boolean;
  /** Whether the ball may be asked for: nobody else plays, and nothing is to be chosen. */
  readonly maySpin: boolean;
  /** Lays a layout, after all else of one's own was taken back if `clears`; or lays nothing. */
  layWhole(layout: Layout, clears: boolean): Promise<boolean>;
  spin(): void;
  ended(ending: Ending, played: number, net: number): void;
}

const sum = (coups: readonly Coup[], me: string): number =>
  coups.reduce((net, { players: { [me]: own } }) => net + (own ? own.won - own.lost : 0), 0);

export class Autoplay {
  plan = $state.raw<Plan | null>(null);
  /** How many rounds were laid. */
  played = $state(0);
  /** What the rounds that are over brought. */
  net = $state(0);

  readonly #seat: Seat;
  #first = 0;
  /** The round for which it has laid, and the one for which it has asked for the ball. */
  #laid = 0;
  #asked = 0;
  #lays = false;

  constructor(seat: Seat) {
    this.#seat = seat;
  }

  begin(plan: Plan): void {
    this.plan = { ...plan, rounds: Math.min(plan.rounds, MOST_ROUNDS) };
    this.played = this.net = 0;
    this.#first = this.#laid = this.#asked = 0;
  }

  /** Ends at once; what lies on the cloth plays, and counts no more. */
  stop(ending: Ending = "stopped"): void {
    if (!this.plan) return;
    this.plan = null;
    const over = this.#over;
    this.net = sum(over, this.#seat.me);
    this.#seat.ended(ending, over.length, this.net);
  }

  /** The rounds that are over. */
  get #over(): readonly Coup[] {
    const first = this.#first || Infinity;
    return this.#seat.coups.filter((each) => each.coup >= first);
  }

  /** Does what is next, if anything is; called whenever the table has changed. */
  follow(): void {
    const { view, isLost } = this.#seat;
    if (!this.plan || this.#lays) return;
    if (isLost || !view?.you || view.stopped || view.phase === "ended") this.stop("interrupted");
    else if (isOpen(view) && !this.#seat.locked) this.#next(view, this.plan);
  }

  #next(view: TableView, plan: Plan): void {
    const { coups, me } = this.#seat;
    if (this.#laid === view.coup) {
      this.#askForBall(view);
      return;
    }
    // What the last round brought comes from the house; until then there is nothing to go by.
    if (this.#first > 0 && coups.at(-1)?.coup !== view.coup - 1) return;
    this.#first ||= view.coup;
    this.net = sum(this.#over, me);
    const imprisoned = view.prison
      .filter((each) => each.player === me)
      .reduce((sum, each) => sum + each.amount, 0);
    if (this.played >= plan.rounds) this.stop("rounds");
    else if (plan.win !== null && this.net >= plan.win) this.stop("win");
    else if (total(plan.layout) + imprisoned - this.net > plan.loss) this.stop("loss");
    else void this.#lay(view, plan);
  }

  async #lay(view: TableView, plan: Plan): Promise<void> {
    this.#lays = true;
    const isWithin = lies(layoutOf(view, this.#seat.me), plan.layout);
    const done = await this.#seat.layWhole(plan.layout, !isWithin);
    this.#lays = false;
    if (!this.plan) return;
    if (!done) {
      this.stop("refused");
      return;
    }
    this.#laid = view.coup;
    this.played += 1;
    this.#askForBall(view);
  }

  #askForBall(view: TableView): void {
    if (this.#asked === view.coup || !this.#seat.maySpin || view.launched) return;
    this.#asked = view.coup;
    this.#seat.spin();
  }
}
