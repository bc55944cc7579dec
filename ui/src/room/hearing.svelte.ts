/** What is heard at a table: the calls, the ball, and why a coup brought what it brought. */
import type { House } from "../api/http.ts";
import type { Book, EventOf, TableEvent, Why } from "../api/types.ts";
import { t, words } from "../i18n/words.svelte.ts";
import { colourOf } from "../table/pockets.ts";
import type { Clock } from "./clock.svelte.ts";
import type { Step } from "./phase.ts";
import { prefs } from "./prefs.svelte.ts";
import { Stage } from "./stage.svelte.ts";
import type { Toasts } from "./toasts.svelte.ts";
import { say } from "./voice.ts";

/** Calls that are older than this are not repeated. */
const FRESH = 8000;

/** The player who hears: what the calls and the explanations need to know of them. */
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

/** What the croupier said and when, and what it means in the player's language, if that is another. */
interface Call {
  text: string;
  at: number;
  meaning: string;
}

/** A sentence for screen readers, in its own language. */
export interface Spoken {
  readonly text: string;
  readonly language: string;
}

/** What the calls mean that belong to a step of play. */
const MEANINGS = {
  TableOpened: "betting",
  TableReopened: "betting",
  CoupEnded: "betting",
  LastBetsCalled: "lastBets",
  BallLaunched: "launched",
  BettingClosed: "closed",
} as const satisfies Partial<Record<TableEvent["type"], Step>>;
const hasMeaning = (type: string): type is keyof typeof MEANINGS => type in MEANINGS;

/** What the croupier says with an event; what a player announces is no call of theirs. */
function callOf(event: TableEvent): string {
  if (event.type === "AnnouncementPlaced" || event.type === "StakePlaced") return "";
  return "call" in event.data ? event.data.call : "";
}

const spokenHere = (text: string): Spoken[] => (text ? [{ text, language: words.language }] : []);

export class Hearing {
  /** The last thing that the croupier said. */
  call = $state.raw<Call | null>(null);
  lastBets = $state(false);
  /** What became of the player's stakes in the last coup that was called. */
  why = $state.raw<Why | null>(null);
  /** Said to screen readers: a call with its meaning, then the player's own result. */
  spoken = $state.raw<readonly Spoken[]>([]);
  readonly stage = new Stage(() => this.#catchUp());

  readonly #hearer: Hearer;
  #unheard: Call[] = [];
  #whyOf: Why | null = null;

  constructor(hearer: Hearer) {
    this.#hearer = hearer;
  }

  /** Hears an event, before the table shows what it changes. */
  event(event: TableEvent): void {
    const { clock } = this.#hearer;
    const fall = this.stage.fall;
    switch (event.type) {
      case "BallLaunched": {
        const id = `${this.stage.live?.coup ?? 0}.${event.data.spin}`;
        fall.launched(id, event.data.wheel !== "ccw", clock.here(event.at));
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
        fall.pocketed(event.data.number, clock.here(event.at));
        break;
      case "BallVoided":
        fall.voided();
        this.lastBets = false;
        break;
      case "ChoiceMade":
        if (event.why) this.why = event.why;
        break;
      case "CoupEnded":
        fall.over();
        this.stage.catchUp();
        this.lastBets = false;
        break;
      case "StakesReturned":
        this.#returned(event.data.returned);
        break;
    }
    const call = callOf(event);
    if (call) this.#hear({ text: call, at: event.at, meaning: this.#meaningOf(event) });
    if (event.type === "NumberCalled") this.#explained(event);
  }

  /** Takes the explanation that came with the call; an event of the past has none, and is asked for. */
  #explained({ change, why, data }: EventOf<"NumberCalled">): void {
    if (!change) {
      void this.explain();
      return;
    }
    const { pocket: number, call } = data;
    const nothing = { won: 0, lost: 0, lines: [], reduced: [] };
    this.#whyOf = why ?? { coup: this.stage.live?.coup ?? 0, number, call, ...nothing };
    if (!this.stage.waits) this.#catchUp();
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

  /** Asks for the explanation once more: in another language, or with all its lines. */
  explainAgain(): void {
    if (!this.why) return;
    const { house, table } = this.#hearer;
    void house.why(table, words.language, this.why.coup).then(
      (why) => (this.why = why),
      () => {},
    );
  }

  /** Announces what was said while the ball fell. */
  #catchUp(): void {
    // What was called is heard first, and then what it brought.
    for (const call of this.#unheard.splice(0)) this.#called(call);
    if (this.#whyOf) {
      this.why = this.#whyOf;
      this.#whyOf = null;
      this.#tell(this.why);
    }
  }

  #hear(call: Call): void {
    if (this.stage.fall.falling) this.#unheard.push(call);
    else this.#called(call);
  }

  #called(call: Call): void {
    const { book, clock } = this.#hearer;
    const { text, at, meaning } = call;
    if (Date.now() - clock.here(at) > FRESH) return;
    this.call = call;
    const language = book?.calls.language ?? words.language;
    this.spoken = [{ text, language }, ...spokenHere(meaning)];
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
    toasts.show("plain", t("room.told.returned", { amount: words.amount(amount) }), articles);
  }

  #tell(why: Why): void {
    if (why.lines.length === 0 || this.stage.view?.number == null) return;
    const net = why.won - why.lost;
    const amount = words.amount(Math.abs(net));
    const told =
      net > 0
        ? t("room.told.won", { amount })
        : net < 0
          ? t("room.told.lost", { amount })
          : t("room.told.even");
    // The call that was just heard stays before it, so that neither is lost.
    const heard = this.spoken.some((each) => each.text === why.call) ? this.spoken : [];
    this.spoken = [...heard, ...spokenHere(told)];
  }

  /** What a call means to a player who has chosen another language than the house's. */
  #meaningOf(event: TableEvent): string {
    const book = this.#hearer.book;
    if (!book || book.calls.language === words.language) return "";
    if (event.type === "NumberCalled") {
      const { pocket } = event.data;
      const said = {
        red: t("room.numbers.red"),
        black: t("room.numbers.black"),
        green: t("room.numbers.zero"),
      };
      return `${pocket}, ${said[colourOf(book.red, pocket)]}`;
    }
    return hasMeaning(event.type) ? t(`room.phase.${MEANINGS[event.type]}`) : "";
  }

  /** Says something to screen readers in the player's own language. */
  tell(text: string): void {
    this.spoken = spokenHere(text);
  }
}
