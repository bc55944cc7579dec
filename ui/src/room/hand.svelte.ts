/** A player's hand at the screen: the chosen chip, the spot under the pointer, and actions. */
import type { Book, TableView } from "../api/types.ts";
import type { Results } from "../cloth/fate.ts";
import type { Look } from "../cloth/liveries.ts";
import { layoutOf, type Layout } from "../table/layout.ts";
import { denominations, gain } from "../table/money.ts";
import { hasTrack } from "../racetrack/track.ts";
import { t, words } from "../i18n/words.svelte.ts";
import { Autoplay, type Ending, type Seat } from "./autoplay.svelte.ts";
import { leastOf } from "./limits.ts";
import { piecesIn } from "./naming.ts";
import { isOpen } from "./phase.ts";
import type { Playing } from "./playing.svelte.ts";
import { prefs } from "./prefs.svelte.ts";
import { reading } from "./reading.svelte.ts";

/** What stands beside the cloth; on a phone, in a sheet. */
export type Panel = "slip" | "coups" | "decisions" | "table";

export class Hand implements Seat {
  readonly playing: Playing;
  buying = $state(false);
  keeping = $state(false);
  settings = $state(false);
  /** Whether the keys of the table are listed. */
  keys = $state(false);
  sheet = $state<Panel | "race" | null>(null);
  panel = $state<Panel>("slip");
  hovered = $state<string | null>(null);
  /** Spots that are lit from outside the cloth: the pieces of a call, or a line of the slip. */
  lit = $state.raw<string[] | null>(null);
  touch = $state(false);
  #chosen = $state(0);

  constructor(playing: Playing) {
    this.playing = playing;
  }

