/** The coups of a table as a player follows them: read once, then completed by the events. */
import type { Coup, TableEvent } from "../api/types.ts";

/** How many coups are kept: as many as the house gives when it is asked. */
const MOST = 100;

export class History {
  /** The coups, the newest last. */
  coups = $state.raw<Coup[]>([]);

  readonly #ask: () => Promise<Coup[]>;
  #known = false;
  #asking = false;
  #again = false;

  constructor(ask: () => Promise<Coup[]>) {
    this.#ask = ask;
  }

  /** Begins anew, with a table whose log is another. */
  forget(): void {
    this.coups = [];
    this.#known = false;
  }

  /** Takes the coup that came with an event, or asks where a coup ended and its event is an old one. */
  event(event: TableEvent): void {
    if (event.type !== "CoupEnded" && event.type !== "ChoiceMade") return;
    if (event.coup) this.#take(event.coup);
    else if (event.type === "CoupEnded") void this.read();
  }

  /** Reads the coups from the house. */
  async read(): Promise<void> {
    this.#again = this.#asking;
    if (this.#asking) return;
    this.#asking = true;
    try {
      const found = await this.#ask();
      const last = found.at(-1)?.coup ?? 0;
      // What an event has brought in the meantime may be newer than the answer.
      this.#keep([...found, ...this.coups.filter((each) => each.coup > last)]);
      this.#known = true;
    } catch {
      // The house is away; the next coup asks again.
      this.#known = false;
    } finally {
      this.#asking = false;
    }
    if (this.#again) await this.read();
  }

  #take(coup: Coup): void {
    const last = this.coups.at(-1)?.coup ?? 0;
    const isNext = coup.coup === last + 1 || this.coups.some((each) => each.coup === coup.coup);
    this.#keep([...this.coups.filter((each) => each.coup !== coup.coup), coup]);
    if (!this.#known || !isNext) void this.read();
  }

  #keep(coups: Coup[]): void {
    this.coups = coups.sort((one, other) => one.coup - other.coup).slice(-MOST);
  }
}
