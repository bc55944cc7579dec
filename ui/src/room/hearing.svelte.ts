/** What is heard at a table: the calls, the ball, and why a coup brought what it brought. */
import type { House } from "../api/http.ts";
import type { Book, TableEvent, Why } from "../api/types.ts";
import { words } from "../words/words.svelte.ts";
import type { Clock } from "./clock.svelte.ts";
import { prefs } from "./prefs.svelte.ts";
import { Stage } from "./stage.svelte.ts";
import type { Toasts } from "./toasts.svelte.ts";
import { say } from "./voice.ts";

/** Calls of a coup that one has missed are not called after it. */
const FRESH = 8000;

/** Who hears: what of him the calls and the explanations need. */
export interface Hearer {
  readonly table: string;
  readonly book: Book | null;
  readonly me: { readonly name: string } | null;
  readonly house: House;
  readonly clock: Clock;
  readonly toasts: Toasts;
  /** Betting has closed. */
  closed(): void;
}

export class Hearing {
  /** The last thing that the croupier said. */
  call = $state.raw<{ text: string; at: number } | null>(null);
  lastBets = $state(false);
  /** What became of one's stakes in the last coup that was called. */
  why = $state.raw<Why | null>(null);
  /** Said to screen readers. */
  spoken = $state("");
  readonly stage = new Stage(() => this.#catchUp());

  readonly #hearer: Hearer;
  #unheard: TableEvent[] = [];
  #whyOf: Why | null = null;

  constructor(hearer: Hearer) {
    this.#hearer = hearer;
  }

  /** Hears an event, before the table shows what it changes. */
  event(event: TableEvent): void {
    const { data } = event;
    const { clock } = this.#hearer;
    const fall = this.stage.fall;
    switch (event.type) {
      case "BallLaunched": {
        const id = `${this.stage.live?.coup ?? 0}.${data["spin"] as number}`;
        fall.launched(id, data["wheel"] !== "ccw", clock.here(event.at));
        break;
      }
      case "LastBetsCalled":
        this.lastBets = true;
        break;
      case "BettingClosed":
        this.#hearer.closed();
        this.why = null;
        this.lastBets = false;
        break;
      case "BallRevealed":
      case "BallPocketed":
        fall.pocketed(data["number"] as number, clock.here(event.at));
        break;
      case "BallVoided":
        fall.voided();
        this.lastBets = false;
        break;
      case "NumberCalled":
        void this.explain();
        break;
      case "CoupEnded":
        fall.over();
        this.stage.catchUp();
        this.lastBets = false;
        break;
      case "StakesReturned":
        this.#returned(data["returned"] as [string, number, string[]][]);
        break;
    }
    if (typeof data["call"] === "string" && event.type !== "AnnouncementPlaced") this.#hear(event);
  }

  /** Asks why the last coup that was called brought what it brought. */
  async explain(): Promise<void> {
    const { house, table } = this.#hearer;
    try {
      this.#whyOf = await house.why(table, words.language);
      if (!this.stage.waits) this.#catchUp();
    } catch {
      // Nothing was called yet, or the house is away: there is nothing to explain.
    }
  }

  /** Asks for the explanation once more, in another language. */
  explainAgain(): void {
    if (!this.why) return;
    const { house, table } = this.#hearer;
    void house.why(table, words.language, this.why.coup).then(
      (why) => (this.why = why),
      () => {},
    );
  }

  /** Tells what was said while the ball fell. */
  #catchUp(): void {
    if (this.#whyOf) {
      this.why = this.#whyOf;
      this.#whyOf = null;
      this.#tell(this.why);
    }
    for (const event of this.#unheard.splice(0)) this.#called(event);
  }

  #hear(event: TableEvent): void {
    if (this.stage.fall.falling) this.#unheard.push(event);
    else this.#called(event);
  }

  #called(event: TableEvent): void {
    const { book, clock } = this.#hearer;
    const text = event.data["call"] as string;
    if (!text || Date.now() - clock.here(event.at) > FRESH) return;
    this.call = { text, at: event.at };
    this.spoken = text;
    if (prefs.voice && book) say(text, book.calls.language);
  }

  #returned(returned: [string, number, string[]][]): void {
    const { me, toasts } = this.#hearer;
    const lying = this.stage.live?.stakes ?? [];
    const own = new Set(lying.filter((s) => s.player === me?.name).map((s) => s.id));
    const mine = returned.filter(([id]) => own.has(id));
    if (mine.length === 0) return;
    const amount = mine.reduce((sum, [, each]) => sum + each, 0);
    const articles = [...new Set(mine.flatMap(([, , cited]) => cited))];
    toasts.show("plain", words.say.told.returned(words.amount(amount)), articles);
  }

  #tell(why: Why): void {
    if (why.lines.length === 0 || this.stage.view?.number == null) return;
    const net = why.lines.reduce((sum, line) => sum + line.won - line.lost, 0);
    const { won, lost, even } = words.say.told;
    const told = net > 0 ? won(words.amount(net)) : net < 0 ? lost(words.amount(-net)) : even;
    this.spoken = `${this.call?.text ?? ""}. ${told}`;
  }
}
