/** A player at a table: their identity, the state of the table, and their actions. */
import { House } from "../api/http.ts";
import { comeBack, comeIn, returning } from "../api/sessions.ts";
import { Connection, followNetwork, type Standing } from "../api/socket.ts";
import type {
  Answer,
  Book,
  ClockFrame,
  CommandName,
  Decision,
  Given,
  TableEvent,
  TableView,
} from "../api/types.ts";
import { told } from "../decisions/decisions.ts";
import { namingOf } from "../decisions/naming.ts";
import { t, words } from "../i18n/words.svelte.ts";
import { Following } from "../table/follow.ts";
import { problemText } from "../people/problems.ts";
import { layoutOf, Layouts, missing, type Layout } from "../table/layout.ts";
import { bareLook } from "../cloth/liveries.ts";
import type { Seats } from "../cloth/stacks.ts";
import { liveries } from "../table/seats.ts";
import { Slip, type Outcome } from "../table/slip.ts";
import { bookOf } from "./books.ts";
import { Clock } from "./clock.svelte.ts";
import { Decided } from "./decided.svelte.ts";
import { Hearing } from "./hearing.svelte.ts";
import { History } from "./history.svelte.ts";
import { Memory } from "./memory.ts";
import { isOpen } from "./phase.ts";
import { shelf } from "./shelf.ts";
import { Shortfall } from "./short.svelte.ts";
import type { Stage } from "./stage.svelte.ts";
import { Texts } from "./texts.svelte.ts";
import { Toasts } from "./toasts.svelte.ts";

/** What was laid on a spot, or announced, and is not answered yet. */
export interface Pending {
  readonly on: string;
  readonly amount: number;
}

/** Events that move money between a player's wallet and their purse. */
const MOVES_WALLET: ReadonlySet<string> = new Set(["ChipsBought", "PlayerLeft"]);
const BAD_TOKEN = 4401;
const NO_TABLE = 4404;

export class Playing {
  book = $state.raw<Book | null>(null);
  me = $state.raw<{ name: string; money: number } | null>(null);
  standing = $state<Standing>("connecting");
  /** Whether the connection was there before it was lost. */
  wasOpen = $state(false);
  missing = $state(false);
  failed = $state(false);
  canUndo = $state(false);
  /** What one laid in the last coup that was closed. */
  earlier = $state.raw<Layout>([]);
  /** Stakes and announcements that the house has not answered. */
  pending = $state.raw<readonly Pending[]>([]);
  readonly pendingAmount = $derived(this.pending.reduce((sum, each) => sum + each.amount, 0));
  readonly clock = new Clock(() => this.#connection?.renew());
  readonly toasts = new Toasts();
  readonly memory: Memory;
  readonly hearing: Hearing;
  readonly decided = new Decided(
    (before) => this.house.decisions(this.table, before),
    (decision) => this.#decided(decision),
  );
  /** The player's part in the ball; whatever the house answers, the proof has it. */
  readonly texts: Texts;
  readonly history = new History(() => this.house.coups(this.table));
  readonly short = new Shortfall(() => this.house.short(this.table));
  readonly seats = $derived(this.#liveries());

  #house = new House();
  #connection: Connection | null = null;
  #following: Following | null = null;
  #slip: Slip | null = null;
  #ended = false;

  constructor(readonly table: string) {
    this.memory = new Memory(table);
    this.earlier = this.memory.earlier;
    this.hearing = new Hearing(this);
    this.texts = new Texts(table, (command, fields) => {
      void this.#connection?.give(command, fields);
    });
  }

  get stage(): Stage {
    return this.hearing.stage;
  }

  get fall(): Stage["fall"] {
    return this.stage.fall;
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
    const save = (): void => this.texts.save();
    const stopClock = this.clock.start();
    window.addEventListener("pagehide", save);
    const stopFollowing = followNetwork(() => this.#connection);
    void this.#enter(async () => (await returning()) ?? (await comeIn()));
    return () => {
      this.#ended = true;
      save();
      window.removeEventListener("pagehide", save);
      stopFollowing();
      stopClock();
      this.stage.end();
      this.short.end();
      this.#following?.end();
      this.#connection?.end();
    };
  }

  /** Lays a layout whole or not at all, after all else was taken back if `clears`. */
  async layWhole(layout: Layout, clears: boolean): Promise<boolean> {
    const lying = clears || !this.stage.live ? [] : layoutOf(this.stage.live, this.me?.name ?? "");
    const wanted = missing(layout, lying);
    if (wanted.length === 0) return true;
    if (clears && !(await this.play((slip, live) => slip.clear(live)))) return false;
    if (await this.play((slip) => slip.lay(wanted))) return true;
    await this.play((slip, live) => slip.clear(live));
    return false;
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
      changed: (view) => this.#changed(view),
      fetch: () => this.#house.table(this.table),
      wait: (milliseconds) => new Promise((then) => setTimeout(then, milliseconds)),
    });
    const listener = {
      table: (view: TableView, anew: boolean): void => this.#welcome(view, anew),
      event: (event: TableEvent): void => {
        this.texts.event(event);
        this.hearing.event(event);
        this.decided.event(event);
        this.history.event(event);
        this.#following?.event(event);
        // The wallet on the screen is right at once, no matter who had the money moved.
        if (MOVES_WALLET.has(event.type) && "player" in event.data && event.data.player === name)
          void this.count();
      },
      clock: (frame: ClockFrame): void => this.clock.hear(frame),
      standing: (standing: Standing, code: number | null): void => this.#stands(standing, code),
    };
    const spoken = (): string => words.language;
    this.#connection = new Connection(this.table, token, listener, undefined, undefined, spoken);
    this.#slip = new Slip(
      (command, fields) => this.give(command, fields),
      name,
      () => (this.canUndo = this.#slip?.canUndo ?? false),
    );
    this.#connection.connect();
  }

  #stands(standing: Standing, code: number | null): void {
    if (standing === "open" && this.wasOpen && this.standing !== "open")
      this.toasts.show("good", t("room.line.back"));
    this.standing = standing;
    if (standing === "open") this.wasOpen = true;
    if (code === NO_TABLE) this.missing = true;
    // A house that keeps nothing has forgotten us: we come in again under the same name.
    if (code === BAD_TOKEN)
      void this.#enter(async () => {
        const opened = await comeBack(this.me?.name);
        this.toasts.show("plain", t("room.line.newGuest", { name: opened.name }));
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
    if (anew) {
      this.history.forget();
      void this.history.read();
    }
    if (anew) this.decided.forget();
    void this.decided.read();
    // What was missed may have moved money.
    if (this.wasOpen) void this.count();
    if (this.me) this.texts.connected(view, this.me.name, !anew);
    if (!this.book)
      void bookOf(view.rulebook).then(
        (book) => (this.book = book),
        () => (this.failed = true),
      );
    if (view.you && view.coup > 1 && !this.hearing.why) void this.hearing.explain();
  }

