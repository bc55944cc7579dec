/**
 * Checks the drawn numbers of a table in the browser: the same checks as `verify_ball.py`, held
 * against the same test vectors (`docs/vectors/ball.json`).
 */
import type { Coup, Pocket } from "../api/types.ts";
import { committed, drawn, pocketsOf, textHash } from "./ball.ts";
import type { Note, Proof } from "./proof.ts";

export type Problem =
  | "wrong_secret"
  | "repeated_secret"
  | "changed_commitment"
  | "unbound_stake"
  | "recommitted"
  | "ghost_nonce"
  | "late_nonce"
  | "changed_nonce"
  | "dropped_nonce"
  | "wrong_number"
  | "left_out"
  | "dropped_coup"
  | "history_changed"
  | "unreadable";

type Data = Record<string, unknown>;
/** Player → text or hash; a map, for a name may be any word. */
type Texts = Map<string, string>;
type Check = (data: Data, seq: number) => void | Promise<void>;

/** What a player's own machine notes down besides the events that it receives. */
const NOTES = new Set(["Connected", "Committing", "Opening"]);
/** The longest valid chain; a longer one would only keep the browser busy. */
const LONGEST = 1_000_000;

class Unreadable extends Error {}

function text(data: Data, key: string): string {
  const value = data[key];
  if (typeof value !== "string") throw new Unreadable(key);
  return value;
}

function whole(data: Data, key: string): number {
  const value = data[key];
  if (!Number.isInteger(value)) throw new Unreadable(key);
  return value as number;
}

/** A number of a wheel; which wheel, the zeros say. */
function pocket(data: Data, key: string): Pocket {
  const value = data[key];
  if (!Number.isInteger(value) && typeof value !== "string") throw new Unreadable(key);
  return value as Pocket;
}

function texts(data: Data, key: string): Texts {
  const value = data[key];
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Unreadable(key);
  if (Object.values(value).some((each) => typeof each !== "string")) throw new Unreadable(key);
  return new Map(Object.entries(value as Record<string, string>));
}

function list(data: Data, key: string): unknown[] {
  const value = data[key];
  if (!Array.isArray(value)) throw new Unreadable(key);
  return value;
}

interface Bound {
  spin: number;
  place: number;
  commitment: string;
}

export interface Counts {
  spins: number;
  yours: number;
  missed: number;
  withheld: number;
}

