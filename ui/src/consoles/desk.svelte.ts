/** A console's state of one table: its view, its log, its payments, and its commands. */

import { House, Problem } from "../api/http";
import { freshId } from "../api/ids";
import { Connection, followNetwork, type Standing } from "../api/socket";
import type {
  Answer,
  Book,
  ClockFrame,
  CommandName,
  Given,
  FloatEntry,
  OpenDispute,
  TableEvent,
  TableView,
} from "../api/types";
import { Following } from "../table/follow";
import { may, nameFor, whoMay, type PlayersCommand, type StaffCommand } from "./acts";
import type { CoupPayments, Hand } from "./kinds";
import { Names } from "./naming";

/** The house's answer to the last refused command. */
export interface Said {
  command: string;
  kind: "refused" | "problem";
  why: string;
  detail: string;
  articles: string[];
}

/** A player's wish, which a person at the table may enter for them. */
type SpokenFor = "ChooseAfterZero" | "ReplayAnnouncement";

const PAGE = 1000;
/** How many pages of an old log are read; a longer one is asked for by its export. */
const MOST_PAGES = 30;
const REST = 700;

export class Desk {
  view = $state.raw<TableView | null>(null);
  log = $state.raw<TableEvent[]>([]);
  standing = $state<Standing>("connecting");
  payments = $state.raw<CoupPayments | null>(null);
  clock = $state.raw<(ClockFrame & { heard: number }) | null>(null);
  said = $state.raw<Said | null>(null);
  /** The disputes that wait for their decision. */
  disputes = $state.raw<OpenDispute[]>([]);
  /** The book of advances, the newest entry first. */
  advances = $state.raw<FloatEntry[]>([]);
  /** The command that the house has not answered yet. */
  asked = $state<string | null>(null);

  readonly house: House;
  readonly #names = new Names();
  readonly #connection: Connection;
  readonly #following: Following;
  #paymentsOf = "";
  #reading = false;
  #ended = false;

