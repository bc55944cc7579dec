/** A player at a table: who he is, how the table stands, what he hears and what he does. */
import { House } from "../api/http.ts";
import { comeBack, comeIn, returning } from "../api/sessions.ts";
import { Connection, type Standing } from "../api/socket.ts";
import type { Answer, Book, ClockFrame, TableEvent, TableView, Why } from "../api/types.ts";
import { Following } from "../table/follow.ts";
import { layoutOf, Layouts, type Layout } from "../table/layout.ts";
import { liveries } from "../table/seats.ts";
import { Slip, type Outcome } from "../table/slip.ts";
import { words } from "../words/words.svelte.ts";
import { bookOf } from "./books.ts";
import { Clock } from "./clock.svelte.ts";
import { Memory } from "./memory.ts";
import { isOpen } from "./phase.ts";
import { prefs } from "./prefs.svelte.ts";
import { shelf } from "./shelf.ts";
import { Stage } from "./stage.svelte.ts";
import { Toasts } from "./toasts.svelte.ts";
import { say } from "./voice.ts";

const BAD_TOKEN = 4401;
const NO_TABLE = 4404;
/** Calls of a coup that one has missed are not called after it. */
const FRESH = 8000;

export class Playing {
  book = $state.raw<Book | null>(null);
  me = $state.raw<{ name: string; money: number } | null>(null);
  standing = $state<Standing>("connecting");
  /** Whether the connection was there before it was lost. */
  wasOpen = $state(false);
  missing = $state(false);
  failed = $state(false);
  /** The last thing that the croupier said. */
  call = $state.raw<{ text: string; at: number } | null>(null);
  lastBets = $state(false);
  /** What became of one's stakes in the last coup that was called. */
  why = $state.raw<Why | null>(null);
  /** Said to screen readers. */
  spoken = $state("");
  canUndo = $state(false);
  waits = $state(0);
  /** What one laid in the last coup that was closed. */
  earlier = $state.raw<Layout>([]);
  readonly clock = new Clock();
  readonly toasts = new Toasts();
  readonly stage = new Stage(() => this.#catchUp());
  readonly fall = this.stage.fall;
  readonly memory: Memory;
  readonly seats = $derived(this.#liveries());

  #house = new House();
  #connection: Connection | null = null;
  #following: Following | null = null;
  #slip: Slip | null = null;
  #unheard: TableEvent[] = [];
  #whyOf: Why | null = null;
  #ended = false;

  constructor(readonly table: string) {
    this.memory = new Memory(table);
    this.earlier = this.memory.earlier;
  }

  /** The table as it is shown: while the ball falls, as it was before. */
  get view(): TableView | null {
    return this.stage.view;
  }

  get house(): House {
    return this.#house;
  }

  get layouts(): Layouts {
    return new Layouts(shelf, this.view?.rulebook ?? "");
  }

  start(): () => void {
    const hurry = (): void => {
      if (document.visibilityState === "visible") this.#connection?.hurry();
    };
    const stopClock = this.clock.start();
    window.addEventListener("online", hurry);
    document.addEventListener("visibilitychange", hurry);
    void this.#enter(async () => (await returning()) ?? (await comeIn()));
    return () => {
      this.#ended = true;
      window.removeEventListener("online", hurry);
      document.removeEventListener("visibilitychange", hurry);
      stopClock();
      this.stage.end();
      this.#following?.end();
      this.#connection?.end();
    };
  }

  // Coming in ---------------------------------------------------------------------------------

  /** Comes in, and goes on trying while the house is away. */
  async #enter(
    known: () => Promise<{ token: string | null; name: string; money: number }>,
  ): Promise<void> {
    for (;;) {
      try {
        const found = await known();
        if (this.#ended) return;
        this.failed = false;
        this.#connect(found.token, found.name, found.money);
        return;
      } catch {
        this.failed = true;
        await new Promise((then) => setTimeout(then, 2000));
        if (this.#ended) return;
      }
    }
  }

  #connect(token: string | null, name: string, money: number): void {
    this.me = { name, money };
    this.#house = new House(token);
    this.#connection?.end();
    this.#following?.end();
    this.#following = new Following({
      me: name,
      changed: (view) => this.stage.changed(view),
      fetch: () => this.#house.table(this.table),
      wait: (milliseconds) => new Promise((then) => setTimeout(then, milliseconds)),
    });
    const listener = {
      table: (view: TableView, anew: boolean): void => this.#welcome(view, anew),
      event: (event: TableEvent): void => this.#event(event),
      clock: (frame: ClockFrame): void => this.clock.hear(frame),
      standing: (standing: Standing, code: number | null): void => this.#stands(standing, code),
    };
    this.#connection = new Connection(this.table, token, listener);
    this.#slip = new Slip(
      (command, fields) => this.give(command, fields),
      name,
      () => (this.canUndo = this.#slip?.canUndo ?? false),
    );
    this.#connection.connect();
  }

