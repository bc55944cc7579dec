/**
 * The slip: what a player does with their stakes until betting closes. Everything is a command to
 * the house and counts once the house has accepted it; a refusal changes nothing and is reported.
 */
import { freshId } from "../api/ids.ts";
import type { Answer, CommandName, Given, LyingStake, TableView } from "../api/types.ts";
import { layoutOf, missing, stakesOf, type Layout } from "./layout.ts";

type Give = <C extends CommandName>(command: C, fields: Given<C>) => Promise<Answer>;

export type Refusal = Exclude<Answer, { kind: "ack" }>;

/** The stake that is laid again, and whether all of it had been taken back. */
interface Again {
  id: string;
  whole: boolean;
}

/** What an action did, for undoing it. */
type Done =
  | { did: "placed"; id: string; again?: Again }
  | { did: "withdrew"; id: string; on: string; amount: number; whole: boolean }
  | { did: "withdrew call"; id: string; call: string; amount: number }
  | { did: "moved"; id: string; from: string };

/** An outcome: what the house refused, if anything, and whether there was anything to do. */
export interface Outcome {
  refused: Refusal[];
  done: number;
}

const NOTHING: Outcome = { refused: [], done: 0 };

export class Slip {
  readonly #give: Give;
  readonly #player: string;
  readonly #changed: () => void;
  #past: Done[][] = [];
  /** What was asked for and not answered yet: nothing is undone before it is. */
  #asked: Promise<unknown> = Promise.resolve();
  /** A stake that was taken back and laid anew has another id: old id → the ids it has now. */
  #now = new Map<string, string[]>();

  constructor(give: Give, player: string, changed: () => void = () => {}) {
    this.#give = give;
    this.#player = player;
    this.#changed = changed;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  /** What was done cannot be undone any more: betting has closed. */
  forget(): void {
    this.#past = [];
    this.#now.clear();
    this.#changed();
  }

  /** Lays an amount on a spot. */
  place(on: string, amount: number): Promise<Outcome> {
    return this.#act([this.#lay(on, amount)]);
  }

  /** Makes an announcement; `amount` is the whole of it. */
  announce(call: string, amount: number): Promise<Outcome> {
    return this.#act([this.#call(call, amount)]);
  }

  /** Lays a whole layout. */
  lay(layout: Layout): Promise<Outcome> {
    return this.#act(
      layout.map((bet) =>
        "on" in bet ? this.#lay(bet.on, bet.amount) : this.#call(bet.call, bet.amount),
      ),
    );
  }