  constructor(
    readonly table: string,
    readonly hand: Hand,
    readonly book: Book,
    token: string | null,
  ) {
    this.house = new House(token);
    this.#following = new Following({
      changed: (view) => this.#changed(view),
      fetch: () => this.house.table(table),
      wait: (milliseconds) => new Promise((then) => setTimeout(then, milliseconds)),
    });
    const heard = {
      table: (view: TableView): void => this.#following.adopt(view),
      event: (event: TableEvent): void => this.#heard(event),
      clock: (frame: ClockFrame): void => {
        this.clock = { ...frame, heard: Date.now() };
      },
      standing: (standing: Standing): void => {
        this.standing = standing;
      },
    };
    this.#connection = new Connection(table, token, heard, this.#names.around());
  }

  start(): () => void {
    const stopFollowing = followNetwork(() => this.#connection);
    this.#connection.connect();
    return () => {
      stopFollowing();
      this.#ended = true;
      this.#following.end();
      this.#connection.end();
    };
  }

  /** Gives a command of the staff. The management gives it in the name of a person. */
  async give<C extends StaffCommand>(command: C, fields: Given<C> = {}): Promise<boolean> {
    const view = this.view;
    if (!view || this.asked !== null) return false;
    const named = nameFor(this.hand, this.book, view, command);
    const first = await this.#ask(command, fields, named?.as ?? null);
    if (first.kind === "refused" && first.why === "not_their_turn_to_spin" && named?.as) {
      // Where croupiers take turns only the house counts the spins: ask in the others' names.
      for (const other of whoMay(this.book, view, command)) {
        if (other === named.as) continue;
        const again = await this.#ask(command, fields, other);
        if (again.kind === "ack") return true;
      }
    }
    return first.kind === "ack";
  }

  /** Gives a player's command in the player's name, as only the management may. */
  async giveAs<C extends PlayersCommand | SpokenFor | "TakePost" | "LeavePost">(
    name: string,
    command: C,
    fields: Given<C> = {},
  ): Promise<boolean> {
    if (this.asked !== null) return false;
    return (await this.#ask(command, fields, name)).kind === "ack";
  }

  /** Whether the user may enter a player's wish: by their post, or as the management. */
  maySpeakFor(command: SpokenFor): boolean {
    const view = this.view;
    return view !== null && (this.hand.role === "management" || may(this.hand, this.book, view, command));
  }

  /** Enters a player's wish. */
  speakFor<C extends SpokenFor>(player: string, command: C, fields: Given<C>): Promise<boolean> {
    const own = this.view !== null && may(this.hand, this.book, this.view, command);
    return own ? this.give(command, fields) : this.giveAs(player, command, fields);
  }

  dismiss(): void {
    this.said = null;
  }

  async #ask<C extends CommandName>(command: C, fields: Given<C>, as: string | null): Promise<Answer> {
    const id = freshId("c");
    if (as !== null) this.#names.give(id, as);
    this.asked = command;
    try {
      const answer = await this.#connection.give(command, fields, id);
      this.said = saidBy(command, answer);
      return answer;
    } finally {
      this.#names.forget(id);
      this.asked = null;
    }
  }

  #heard(event: TableEvent): void {
    this.log = [...this.log, event];
    if (event.type.startsWith("Dispute") || event.type === "FloatEntered") void this.#readDecided();
    this.#following.event(event);
  }

  #changed(view: TableView): void {
    const first = this.view === null;
    this.view = view;
    if (first) {
      void this.#readLog(view.seq);
      void this.#readDecided();
    }
    void this.#readPayments(view);
  }

  /** Reads the log from its end to its beginning; what is new comes by the socket. */
  async #readLog(until: number): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    for (let page = 0, end = until; page < MOST_PAGES && end > 0 && !this.#ended; page += 1) {
      const after = Math.max(0, end - PAGE);
      try {
        const earlier = await this.house.events(this.table, after, end - after);
        const known = this.log[0]?.seq ?? Infinity;
        this.log = [...earlier.filter((event) => event.seq < known), ...this.log];
        end = after;
      } catch {
        await new Promise((then) => setTimeout(then, REST));
      }
    }
  }

  async #readDecided(): Promise<void> {
    try {
      const { open, advances } = await this.house.decisions(this.table);
      this.disputes = open;
      this.advances = advances;
    } catch (problem) {
      // If the house is unreachable, the next event or opening the console tries again.
      if (!(problem instanceof Problem)) throw problem;
    }
  }

  /** Asks for the payments when a number was called; how many were made, the table says. */
  async #readPayments(view: TableView): Promise<void> {
    const settled = view.phase === "collecting" || view.phase === "paying";
    if (!settled) {
      // The last coup's stay to be looked at, all of them made, until the next number is called.
      const last = this.payments;
      if (last && view.phase !== "pocketed") {
        if (last.made < last.payments.length)
          this.payments = { ...last, made: last.payments.length };
      } else this.payments = null;
      this.#paymentsOf = "";
      return;
    }
    const known = this.payments;
    if (known?.coup === view.coup && known.number === view.number) {
      const made = known.payments.length - view.due;
      if (made !== known.made) this.payments = { ...known, made };
      return;
    }
    const asked = `${view.coup}:${view.number}`;
    if (asked === this.#paymentsOf) return;
    this.#paymentsOf = asked;
    const path = `/api/tables/${encodeURIComponent(this.table)}/payments`;
    try {
      const found = await this.house.get<CoupPayments>(path);
      if (found.number !== null && this.#paymentsOf === asked) this.payments = found;
    } catch (problem) {
      if (this.#paymentsOf === asked) this.#paymentsOf = "";
      if (!(problem instanceof Problem)) throw problem;
    }
  }
}

function saidBy(command: string, answer: Answer): Said | null {
  if (answer.kind === "ack") return null;
  if (answer.kind === "problem") {
    return { command, kind: "problem", why: answer.why, detail: answer.problem, articles: [] };
  }
  const { why, detail, articles } = answer;
  return { command, kind: "refused", why, detail, articles };
}