  #stands(standing: Standing, code: number | null): void {
    if (standing === "open" && this.wasOpen && this.standing !== "open")
      this.toasts.show("good", words.say.line.back);
    this.standing = standing;
    if (standing === "open") this.wasOpen = true;
    if (code === NO_TABLE) this.missing = true;
    // A house that keeps nothing has forgotten us: we come in again under the same name.
    if (code === BAD_TOKEN)
      void this.#enter(async () => {
        const opened = await comeBack(this.me?.name);
        this.toasts.show("plain", words.say.line.newGuest(opened.name));
        return opened;
      });
  }

  #welcome(view: TableView, anew: boolean): void {
    const running = view.launched
      ? { id: `${view.coup}.${view.spin}`, clockwise: view.directions?.wheel !== "ccw" }
      : null;
    if (anew || !this.fall.falling) {
      this.fall.found(view.number, running);
      this.fall.rest ??= view.last_numbers.at(-1) ?? null;
    }
    if (anew) this.#following?.restart(view);
    else this.#following?.adopt(view);
    if (anew) this.memory.forget();
    // The commitment of a table that one comes to while betting is open counts as seen too.
    if (view.commitment && !view.launched) this.memory.publish(view.spin + 1, view.commitment);
    if (!this.book)
      void bookOf(view.rulebook).then(
        (book) => (this.book = book),
        () => (this.failed = true),
      );
    if (view.you && view.coup > 1 && !this.why) void this.#explain();
  }

  // What is heard -----------------------------------------------------------------------------

  /** Tells what was said while the ball fell. */
  #catchUp(): void {
    if (this.#whyOf) {
      this.why = this.#whyOf;
      this.#whyOf = null;
      this.#tell(this.why);
    }
    for (const event of this.#unheard.splice(0)) this.#hearCall(event);
  }

  #event(event: TableEvent): void {
    this.#before(event);
    this.#following?.event(event);
  }

  #before(event: TableEvent): void {
    const { data } = event;
    const me = this.me?.name ?? "";
    switch (event.type) {
      case "BallCommitted":
        this.memory.publish(data["spin"] as number, data["commitment"] as string);
        break;
      case "BallLaunched": {
        const id = `${this.stage.live?.coup ?? 0}.${data["spin"] as number}`;
        this.fall.launched(id, data["wheel"] !== "ccw", this.clock.here(event.at));
        break;
      }
      case "LastBetsCalled":
        this.lastBets = true;
        break;
      case "BettingClosed":
        this.#remember(me);
        this.why = null;
        this.#slip?.forget();
        this.lastBets = false;
        break;
      case "BallRevealed":
      case "BallPocketed":
        // A ball that was void before betting closed is revealed too, and falls nowhere.
        if (typeof data["number"] === "number")
          this.fall.pocketed(data["number"], this.clock.here(event.at));
        break;
      case "BallVoided":
        this.fall.voided();
        this.lastBets = false;
        break;
      case "NumberCalled":
        void this.#explain();
        break;
      case "CoupEnded":
        this.fall.over();
        this.stage.catchUp();
        this.lastBets = false;
        break;
      case "StakesReturned":
        this.#returned(data["returned"] as [string, number, string[]][], me);
        break;
    }
    if (typeof data["call"] === "string" && event.type !== "AnnouncementPlaced") this.#call(event);
  }

  #call(event: TableEvent): void {
    if (this.fall.falling) this.#unheard.push(event);
    else this.#hearCall(event);
  }

  #hearCall(event: TableEvent): void {
    const text = event.data["call"] as string;
    if (!text || Date.now() - this.clock.here(event.at) > FRESH) return;
    this.call = { text, at: event.at };
    this.spoken = text;
    if (prefs.voice && this.book) say(text, this.book.calls.language);
  }

  #remember(me: string): void {
    const layout = this.stage.live ? layoutOf(this.stage.live, me) : [];
    if (layout.length === 0) return;
    this.earlier = this.memory.earlier = layout;
  }

  #returned(returned: [string, number, string[]][], me: string): void {
    const own = new Set(this.stage.live?.stakes.filter((s) => s.player === me).map((s) => s.id));
    const mine = returned.filter(([id]) => own.has(id));
    if (mine.length === 0) return;
    const amount = mine.reduce((sum, [, each]) => sum + each, 0);
    const articles = [...new Set(mine.flatMap(([, , cited]) => cited))];
    this.toasts.show("plain", words.say.told.returned(words.amount(amount)), articles);
  }

  async #explain(): Promise<void> {
    try {
      this.#whyOf = await this.#house.why(this.table, words.language);
      if (!this.stage.waits) this.#catchUp();
    } catch {
      // Nothing was called yet, or the house is away: there is nothing to explain.
    }
  }

  /** Asks for the explanation once more, in another language. */
  explainAgain(): void {
    if (!this.why) return;
    void this.#house.why(this.table, words.language, this.why.coup).then(
      (why) => (this.why = why),
      () => {},
    );
  }

  #tell(why: Why): void {
    if (why.lines.length === 0 || this.view?.number == null) return;
    const net = why.lines.reduce((sum, line) => sum + line.won - line.lost, 0);
    const { won, lost, even } = words.say.told;
    const told = net > 0 ? won(words.amount(net)) : net < 0 ? lost(words.amount(-net)) : even;
    this.spoken = `${this.call?.text ?? ""}. ${told}`;
  }

  #liveries(): Record<string, { livery: number; you: boolean }> {
    const view = this.view;
    if (!view) return {};
    const owners = [...view.stakes, ...view.prison].map((each) => each.player);
    return liveries(view.players, this.me?.name ?? null, owners);
  }

  // What is done ------------------------------------------------------------------------------

  async give(command: string, fields: Record<string, unknown> = {}): Promise<Answer> {
    if (!this.#connection) return { kind: "problem", problem: words.say.line.lost };
    this.waits += 1;
    const answer = await this.#connection.give(command, fields);
    this.waits -= 1;
    return answer;
  }

  /** Gives a command by itself, and tells if the house refuses it. */
  async ask(command: string, fields: Record<string, unknown> = {}): Promise<boolean> {
    const answer = await this.give(command, fields);
    if (answer.kind !== "ack") this.toasts.refused([answer], (...told) => words.refusal(...told));
    return answer.kind === "ack";
  }

  /** Does something with the slip, and tells what was refused, or what was done. */
  async play(act: (slip: Slip, view: TableView) => Promise<Outcome>, done = ""): Promise<boolean> {
    if (!this.#slip || !this.stage.live) return false;
    const outcome = await act(this.#slip, this.stage.live);
    if (outcome.refused.length > 0)
      this.toasts.refused(outcome.refused, (...told) => words.refusal(...told));
    else if (outcome.done === 0) this.toasts.show("plain", words.say.told.nothing);
    else if (done) this.spoken = done;
    return outcome.refused.length === 0 && outcome.done > 0;
  }

  /** Lets the house say why it takes no stake now; the screen may be a moment behind it. */
  async explainClosed(spot: string, amount: number): Promise<void> {
    if (!this.stage.live?.you || isOpen(this.stage.live) || this.standing !== "open") return;
    await this.play((slip) => slip.place(spot, amount));
  }

  /** Asks how much play money is left. */
  async count(): Promise<void> {
    try {
      const { name, money } = await this.#house.me();
      this.me = { name, money };
    } catch {
      // The house is away; what was known stands.
    }
  }
}