/** Follows a table's balls through events in order, and finds what is wrong with them. */
export class Follower {
  readonly problems: [Problem, number][] = [];
  readonly counts: Counts = { spins: 0, yours: 0, missed: 0, withheld: 0 };
  readonly chains: Record<string, number> = { opened: 0, used_up: 0, taken_up: 0 };
  /** Spin → what was revealed of it. */
  readonly revealed = new Map<number, Data>();
  #known = false;
  #chain: number | null = null;
  #tip: string | null = null;
  #length: number | null = null;
  #place = 0;
  #next: string | null = null;
  #bound: Bound | null = null;
  #spin: number | null = null;
  #closed = false;
  #number: Pocket | null = null;
  /** The zeros of the last commitment: a table has one wheel for all its spins. */
  #zeros: Pocket[] | null = null;
  #hashes: Texts = new Map();
  #opened: Texts = new Map();
  #seated: Set<string> | null = null;
  readonly #seen = new Set<string>();
  readonly #made = new Set<string>();
  readonly #opening = new Set<number>();
  readonly #stakes = new Set<string>();
  #returned = false;
  #highest = 0;
  #live: number | null = null;
  /** Whether the spin was closed when the player came, so that a server may have begun anew. */
  #foundClosed = false;
  readonly #checks: Record<string, Check> = {
    Connected: (data, seq) => this.#connected(data, seq),
    Committing: (data) => this.#committing(data),
    Opening: (data) => void this.#opening.add(whole(data, "spin")),
    TableSetUp: () => {
      this.#known = true;
      this.#seated = new Set();
    },
    BallChainCommitted: (data, seq) => this.#chainCommitted(data, seq),
    BallCommitted: (data, seq) => this.#ballCommitted(data, seq),
    NonceCommitted: (data) => this.#nonceCommitted(data),
    NonceOpened: (data) => this.#nonceOpened(data),
    StakePlaced: (data) => this.#stakePlaced(data),
    AnnouncementPlaced: (data) => this.#stakePlaced(data),
    StakesReturned: (data) => {
      const ids = list(data, "returned").map((each) => (each as unknown[])[0] as string);
      this.#returned = ids.some((id) => this.#stakes.has(id));
    },
    BettingClosed: () => {
      if (this.#known && (!this.#bound || this.#closed)) this.wrong("unbound_stake");
      this.#closed = true;
      this.#number = null;
      this.#returned = false;
    },
    BallRevealed: (data) => this.#ballRevealed(data),
    BallPocketed: (data) => {
      if (this.#known && pocket(data, "number") !== this.#number) this.#wrongNumber();
    },
    NumberCalled: (data) => {
      if (this.#number !== null && pocket(data, "pocket") !== this.#number) this.#wrongNumber();
    },
    NumberCorrected: () => this.#wrongNumber(),
    BallVoided: () => this.wrong("dropped_coup"),
    TableClosed: () => {
      if (this.#closed || this.#returned) this.wrong("dropped_coup");
    },
    PlayerSat: (data) => void this.#seated?.add(text(data, "player")),
    PlayerLeft: (data) => {
      this.#seated?.delete(text(data, "player"));
      if (!this.#closed) this.#hashes.delete(text(data, "player"));
    },
  };

  constructor(
    readonly table: string,
    readonly player: string | null = null,
    readonly own = false,
  ) {}

  /** Takes the next event, or the next note of the player's own machine. */
  async take(note: Note): Promise<void> {
    try {
      const isNote = NOTES.has(note.type);
      if (!isNote) this.#highest = Math.max(this.#highest, note.seq ?? 0);
      if (isNote && !this.own) return;
      if (Object.hasOwn(this.#checks, note.type))
        await this.#checks[note.type]!(note.data, note.seq ?? 0);
    } catch {
      this.wrong("unreadable");
    }
  }

  /** Notes a problem of a spin: the one that is bound or comes next, if none is named. */
  wrong(problem: Problem, spin: number | null = null): void {
    const coming = this.#bound ? this.#bound.spin : (this.#spin ?? 0) + 1;
    this.problems.push([problem, spin ?? coming]);
  }

  #wrongNumber(): void {
    this.wrong("wrong_number", this.#spin);
  }

  // What this player's machine noted -------------------------------------------------------------

  async #connected(data: Data, seq: number): Promise<void> {
    if (seq < this.#highest) this.wrong("history_changed");
    this.#live = seq;
    this.#foundClosed = data["closed"] === true;
    if (data["resumed"] && this.#known && seq >= this.#highest) return; // What was missed comes next.
    this.#known = true;
    this.#closed = data["closed"] === true;
    this.#seated = new Set(list(data, "players") as string[]);
    this.#bound = this.#next = this.#number = null;
    if (data["draw"]) await this.#stand(data["draw"] as Data);
  }

  /** A commitment that stood when the player came: it must belong to the chain's tip. */
  async #stand(draw: Data): Promise<void> {
    const [chain, place, length, spin] = ["chain", "place", "length", "spin"].map((key) =>
      whole(draw, key),
    ) as [number, number, number, number];
    if (!(place >= 1 && place <= length && length <= LONGEST)) throw new Unreadable("place");
    const [commitment, tip] = [text(draw, "commitment"), text(draw, "tip")];
    let hashed = commitment;
    for (let at = place - 1; at > 0; at -= 1) hashed = await committed(this.table, at, hashed);
    const same = this.#chain === chain;
    if (hashed !== tip || (same && this.#tip !== null && this.#tip !== tip))
      this.wrong("changed_commitment", spin);
    const back = spin <= (this.#spin ?? 0) || (same && place < this.#place);
    if (back || chain < (this.#chain ?? 0)) this.wrong("history_changed", spin);
    this.#zeros = this.#wheel(draw, spin);
    [this.#chain, this.#tip, this.#length, this.#place] = [chain, tip, length, place];
    this.#bound = { spin, place, commitment };
    this.#spin = spin - 1;
    this.#hashes = texts(draw, "hashes");
    this.#opened = texts(draw, "opened");
  }

  /** The zeros that an event says: those of the commitment before it, or something is wrong. */
  #wheel(data: Data, spin: number): Pocket[] {
    const zeros = Object.hasOwn(data, "zeros") ? data["zeros"] : [0];
    pocketsOf(zeros);
    if (this.#zeros && !equal(this.#zeros, zeros)) this.wrong("changed_commitment", spin);
    return zeros as Pocket[];
  }

  async #committing(data: Data): Promise<void> {
    const bound = [whole(data, "spin"), text(data, "commitment"), String(this.player)] as const;
    this.#made.add(await textHash(this.table, ...bound, text(data, "nonce")));
  }

  // Commitments ------------------------------------------------------------------------------------

  #chainCommitted(data: Data, seq: number): void {
    const [reason, tip] = [text(data, "reason"), text(data, "tip")];
    const [number, length] = [whole(data, "number"), whole(data, "length")];
    if (!Object.hasOwn(this.chains, reason)) throw new Unreadable("reason");
    if (this.#closed) this.wrong("dropped_coup");
    if (this.#seen.has(tip)) this.wrong("repeated_secret");
    const usedUp = !this.#bound && this.#place === (this.#length ?? this.#place);
    const isLive = this.#live !== null && seq > this.#live;
    const fits: Record<string, boolean> = {
      opened: this.#chain === null,
      used_up: this.#chain === null || usedUp,
      // A server that begins anew has ended every connection, and settles a closed spin first.
      taken_up: !isLive || (this.#foundClosed && !this.#bound),
    };
    const follows = this.#chain === null || number === this.#chain + 1;
    if (!fits[reason] || !follows) this.wrong("recommitted");
    this.chains[reason]! += 1;
    [this.#chain, this.#tip, this.#length, this.#place] = [number, tip, length, 0];
    this.#next = tip;
    this.#bound = null;
    this.#closed = false;
    this.#seen.add(tip);
  }

  #ballCommitted(data: Data, seq: number): void {
    const [chain, place, spin] = [whole(data, "chain"), whole(data, "place"), whole(data, "spin")];
    const commitment = text(data, "commitment");
    if (this.#chain !== null) {
      const fits = chain === this.#chain && place === this.#place + 1;
      if (!fits || place > (this.#length ?? place) || this.#bound)
        this.wrong("changed_commitment", spin);
    }
    if (this.#next !== null && commitment !== this.#next) this.wrong("changed_commitment", spin);
    if (this.#spin !== null && spin !== this.#spin + 1) this.wrong("left_out", spin);
    this.#zeros = this.#wheel(data, spin);
    this.#known = true;
    this.#returned = false;
    // The missed events say nothing of the spin that was closed when the player came back.
    this.#foundClosed &&= seq <= (this.#live ?? 0);
    [this.#chain, this.#place, this.#spin] = [chain, place, spin - 1];
    this.#bound = { spin, place, commitment };
    this.#next = null;
    this.#hashes = new Map();
    this.#opened = new Map();
    this.#seen.add(commitment);
  }

  // Texts ------------------------------------------------------------------------------------------

  #nonceCommitted(data: Data): void {
    const [player, hash] = [text(data, "player"), text(data, "hash")];
    if (!this.#known) return;
    if (!this.#bound || this.#closed || whole(data, "spin") !== this.#bound.spin)
      this.wrong("late_nonce");
    if (this.#seated && !this.#seated.has(player)) this.wrong("ghost_nonce");
    if (player === this.player && !this.#made.has(hash)) this.wrong("changed_nonce");
    this.#hashes.set(player, hash);
  }

  async #nonceOpened(data: Data): Promise<void> {
    const [player, nonce] = [text(data, "player"), text(data, "nonce")];
    if (!this.#known) return;
    if (!this.#bound || !this.#closed || whole(data, "spin") !== this.#bound.spin)
      this.wrong("late_nonce");
    else if (!this.#hashes.has(player)) this.wrong("ghost_nonce");
    else if (!(await this.#isCommitted(player, nonce))) this.wrong("changed_nonce");
    this.#opened.set(player, nonce);
  }

  async #isCommitted(player: string, nonce: string): Promise<boolean> {
    const { spin, commitment } = this.#bound!;
    return (await textHash(this.table, spin, commitment, player, nonce)) === this.#hashes.get(player);
  }

  // Stakes and the draw ----------------------------------------------------------------------------

  #stakePlaced(data: Data): void {
    if (this.#known && (!this.#bound || this.#closed)) this.wrong("unbound_stake");
    this.#returned = false;
    if (this.player !== null && this.player !== text(data, "player")) return;
    this.#stakes.add(text(data, "id"));
    for (const each of (data["stakes"] as Data[] | undefined) ?? []) this.#stakes.add(text(each, "id"));
  }

  async #ballRevealed(data: Data): Promise<void> {
    const [secret, spin] = [text(data, "secret"), whole(data, "spin")];
    const [nonces, withheld] = [texts(data, "nonces"), texts(data, "withheld")];
    if (this.#seen.has(secret)) this.wrong("repeated_secret", spin);
    if (this.#bound && spin === this.#bound.spin && this.#closed) {
      if ((await committed(this.table, this.#place, secret)) !== this.#bound.commitment)
        this.wrong("wrong_secret", spin);
      await this.#checkNonces(spin, nonces, withheld);
    } else if (this.#known) this.wrong("left_out", spin);
    const number = pocket(data, "number");
    const zeros = this.#wheel(data, spin);
    if ((await drawn(this.table, spin, secret, nonces, withheld, this.#zeros ?? zeros)) !== number)
      this.wrong("wrong_number", spin);
    const missed = this.player !== null && withheld.has(this.player);
    this.counts.spins += 1;
    this.counts.yours += Number(this.player !== null && nonces.has(this.player));
    this.counts.missed += Number(missed);
    this.counts.withheld += withheld.size - Number(missed);
    this.revealed.set(spin, data);
    this.#seen.add(secret);
    [this.#next, this.#spin, this.#number] = [secret, spin, number];
    this.#bound = null;
    this.#closed = false;
    this.#hashes = new Map();
    this.#opened = new Map();
  }

  async #checkNonces(spin: number, nonces: Texts, withheld: Texts): Promise<void> {
    for (const [player, nonce] of nonces) {
      if (!this.#hashes.has(player) || withheld.has(player)) this.wrong("ghost_nonce", spin);
      else if (!(await this.#isCommitted(player, nonce))) this.wrong("changed_nonce", spin);
      else if (this.#opened.get(player) !== nonce) this.wrong("late_nonce", spin);
    }
    for (const [player, hash] of withheld) {
      const mine = player === this.player && this.#opening.has(spin);
      if (!this.#hashes.has(player)) this.wrong("ghost_nonce", spin);
      else if (this.#hashes.get(player) !== hash) this.wrong("changed_nonce", spin);
      else if (this.#opened.has(player) || mine) this.wrong("dropped_nonce", spin);
    }
    for (const player of this.#hashes.keys())
      if (!nonces.has(player) && !withheld.has(player)) this.wrong("dropped_nonce", spin);
  }
}

/** What was found: each problem with its spin, what was counted, and new chains by their reason. */
export interface Verdict extends Counts {
  problems: [Problem, number][];
  chains: Record<string, number>;
}

/** Follows what a player's browser noted down. */
export async function followed(proof: Proof): Promise<Follower> {
  const follower = new Follower(proof.table, proof.player, true);
  for (const note of proof.notes) await follower.take(note);
  return follower;
}

/** All problems in a player's proof, in what the house publishes, and between the two. */
export async function verdict(
  proof: Proof | null,
  events: Note[],
  table: string,
): Promise<Verdict> {
  const followers: Follower[] = [];
  if (proof) followers.push(await followed(proof));
  if (events.length > 0) {
    const house = new Follower(proof?.table ?? table);
    const first = events[0]!.seq ?? 0;
    if (events.some((event, place) => event.seq !== first + place)) house.wrong("left_out", 0);
    for (const event of events) await house.take(event);
    followers.push(house);
  }
  if (proof && events.length > 0) compare(followers[0]!, proof.notes, events);
  const found = followers.flatMap((each) => each.problems);
  const once = new Map(found.map((each) => [each.join(" "), each]));
  const { counts, chains } = followers[0] ?? new Follower(table);
  const problems = [...once.values()].sort(
    (one, other) => one[1] - other[1] || (one[0] < other[0] ? -1 : 1),
  );
  return { problems, ...counts, chains };
}

/** Checks that the events that a player received are those that the house publishes now. */
function compare(mine: Follower, notes: Note[], events: Note[]): void {
  const told = new Map(events.map((event) => [event.seq, event]));
  const first = Math.min(...events.map((event) => event.seq ?? 0));
  for (const note of notes) {
    if (NOTES.has(note.type) || !note.seq || note.seq < first) continue;
    const other = told.get(note.seq);
    const same = Object.entries(note.data).every(([key, value]) => equal(other?.data[key], value));
    const spin = note.data["spin"];
    if (other?.type !== note.type || !same)
      mine.wrong("history_changed", typeof spin === "number" ? spin : 0);
  }
}

function equal(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  const [left, right] = [Object.entries(one), other as Data];
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  return (
    left.length === Object.keys(other).length &&
    left.every(([key, value]) => Object.hasOwn(right, key) && equal(value, right[key]))
  );
}

/** What the check of a coup found. */
export interface Checked {
  /** The secret hashes to what was published before betting. */
  bound: boolean;
  /** This browser saw the same secret and texts; null if it did not see the coup. */
  seen: boolean | null;
  /** The number that comes out here; null where the secret cannot be read. */
  drawn: Pocket | null;
  /** What the browser found in its own notes of that spin. */
  problems: Problem[];
  /** All of it is right. */
  good: boolean;
}

/**
 * Checks a coup of the house against what the browser recorded; null at a wheel. `zeros` are those of
 * the wheel in the table's rulebook.
 */
export async function check(
  table: string,
  coup: Coup,
  zeros: readonly Pocket[],
  mine: Follower | null = null,
): Promise<Checked | null> {
  const ball = coup.ball;
  if (!ball) return null;
  const problems = (mine?.problems ?? []).filter(([, spin]) => spin === ball.spin).map(([each]) => each);
  const known = mine?.revealed.get(ball.spin);
  const told: Data = { ...ball, number: coup.number };
  const keys = ["secret", "nonces", "withheld", "number"];
  const seen = known
    ? keys.every((key) => equal(told[key], known[key])) && equal(known["zeros"] ?? [0], zeros)
    : null;
  try {
    const bound = (await committed(table, ball.place, ball.secret)) === ball.commitment;
    const opened = new Map(Object.entries(ball.nonces));
    const withheld = new Map(Object.entries(ball.withheld));
    const number = await drawn(table, ball.spin, ball.secret, opened, withheld, zeros);
    const good = bound && number === coup.number && seen !== false && problems.length === 0;
    return { bound, seen, drawn: number, problems, good };
  } catch {
    return { bound: false, seen, drawn: null, problems, good: false };
  }
}
