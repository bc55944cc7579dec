/** A player at a table: who he is, how the table stands, what he hears and what he does. */
import { House, Problem } from "../api/http.ts";
import { comeIn, kept, returning } from "../api/sessions.ts";
import { Connection, type Standing } from "../api/socket.ts";
import type { Answer, Book, ClockFrame, TableEvent, TableView, Why } from "../api/types.ts";
import { Following } from "../table/follow.ts";
import { layoutOf, Layouts, type Layout } from "../table/layout.ts";
import { liveries } from "../table/seats.ts";
import { Slip, type Outcome } from "../table/slip.ts";
import { words } from "../words/words.svelte.ts";
import { bookOf } from "./books.ts";
import { Clock } from "./clock.svelte.ts";
import { Fall, veiled } from "./fall.svelte.ts";
import { isOpen } from "./phase.ts";
import { prefs } from "./prefs.svelte.ts";
import { shelf } from "./shelf.ts";
import { Toasts } from "./toasts.svelte.ts";
import { say } from "./voice.ts";

const BAD_TOKEN = 4401;
const NO_TABLE = 4404;
/** Calls of a coup that one has missed are not called after it. */
const FRESH = 8000;
/** How long the number and the stakes are shown before the losers go. */
const LOOK = 1400;

export class Playing {
  /** The table as it is shown: while the ball falls, as it was before. */
  view = $state.raw<TableView | null>(null);
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
  readonly fall = new Fall(
    () => this.#landed(),
    () => prefs.still,
  );
  readonly published: Record<number, string> = {};
  readonly seats = $derived(this.#liveries());

  #live: TableView | null = null;
  /** The table with the number called and all stakes still there. */
  #called: TableView | null = null;
  #pause: ReturnType<typeof setTimeout> | null = null;
  #house = new House();
  #connection: Connection | null = null;
  #following: Following | null = null;
  #slip: Slip | null = null;
  #unheard: TableEvent[] = [];
  #whyOf: Why | null = null;
  #ended = false;

  constructor(readonly table: string) {
    this.earlier = shelf.read<Layout>(`novamas.earlier.${table}`) ?? [];
    Object.assign(this.published, shelf.read(`novamas.published.${table}`) ?? {});
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
    void this.#enter();
    return () => {
      this.#ended = true;
      window.removeEventListener("online", hurry);
      document.removeEventListener("visibilitychange", hurry);
      stopClock();
      this.fall.end();
      if (this.#pause !== null) clearTimeout(this.#pause);
      this.#following?.end();
      this.#connection?.end();
    };
  }

  // Coming in ---------------------------------------------------------------------------------

  async #enter(): Promise<void> {
    try {
      const found = (await returning()) ?? (await comeIn());
      if (this.#ended) return;
      this.#connect(found.token, found.name, found.money);
    } catch {
      this.failed = true;
      setTimeout(() => !this.#ended && void this.#again(), 2000);
    }
  }

  async #again(): Promise<void> {
    this.failed = false;
    await this.#enter();
  }

  #connect(token: string, name: string, money: number): void {
    this.me = { name, money };
    this.#house = new House(token);
    this.#connection?.end();
    this.#following?.end();
    this.#following = new Following({
      me: name,
      changed: (view) => this.#changed(view),
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
    if (code === BAD_TOKEN) void this.#comeInAgain();
  }

  async #comeInAgain(): Promise<void> {
    const name = this.me?.name ?? kept("player")?.name;
    try {
      const opened = await comeIn(name).catch((problem: unknown) => {
        if (problem instanceof Problem && problem.status === 409) return comeIn();
        throw problem;
      });
      if (this.#ended) return;
      this.toasts.show("plain", words.say.line.newGuest(opened.name));
      this.#connect(opened.token, opened.name, opened.money);
    } catch {
      setTimeout(() => !this.#ended && void this.#comeInAgain(), 2000);
    }
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
    this.#note(view);
    if (!this.book)
      void bookOf(view.rulebook).then(
        (book) => (this.book = book),
        () => (this.failed = true),
      );
    if (view.you && view.coup > 1 && !this.why) void this.#explain();
  }

  // What is heard -----------------------------------------------------------------------------

  #changed(view: TableView): void {
    this.#live = view;
    if (!this.fall.falling && this.#pause === null) {
      this.#show();
      return;
    }
    if (view.phase === "pocketed" || view.phase === "collecting") this.#called ??= view;
    if (this.view) this.view = veiled(view, this.view);
  }

  /** The ball lies still on the screen. A croupier who is ahead of it is not followed at once. */
  #landed(): void {
    const called = this.#called;
    this.#called = null;
    const live = this.#live;
    const isAhead = called && live && live.phase !== "pocketed" && live.phase !== "collecting";
    this.#show(isAhead ? veiled(live, called) : live);
    if (isAhead) this.#pause = setTimeout(() => this.#catchUp(), LOOK);
  }

  #catchUp(): void {
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#pause = null;
    this.#called = null;
    this.#show();
  }

  /** Shows the table as it stands, and says what was said while the ball fell. */
  #show(view = this.#live): void {
    if (view) this.view = view;
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
        this.#publish(data["spin"] as number, data["commitment"] as string);
        break;
      case "BallLaunched": {
        const id = `${this.#live?.coup ?? 0}.${data["spin"] as number}`;
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
        this.#catchUp();
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

  #publish(spin: number, commitment: string): void {
    this.published[spin] ??= commitment;
    for (const old of Object.keys(this.published).slice(0, -50)) delete this.published[Number(old)];
    shelf.write(`novamas.published.${this.table}`, this.published);
  }

  /** The commitment of a table that one comes to while betting is open counts as seen too. */
  #note(view: TableView): void {
    if (view.commitment && !view.launched) this.#publish(view.spin + 1, view.commitment);
  }

  #remember(me: string): void {
    const layout = this.#live ? layoutOf(this.#live, me) : [];
    if (layout.length === 0) return;
    this.earlier = layout;
    shelf.write(`novamas.earlier.${this.table}`, layout);
  }

  #returned(returned: [string, number, string[]][], me: string): void {
    const own = new Set(this.#live?.stakes.filter((s) => s.player === me).map((s) => s.id));
    const mine = returned.filter(([id]) => own.has(id));
    if (mine.length === 0) return;
    const amount = mine.reduce((sum, [, each]) => sum + each, 0);
    const articles = [...new Set(mine.flatMap(([, , cited]) => cited))];
    this.toasts.show("plain", words.say.told.returned(words.amount(amount)), articles);
  }

  async #explain(): Promise<void> {
    try {
      this.#whyOf = await this.#house.why(this.table, words.language);
      if (!this.fall.falling && this.#pause === null) this.#show();
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
    if (!this.#slip || !this.#live) return false;
    const outcome = await act(this.#slip, this.#live);
    if (outcome.refused.length > 0)
      this.toasts.refused(outcome.refused, (...told) => words.refusal(...told));
    else if (outcome.done === 0) this.toasts.show("plain", words.say.told.nothing);
    else if (done) this.spoken = done;
    return outcome.refused.length === 0 && outcome.done > 0;
  }

  /** Lets the house say why it takes no stake now; the screen may be a moment behind it. */
  async explainClosed(spot: string, amount: number): Promise<void> {
    if (!this.#live?.you || isOpen(this.#live) || this.standing !== "open") return;
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
