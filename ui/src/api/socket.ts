/** The socket of one table: commands with their answers, events in order, and coming back. */
import { freshId } from "./ids.ts";
import type {
  Answer,
  ClockFrame,
  CommandName,
  Given,
  ServerMessage,
  TableEvent,
  TableView,
} from "./types.ts";

/** How the connection stands. `gone` means that it is no use to come back. */
export type Standing = "connecting" | "open" | "waiting" | "gone";

export interface Listener {
  /** The current table; `anew` if the events that were followed before do not lead to it. */
  table(view: TableView, anew: boolean): void;
  event(event: TableEvent): void;
  clock(frame: ClockFrame): void;
  standing(standing: Standing, code: number | null): void;
}

/** What the browser gives us; tests give another. */
export interface Wire {
  onopen: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: ((closing: { code: number }) => void) | null;
  send(data: string): void;
  close(): void;
}

export interface Surroundings {
  open(url: string): Wire;
  later(then: () => void, milliseconds: number): unknown;
  cancel(timer: unknown): void;
  /** Calls again and again until it is stopped. */
  every(then: () => void, milliseconds: number): unknown;
  stop(timer: unknown): void;
  random(): number;
}

export const BROWSER: Surroundings = {
  open: (url) => new WebSocket(url) as unknown as Wire,
  later: (then, milliseconds) => setTimeout(then, milliseconds),
  cancel: (timer) => clearTimeout(timer as number),
  every: (then, milliseconds) => setInterval(then, milliseconds),
  stop: (timer) => clearInterval(timer as number),
  random: Math.random,
};

const BAD_AFTER = 4400;
const BAD_TOKEN = 4401;
const NO_TABLE = 4404;
const SHORTEST_WAIT = 250;
const LONGEST_WAIT = 8000;
/** The close code of a connection that nobody closed. */
const LOST = 1006;
/**
 * The house says something every two seconds. A line that was silent for so many ticks is dead. Ticks
 * are counted, not the time: a page that was frozen has not listened.
 */
const TICK = 500;
const SILENT = 9;
const DOUBTFUL = 4;
/** A connection that is being made may take longer: a busy house answers late. */
const SILENT_WHILE_CONNECTING = 20;

interface Waiting {
  text: string;
  answered: (answer: Answer) => void;
}

/**
 * A connection that comes back by itself. It says `after` when it does, so that nothing is missed,
 * and sends again what was not answered, under the same id: the house does it once.
 */
export class Connection {
  readonly #url: (after: number | null) => string;
  readonly #listener: Listener;
  readonly #around: Surroundings;
  readonly #waiting = new Map<string, Waiting>();
  #wire: Wire | null = null;
  #seq: number | null = null;
  #tries = 0;
  #timer: unknown = null;
  #ended = false;
  #resuming = false;
  #watch: unknown = null;
  /** How many ticks have passed since the house last said something. */
  #silent = 0;

