/** What of the player's stakes goes back at the close, as the house says, while betting is open. */
import type { ShortStake, TableView } from "../api/types.ts";
import { t, words } from "../i18n/words.svelte.ts";
import { isOpen } from "./phase.ts";

/** Players lay chips one by one, so the house is asked after a short pause. */
const REST = 250;

export class Shortfall {
  all = $state.raw<readonly ShortStake[]>([]);
  /** The stakes by id, as the cloth marks them. */
  readonly ids = $derived(new Set(this.all.map((each) => each.id)));
  readonly amount = $derived(this.all.reduce((sum, each) => sum + each.amount, 0));
  #seen = "";
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(readonly ask: () => Promise<ShortStake[]>) {}

  /** Called when the table changes. Asks the house again if the player's own stakes changed. */
  follow(view: TableView, me: string): void {
    const own = view.stakes.filter((stake) => stake.player === me);
    const lies = own.map(({ id, on, amount }) => `${id} ${on} ${amount}`).join("|");
    const seen = isOpen(view) && own.length > 0 ? `${lies} ${JSON.stringify(view.limits)}` : "";
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.end();
    // Stakes that were taken back are dropped; the others keep their last answer until the next.
    const left = new Set(own.map((stake) => stake.id));
    this.#tell(seen ? this.all.filter((each) => left.has(each.id)) : []);
    if (seen) this.#timer = setTimeout(() => void this.#asked(seen), REST);
  }

  on(spot: string | null): ShortStake | undefined {
    return this.all.find((each) => each.on === spot);
  }

  /** What goes back of a spot. */
  backOf(spot: string): number {
    const there = this.all.filter((each) => each.on === spot);
    return there.reduce((sum, each) => sum + each.amount, 0);
  }

  end(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #asked(seen: string): Promise<void> {
    try {
      const found = await this.ask();
      if (this.#seen === seen) this.#tell(found);
    } catch {
      // The house cannot be reached. The next change asks again.
      if (this.#seen === seen) this.#seen = "";
    }
  }

  #tell(found: readonly ShortStake[]): void {
    if (found.length > 0 || this.all.length > 0) this.all = found;
  }
}

/** Why a stake goes back, in words. */
export const shortText = ({ counted, least }: ShortStake): string =>
  t(`room.short.${counted}`, { least: words.amount(least) });