  readonly me = $derived.by(() => this.playing.me?.name ?? "");
  readonly you = $derived.by(() => this.playing.view?.you ?? null);
  readonly isLost = $derived.by(() => this.playing.wasOpen && this.playing.standing !== "open");
  readonly locked = $derived.by(() => {
    const view = this.playing.view;
    return !view || !isOpen(view) || this.isLost || this.playing.clock.late;
  });
  /** The chips of the rail; none of them is too little for every spot of the table. */
  readonly chips = $derived.by(() => {
    const { view, book } = this.playing;
    const chip = this.you?.chip ?? view?.chip ?? 100;
    return denominations(chip, view && book ? leastOf(view, book) : chip);
  });
  readonly chip = $derived.by(() =>
    this.chips.includes(this.#chosen) ? this.#chosen : this.chips[0]!,
  );
  /** Whether the player has chosen a chip, and not only found one that lay ready. */
  readonly hasChosen = $derived.by(() => this.#chosen !== 0);
  readonly own = $derived.by(() => {
    const view = this.playing.view;
    return view ? layoutOf(view, this.me) : [];
  });
  /** The look of the chips that one holds. */
  readonly livery = $derived.by((): Look => {
    const seat = this.playing.seats[this.me];
    return seat?.hasValueChips ? "value" : (seat?.livery ?? 0);
  });
  readonly takesCalls = $derived.by(() => this.playing.book !== null && hasTrack(this.playing.book));
  readonly called = $derived.by(() => this.playing.view?.number ?? null);
  /** What became of the player's stakes, once the number is called. */
  readonly results = $derived.by((): Results | null => {
    const why = this.called === null ? null : this.playing.hearing.why;
    if (!why) return null;
    // An explanation has only the first lines of many; the event of the call has them all.
    const settled = (this.playing.view?.settled ?? []).map(
      ({ id, won = 0, lost = 0, returned = 0, held = 0 }) => ({ id, won, lost, returned, held }),
    );
    return Object.fromEntries([...settled, ...why.lines].map((line) => [line.id, line]));
  });
  /** What the coup brings, once the number is called. */
  readonly net = $derived.by(() => {
    const why = this.called === null ? null : this.playing.hearing.why;
    return why && why.lines.length > 0 ? why.won - why.lost : null;
  });
  readonly coups = $derived.by(() => this.playing.history.coups);
  readonly choices = $derived.by(
    () => this.playing.view?.prison.filter((each) => each.pending && each.player === this.me) ?? [],
  );
  readonly replays = $derived.by(
    () => this.playing.view?.replays.filter((each) => each.player === this.me) ?? [],
  );

  /** Whether the ball may be asked for: nobody else plays, and there is nothing to choose. */
  readonly maySpin = $derived.by(() => this.isAlone && this.choices.length === 0);

  /** Rounds that are played of themselves. */
  readonly autoplay: Autoplay = new Autoplay(this);

  /** Whether one is the only player at a table that the house deals by the clock. */
  readonly isAlone = $derived.by(() => {
    const { view, clock } = this.playing;
    if (!view?.you || view.ball !== "drawn" || clock.left === null) return false;
    if (view.players[this.me]?.away) return false;
    return clock.playing <= 1 && view.stakes.every((each) => each.player === this.me);
  });

  get view(): TableView | null {
    return this.playing.view;
  }

  hold(chip: number): void {
    this.#chosen = chip;
  }

  place = (spot: string): void => {
    if (!this.you) {
      this.buying = true;
      return;
    }
    void this.playing.play(
      (slip) => slip.place(spot, this.chip),
      t("room.told.laid", { amount: words.amount(this.chip), spot: this.#word(spot) }),
    );
  };

  take = (spot: string): void =>
    void this.playing.play(
      (slip, live) => slip.takeBack(live, spot, this.chip),
      t("room.told.taken", { spot: this.#word(spot) }),
    );

  /** Takes a whole line of the slip back. */
  takeBet = (bet: { on?: string; call?: string; amount: number }): void =>
    void this.playing.play((slip, live) =>
      bet.call === undefined
        ? slip.takeBack(live, bet.on ?? "", bet.amount)
        : slip.takeBackCall(live, bet.call),
    );

  move = (id: string, spot: string): void =>
    void this.playing.play(
      (slip, live) => slip.move(live, id, spot),
      t("room.told.moved", { spot: this.#word(spot) }),
    );

  announce = (call: string): void => {
    const book = this.playing.book;
    if (!this.you) this.buying = true;
    else if (book)
      void this.playing.play((slip) => slip.announce(call, this.chip * piecesIn(book, call)));
  };

  spin = (): void => void this.playing.spin(prefs.turbo);

  undo = (): void =>
    void this.playing.play((slip) => slip.undo(), t("room.told.undone"));

  clear = (): void =>
    void this.playing.play((slip, live) => slip.clear(live), t("room.told.cleared"));

  double = (): void => void this.playing.play((slip, live) => slip.double(live));

  repeat = (): void =>
    void this.playing.play((slip, live) => slip.repeat(live, this.playing.earlier));

  lay = (layout: Layout): void => void this.playing.play((slip) => slip.lay(layout));

  layWhole(layout: Layout, clears: boolean): Promise<boolean> {
    return this.playing.layWhole(layout, clears);
  }

  /** Automatic play has ended: says why, and what it brought. */
  ended(ending: Ending, played: number, net: number): void {
    const told = t("room.auto.over", { count: played, net: gain(net, words.language) });
    this.playing.toasts.show("plain", `${told} ${t(`room.auto.endings.${ending}`)}`);
  }

  light = (spots: string[] | null): void => {
    this.lit = spots;
  };

  /** A tap on a cloth that takes no stakes is explained by the house. */
  tapped = (): void => {
    if (this.locked && this.hovered) void this.playing.explainClosed(this.hovered, this.chip);
  };

  /** Keys of the play itself, while the focus is on the cloth or the rail. */
  keyed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLInputElement && event.target.type !== "radio") return;
    const pick = this.chips[Number(event.key) - 1];
    if (pick !== undefined) this.hold(pick);
    else if (event.key === "u") this.undo();
    else if (event.key === "b") reading.show();
    else if (event.key === "?") this.keys = true;
    else return;
    event.preventDefault();
  };

  #word(spot: string): string {
    return this.playing.book?.spots[spot]?.word ?? spot;
  }
}

/** What a layout of the screen is given once table and book are there. */
export interface Laid {
  hand: Hand;
  view: TableView;
  book: Book;
}