  /** Lays once more all that lies there. */
  double(view: TableView): Promise<Outcome> {
    return this.lay(layoutOf(view, this.#player));
  }

  /** Lays what is missing for the cloth to look as it did in an earlier coup. */
  repeat(view: TableView, earlier: Layout): Promise<Outcome> {
    return this.lay(missing(earlier, layoutOf(view, this.#player)));
  }

  /** Takes up to an amount back from a spot, the last laid first; a call is taken back whole. */
  takeBack(view: TableView, on: string, amount: number): Promise<Outcome> {
    const there = stakesOf(view, this.#player).filter((stake) => stake.on === on);
    const last = there.at(-1);
    if (!last) return Promise.resolve(NOTHING);
    if (last.announcement !== null) return this.#act([this.#uncall(view, last.announcement)]);
    const steps: Promise<Answered>[] = [];
    let left = amount;
    for (const stake of there.reverse()) {
      if (left <= 0) break;
      if (stake.announcement !== null) continue;
      const part = Math.min(left, stake.amount);
      steps.push(this.#withdraw(stake, part));
      left -= part;
    }
    return this.#act(steps);
  }

  /** Takes every announcement of a call back. */
  takeBackCall(view: TableView, call: string): Promise<Outcome> {
    const own = view.announcements.filter(
      (each) => each.call === call && each.player === this.#player,
    );
    return this.#act(own.map((each) => this.#uncall(view, each.id)));
  }

  /** Takes everything back. */
  clear(view: TableView): Promise<Outcome> {
    const own = stakesOf(view, this.#player);
    const calls = new Set<string>();
    const steps: Promise<Answered>[] = [];
    for (const stake of own) {
      if (stake.announcement === null) steps.push(this.#withdraw(stake, stake.amount));
      else if (!calls.has(stake.announcement)) {
        calls.add(stake.announcement);
        steps.push(this.#uncall(view, stake.announcement));
      }
    }
    return this.#act(steps);
  }

  /** Moves a stake to another spot. */
  move(view: TableView, id: string, on: string): Promise<Outcome> {
    const stake = view.stakes.find((each) => each.id === id && each.player === this.#player);
    if (!stake || stake.on === on) return Promise.resolve(NOTHING);
    const answer = this.#give("MoveStake", { id, on });
    return this.#act([answered(answer, { did: "moved", id, from: stake.on })]);
  }

  /** Undoes the last action. */
  async undo(): Promise<Outcome> {
    await this.#asked;
    const last = this.#past.pop();
    this.#changed();
    if (!last) return NOTHING;
    const turned = last.reverse().flatMap((done) => this.#turned(done));
    this.#asked = Promise.all(turned);
    const all = await Promise.all(turned);
    for (const { done, answer } of all)
      for (const each of answer.kind === "ack" ? done : [])
        if (each.did === "placed" && each.again) this.#renamed(each.again, each.id);
    return outcome(all);
  }

  /** What was taken back lies there again under another id, beside what was left of it. */
  #renamed(again: Again, id: string): void {
    const ids = this.#now.get(again.id) ?? [again.id];
    const left = again.whole ? ids.filter((each) => each !== again.id) : ids;
    this.#now.set(again.id, [...left, id]);
  }

  #turned(done: Done): Promise<Answered>[] {
    const ids = this.#now.get(done.id) ?? [done.id];
    switch (done.did) {
      case "placed":
        return ids.map((id) => answered(this.#give("WithdrawStake", { id })));
      case "withdrew":
        return [this.#lay(done.on, done.amount, { id: done.id, whole: done.whole })];
      case "withdrew call":
        return [this.#call(done.call, done.amount, { id: done.id, whole: true })];
      case "moved":
        return ids.map((id) => answered(this.#give("MoveStake", { id, on: done.from })));
    }
  }

  #lay(on: string, amount: number, again?: Again): Promise<Answered> {
    const id = freshId("s");
    const fields = { id, player: this.#player, on, amount };
    return answered(this.#give("PlaceStake", fields), { did: "placed", id, again });
  }

  #call(call: string, amount: number, again?: Again): Promise<Answered> {
    const id = freshId("a");
    const fields = { id, player: this.#player, call, amount };
    return answered(this.#give("Announce", fields), { did: "placed", id, again });
  }

  #withdraw(stake: LyingStake, amount: number): Promise<Answered> {
    const whole = amount >= stake.amount;
    const answer = this.#give("WithdrawStake", { id: stake.id, ...(whole ? {} : { amount }) });
    return answered(answer, { did: "withdrew", id: stake.id, on: stake.on, amount, whole });
  }

  #uncall(view: TableView, id: string): Promise<Answered> {
    const announced = view.announcements.find((each) => each.id === id);
    const pieces = view.stakes.filter((stake) => stake.announcement === id);
    const amount = pieces.reduce((sum, stake) => sum + stake.amount, 0);
    const answer = this.#give("WithdrawStake", { id });
    if (announced?.amount === amount)
      return answered(answer, { did: "withdrew call", id, call: announced.call, amount });
    // Of a call that has won only the winners were left, and they are stakes like others.
    const each = pieces.map(
      (stake): Done => ({
        did: "withdrew",
        id: stake.id,
        on: stake.on,
        amount: stake.amount,
        whole: true,
      }),
    );
    return answered(answer, ...each);
  }

  async #act(steps: Promise<Answered>[]): Promise<Outcome> {
    if (steps.length === 0) return NOTHING;
    const before = this.#asked;
    const acting = this.#record(steps);
    this.#asked = Promise.all([before, acting]);
    return acting;
  }

  async #record(steps: Promise<Answered>[]): Promise<Outcome> {
    const all = await Promise.all(steps);
    const done = all.flatMap((each) => (each.answer.kind === "ack" ? each.done : []));
    if (done.length > 0) {
      this.#past.push(done);
      this.#changed();
    }
    return outcome(all);
  }
}

interface Answered {
  answer: Answer;
  done: Done[];
}

const answered = async (answer: Promise<Answer>, ...done: Done[]): Promise<Answered> => ({
  answer: await answer,
  done,
});

function outcome(all: Answered[]): Outcome {
  const refused = all.flatMap(({ answer }) => (answer.kind === "ack" ? [] : [answer]));
  return { refused, done: all.length - refused.length };
}