  constructor(
    table: string,
    token: string | null,
    listener: Listener,
    around: Surroundings = BROWSER,
    origin: string = typeof location === "undefined" ? "" : location.origin,
    /** The language in which coups are explained. */
    language: () => string | null = () => null,
  ) {
    const base = `${origin.replace(/^http/, "ws")}/api/tables/${encodeURIComponent(table)}/socket`;
    this.#url = (after) => {
      const asked = new URLSearchParams();
      if (token) asked.set("token", token);
      if (after !== null) asked.set("after", String(after));
      const spoken = language();
      if (spoken !== null) asked.set("language", spoken);
      const text = asked.toString();
      return text ? `${base}?${text}` : base;
    };
    this.#listener = listener;
    this.#around = around;
  }

  /** The last event received; code that fetches a newer table advances it with `heard`. */
  get seq(): number | null {
    return this.#seq;
  }

  connect(): void {
    if (this.#ended || this.#wire) return;
    this.#listener.standing("connecting", null);
    this.#open();
  }

  /** Connects anew, in another language or to ask how the table stands; nothing is missed. */
  renew(): void {
    const wire = this.#wire;
    // A line that may be dead is left to its watch, which says so.
    if (!wire || !this.#isReady || this.#silent > DOUBTFUL) return;
    this.#drop(wire);
    this.#isReady = false;
    this.#open();
  }

  #open(): void {
    const wire = this.#around.open(this.#url(this.#seq));
    this.#wire = wire;
    this.#resuming = this.#seq !== null;
    this.#silent = 0;
    this.#watch ??= this.#around.every(() => this.#tick(), TICK);
    wire.onmessage = (message) => this.#hear(message.data);
    wire.onclose = (closing) => this.#closed(wire, closing.code);
  }

  #tick(): void {
    this.#silent += 1;
    if (this.#silent >= (this.#isReady ? SILENT : SILENT_WHILE_CONNECTING)) this.lost();
  }

  /** The line is dead, even if the browser has not noticed: it is given up, and made anew. */
  lost(): void {
    const wire = this.#wire;
    if (!wire) return;
    this.#drop(wire);
    this.#closed(wire, LOST);
  }

  #drop(wire: Wire): void {
    wire.onmessage = wire.onclose = null;
    wire.close();
  }

  #unwatch(): void {
    this.#around.stop(this.#watch);
    this.#watch = null;
  }

  /** Comes back at once: the page is seen again, or the machine is online again. */
  hurry(): void {
    if (this.#ended || this.#wire) return;
    this.#around.cancel(this.#timer);
    this.#tries = 0;
    this.connect();
  }

  /** Leaves the table's socket for good. */
  end(): void {
    this.#ended = true;
    this.#around.cancel(this.#timer);
    this.#unwatch();
    const wire = this.#wire;
    this.#wire = null;
    if (wire) this.#drop(wire);
    for (const each of this.#waiting.values())
      each.answered({ kind: "problem", why: "lost", problem: "the connection was ended" });
    this.#waiting.clear();
  }

  /** Gives a command; the promise is kept when the house has answered, after a reconnection too. */
  give<C extends CommandName>(
    command: C,
    fields: Given<C> = {},
    id = freshId("c"),
    as: string | null = null,
  ): Promise<Answer> {
    return new Promise((answered) => {
      // Only the management says for whom it acts.
      const whose = as === null ? {} : { as };
      const text = JSON.stringify({ id, do: command, with: fields, ...whose });
      if (this.#ended) {
        answered({ kind: "problem", why: "lost", problem: "the connection was ended" });
        return;
      }
      this.#waiting.set(id, { text, answered });
      if (this.#isReady) this.#wire?.send(text);
    });
  }

  /** How many commands are not answered yet. */
  get unanswered(): number {
    return this.#waiting.size;
  }

  #isReady = false;

  #hear(data: unknown): void {
    if (typeof data !== "string") return;
    this.#silent = 0;
    const message = JSON.parse(data) as ServerMessage;
    if ("table" in message) this.#welcome(message.table);
    else if ("clock" in message) this.#listener.clock(message.clock);
    else if ("ack" in message) {
      const { ack, first, seq } = message;
      this.#answer(ack, { kind: "ack", first, seq });
    } else if ("refused" in message) {
      const { refused, why, articles, detail } = message;
      this.#answer(refused, { kind: "refused", why, articles, detail });
    } else if ("problem" in message) {
      const { id, why, problem } = message;
      this.#answer(id, { kind: "problem", why, problem });
    } else if ("seq" in message) this.#event(message);
  }

  #welcome(view: TableView): void {
    this.#tries = 0;
    this.#isReady = true;
    // After a reconnection the missed events come next, counted from where the client left.
    if (!this.#resuming) this.#seq = view.seq;
    this.#listener.standing("open", null);
    this.#listener.table(view, !this.#resuming);
    for (const each of this.#waiting.values()) this.#wire?.send(each.text);
  }

  #event(event: TableEvent): void {
    if (this.#seq !== null && event.seq <= this.#seq) return;
    this.#seq = event.seq;
    this.#listener.event(event);
  }

  #answer(id: string | null, answer: Answer): void {
    const waiting = id === null ? undefined : this.#waiting.get(id);
    if (id === null || !waiting) return;
    this.#waiting.delete(id);
    waiting.answered(answer);
  }

  #closed(wire: Wire, code: number): void {
    if (this.#wire !== wire) return;
    this.#wire = null;
    this.#isReady = false;
    this.#unwatch();
    if (this.#ended) return;
    if (code === BAD_AFTER) {
      // The log is shorter than what we saw: another house answers here now. Start over.
      this.#seq = null;
    }
    if (code === BAD_TOKEN || code === NO_TABLE) {
      this.#listener.standing("gone", code);
      for (const each of this.#waiting.values())
        each.answered({
          kind: "problem",
          why: "lost",
          problem: "the house does not know this session",
        });
      this.#waiting.clear();
      return;
    }
    const longest = Math.min(LONGEST_WAIT, SHORTEST_WAIT * 2 ** this.#tries);
    this.#tries += 1;
    // Jitter, so that clients do not all reconnect at the same moment.
    const wait = longest * (0.5 + this.#around.random() / 2);
    this.#listener.standing("waiting", code);
    this.#timer = this.#around.later(() => this.connect(), wait);
  }
}

/** Tells a connection what the browser knows of the network; returns how to stop. */
export function followNetwork(connection: () => Connection | null): () => void {
  const back = (): void => {
    if (document.visibilityState === "visible") connection()?.hurry();
  };
  const gone = (): void => connection()?.lost();
  window.addEventListener("online", back);
  window.addEventListener("offline", gone);
  document.addEventListener("visibilitychange", back);
  return () => {
    window.removeEventListener("online", back);
    window.removeEventListener("offline", gone);
    document.removeEventListener("visibilitychange", back);
  };
}