  // How the table stands ----------------------------------------------------------------------

  #changed(view: TableView): void {
    this.stage.changed(view);
    this.short.follow(view, this.me?.name ?? "");
  }

  /** What one laid is remembered, and can no longer be undone. */
  closed(): void {
    this.#slip?.forget();
    const layout = this.stage.live ? layoutOf(this.stage.live, this.me?.name ?? "") : [];
    if (layout.length > 0) this.earlier = this.memory.earlier = layout;
  }

  /** Announces a decision when it happens; it stays in the list. */
  #decided(decision: Decision): void {
    if (!this.book) return;
    const text = told(decision, namingOf(this.book, words.language));
    this.toasts.show("plain", text);
  }

  #liveries(): Seats {
    const { view, book } = this;
    if (!view || !book) return {};
    const seats: Seats = liveries(view.players, this.me?.name ?? null, bareLook(book));
    const you = view.you && seats[view.you.player];
    if (!view.you?.value_chips || !you) return seats;
    return { ...seats, [view.you.player]: { ...you, hasValueChips: true } };
  }

  /** The player has chosen another language, in which coups are explained from now on. */
  respoken(): void {
    this.#connection?.renew();
    this.hearing.explainAgain();
  }

  // What is done ------------------------------------------------------------------------------

  async give<C extends CommandName>(command: C, fields: Given<C> = {}): Promise<Answer> {
    if (!this.#connection) return { kind: "problem", why: "lost", problem: t("room.line.lost") };
    const { on, call, amount } = fields as { on?: string; call?: string; amount?: number };
    const laid = { on: on ?? call ?? "", amount: amount ?? 0 };
    if (command === "PlaceStake" || command === "Announce") this.pending = [...this.pending, laid];
    const answer = await this.#connection.give(command, fields);
    this.pending = this.pending.filter((each) => each !== laid);
    return answer;
  }

  /** Gives a single command, and shows a refusal of the house. */
  async ask<C extends CommandName>(command: C, fields: Given<C> = {}): Promise<boolean> {
    const answer = await this.give(command, fields);
    if (answer.kind !== "ack") this.toasts.refused([answer], (...told) => words.refusal(...told));
    return answer.kind === "ack";
  }

  /** Does something with the slip, and shows what was refused or done. */
  async play(act: (slip: Slip, view: TableView) => Promise<Outcome>, done = ""): Promise<boolean> {
    if (!this.#slip || !this.stage.live) return false;
    const outcome = await act(this.#slip, this.stage.live);
    if (outcome.refused.length > 0)
      this.toasts.refused(outcome.refused, (...told) => words.refusal(...told));
    else if (outcome.done === 0) this.toasts.show("plain", t("room.told.nothing"));
    else if (done) this.hearing.tell(done);
    return outcome.refused.length === 0 && outcome.done > 0;
  }

  /** Lets the house say why it takes no stake now; the screen may be a moment behind it. */
  async explainClosed(spot: string, amount: number): Promise<void> {
    if (!this.stage.live?.you || isOpen(this.stage.live) || this.standing !== "open") return;
    await this.play((slip) => slip.place(spot, amount));
  }

  /** Asks for the ball of this coup at once; for a player who is alone. */
  async spin(quick: boolean): Promise<void> {
    this.stage.hurried = quick ? (this.stage.live?.coup ?? null) : null;
    try {
      await this.#house.spin(this.table, quick);
    } catch (problem) {
      this.stage.hurried = null;
      this.toasts.show("plain", problemText(problem));
    }
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
