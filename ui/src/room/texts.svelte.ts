/**
 * The player's part in the ball of a drawn table: a fresh text for every spin, and the proof.
 *
 * A text is made here, after the casino has published its hash for the spin. Its own hash goes out
 * while betting is open, the text itself after the close. What was received and what was done is
 * noted down in order, and kept in the browser.
 */
import type { Give, TableEvent, TableView } from "../api/types.ts";
import { cleaned, freshText, textHash } from "../table/ball.ts";
import { isNoted, newest, type Note, type NotedEvent, type Proof } from "../table/proof.ts";
import { shelf } from "./shelf.ts";

interface Standing {
  spin: number;
  commitment: string;
}
/** The texts of one spin as they are kept for a page that is loaded again. */
interface Kept {
  commitment: string;
  texts: [string, string][];
}

/** How many notes are held, and how many of them are kept in the browser. */
const MOST = 6000;
const MOST_KEPT = 2500;
const SAVES_AFTER = 2000;
const WORDS = "novamas.words";

/** Where a browser keeps something of a player at a table. */
const keyOf = (what: string, table: string, player: string): string =>
  `novamas.${what}.${table}.${player}`;

/** What this browser keeps of the notes of a player, where the table itself is not open. */
export function keptProof(table: string, player: string | null): Proof {
  const kept = player === null ? null : shelf.read<Note[]>(keyOf("proof", table, player));
  return { novamas: "proof 1", table, player, notes: Array.isArray(kept) ? kept : [] };
}

export class Texts {
  /** Words of the player that stand in every text. */
  words = $state("");
  /** The text for the spin to come, once the casino has its hash. */
  text = $state<string | null>(null);

  readonly #table: string;
  readonly #give: Give;
  #player: string | null = null;
  #notes: Note[] = [];
  #seq = 0;
  #isSeated = false;
  #isClosed = false;
  #standing: Standing | null = null;
  /** The hash of this player that the casino has for it. */
  #hash: string | null = null;
  /** Hash → the text behind it, for the commitment that stands. */
  readonly #made = new Map<string, string>();
  #making: Standing | null = null;
  #saving: ReturnType<typeof setTimeout> | null = null;

  constructor(table: string, give: Give) {
    this.#table = table;
    this.#give = give;
    this.words = cleaned(shelf.getItem(WORDS) ?? "");
  }

  /** What was seen and done, to be checked here or by anybody else. */
  proof(): Proof {
    const { notes, player } = { notes: [...this.#notes], player: this.#player };
    return { novamas: "proof 1", table: this.#table, player, notes };
  }

  /** Uses other words, for the spin to come too. */
  use(words: string): void {
    this.words = cleaned(words);
    shelf.setItem(WORDS, this.words);
    this.#made.clear();
    this.#making = null;
    void this.#commit();
  }

  /** The table as it stands after connecting; `resumed` if what was missed comes next. */
  connected(view: TableView, player: string, resumed: boolean): void {
    if (view.ball !== "drawn") return;
    if (player !== this.#player) this.#become(player);
    const draw = view.draw && view.chain
      ? { ...view.draw, tip: view.chain.tip, length: view.chain.length }
      : null;
    const closed = view.phase === "closed";
    const data = { draw, players: Object.keys(view.players), resumed, closed };
    this.#note({ type: "Connected", seq: view.seq, data });
    this.#seq = view.seq;
    this.#isSeated = Boolean(view.you);
    this.#isClosed = closed;
    this.#stand(draw && { spin: draw.spin, commitment: draw.commitment });
    this.#knows((draw && Object.hasOwn(draw.hashes, player) && draw.hashes[player]) || null);
    if (draw && Object.hasOwn(draw.opened, player)) return;
    void this.#commit();
    this.#open();
  }

  event(event: TableEvent): void {
    if (this.#player === null || !isNoted(event)) return;
    const { seq, at, type, data } = event;
    // The stakes of others say nothing of the ball, and would fill the browser.
    const ofOthers = (type === "StakePlaced" || type === "AnnouncementPlaced") && !this.#isMine(event);
    if (!ofOthers) this.#note({ seq, at, type, data });
    if (seq <= this.#seq) return; // It was missed, and the table as it stands knows of it already.
    if (type === "BallChainCommitted" || type === "BallRevealed") {
      this.#isClosed = false;
      this.#stand(null);
    } else if (type === "BallCommitted") {
      this.#stand({ spin: data.spin, commitment: data.commitment });
    } else if (type === "BettingClosed") {
      this.#isClosed = true;
    } else if (this.#isMine(event)) {
      if (type === "NonceCommitted") this.#knows(data.hash);
      else if (type === "PlayerSat") this.#isSeated = true;
      else if (type === "PlayerLeft") this.#isSeated = false;
    }
    void this.#commit();
    this.#open();
  }

  /** Keeps what is noted down, for when the page is opened again. */
  save(): void {
    if (this.#saving !== null) clearTimeout(this.#saving);
    this.#saving = null;
    if (this.#player !== null) shelf.write(this.#key("proof"), newest(this.#notes, MOST_KEPT));
  }

  #isMine({ data }: NotedEvent): boolean {
    return "player" in data && data.player === this.#player;
  }

  #key(what: string): string {
    return keyOf(what, this.#table, this.#player ?? "");
  }

  /** Goes on with what this player noted down before. */
  #become(player: string): void {
    this.save();
    this.#player = player;
    this.#notes = keptProof(this.#table, player).notes;
  }

  #stand(standing: Standing | null): void {
    if (standing?.commitment !== this.#standing?.commitment) this.#made.clear();
    this.#standing = standing;
    this.#hash = this.text = null;
    const kept = standing && this.#made.size === 0 ? shelf.read<Kept>(this.#key("texts")) : null;
    if (kept?.commitment === standing?.commitment)
      for (const [hash, text] of kept?.texts ?? []) this.#made.set(hash, text);
  }

  #knows(hash: string | null): void {
    this.#hash = hash;
    this.text = this.#made.get(hash ?? "") ?? null;
  }

  /** Makes a text, where none was made for this commitment yet. */
  async #commit(): Promise<void> {
    const [standing, player] = [this.#standing, this.#player];
    const isReady = this.#isSeated && !this.#isClosed && this.#made.size === 0;
    if (!standing || player === null || !isReady || this.#making === standing) return;
    this.#making = standing;
    const text = freshText(this.words);
    const { spin, commitment } = standing;
    const hash = await textHash(this.#table, spin, commitment, player, text);
    if (this.#making === standing) this.#making = null;
    if (this.#standing !== standing || this.#isClosed) return;
    this.#made.set(hash, text);
    shelf.write(this.#key("texts"), { commitment, texts: [...this.#made] } satisfies Kept);
    this.#note({ type: "Committing", data: { spin, commitment, nonce: text } });
    this.#give("CommitNonce", { commitment, hash });
  }

  /** Opens the text whose hash the casino has, once betting has closed. */
  #open(): void {
    const text = this.#isClosed ? this.#made.get(this.#hash ?? "") : undefined;
    if (text === undefined || !this.#standing) return;
    this.#made.delete(this.#hash!);
    this.#note({ type: "Opening", data: { spin: this.#standing.spin, nonce: text } });
    this.#give("OpenNonce", { nonce: text });
  }

  #note(note: Note): void {
    this.#notes.push(note);
    this.#notes = newest(this.#notes, MOST);
    this.#saving ??= setTimeout(() => this.save(), SAVES_AFTER);
  }
}
