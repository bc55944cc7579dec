/**
 * What the room says in each language. The words of the houses (the cloth, the calls, the articles)
 * are not here: they come from the rulebooks. A message that a language lacks fails the type check.
 */
import type { Counted, ZeroAgain } from "../api/types.ts";
import type { Hue } from "../table/seats.ts";
import type { Problem } from "../table/verify.ts";

/** What the house may refuse a player. */
export type PlayerWhy =
  | "table_not_open"
  | "table_is_closed"
  | "table_is_suspended"
  | "staff_does_not_play"
  | "not_seated"
  | "already_seated"
  | "player_is_away"
  | "player_is_not_away"
  | "stakes_on_the_cloth"
  | "nothing_in_custody"
  | "amount_not_positive"
  | "not_whole_chips"
  | "chip_must_halve_evenly"
  | "colour_in_play"
  | "no_colour_left"
  | "one_colour_per_player"
  | "chip_value_is_set"
  | "chip_not_a_multiple"
  | "chips_not_taken_here"
  | "chips_not_bought_here"
  | "exceeds_purse"
  | "id_in_use"
  | "no_such_spot"
  | "spot_not_on_this_cloth"
  | "exceeds_maximum"
  | "stake_below_minimum"
  | "chips_not_laid"
  | "announcement_not_taken"
  | "announcement_not_even"
  | "no_such_stake"
  | "not_their_stake"
  | "piece_of_an_announcement"
  | "more_than_staked"
  | "betting_is_closed"
  | "hands_off_until_paid"
  | "spot_is_being_paid"
  | "no_choice_pending"
  | "must_stay_in_prison"
  | "nothing_to_replay"
  | "replay_not_offered"
  | "table_was_stopped"
  | "id_reused"
  | "nonce_not_valid"
  | "nonce_not_now"
  | "no_stakes_in_that_coup"
  | "coup_is_disputed"
  | "dispute_is_decided"
  | "too_many_disputes"
  | "no_such_dispute"
  | "not_their_dispute"
  | "words_are_missing"
  | "out_of_bounds"
  | "not_for_you"
  | "name_of_staff"
  | "nobody_at_the_post"
  | "too_often"
  | "busy"
  | "out_of_play"
  | "store_failed"
  | "not_known"
  | "name_taken"
  | "no_money"
  | "own_limit"
  | "shut_out";

export interface Messages {
  common: {
    close: string;
    save: string;
    remove: string;
    again: string;
    lobby: string;
    loading: string;
    you: string;
    articles: string;
  };
  lobby: {
    welcome: string;
    lead: string;
    name: string;
    nameHint: string;
    comeIn: string;
    playingAs: (name: string) => string;
    playMoney: (amount: string) => string;
    players: (count: number) => string;
    none: string;
    noNumbers: string;
    sit: string;
    outOfPlay: string;
    drawn: string;
    wheel: string;
    chip: (amount: string) => string;
    noTables: string;
    unreachable: string;
    console: string;
    zero: { lose: string; partage: string; choice: string };
    announcements: string;
    noAnnouncements: string;
    open: string;
    openLead: string;
    table: string;
    rulebook: string;
    ball: string;
    chipWorth: string;
    least: string;
    most: string;
    nowhere: string;
  };
  phase: {
    opening: string;
    betting: string;
    lastBets: string;
    launched: string;
    choosing: string;
    closed: string;
    collecting: string;
    paying: string;
    ended: string;
    suspended: string;
    stopped: string;
    resting: string;
    gamesLeft: (count: number) => string;
  };
  seat: {
    title: string;
    lead: string;
    more: string;
    amount: string;
    colour: string;
    colourKind: string;
    valueKind: string;
    kind: string;
    chipWorth: (amount: string) => string;
    sit: string;
    buy: string;
    money: (amount: string) => string;
    tooMuch: string;
    noColour: string;
    purse: string;
    onCloth: string;
    playMoney: string;
    leave: string;
    leaveHint: string;
    away: string;
    awayNow: string;
    back: string;
    custody: (amount: string) => string;
    claim: string;
    empty: string;
    onlooker: string;
    closed: string;
  };
  rail: {
    chips: string;
    chip: (amount: string) => string;
    undo: string;
    clear: string;
    double: string;
    repeat: string;
    layouts: string;
    layoutName: string;
    lay: string;
    noLayouts: string;
    nothingToSave: string;
    hint: string;
    hintTouch: string;
  };
  slip: {
    title: string;
    empty: string;
    total: string;
    results: (coup: number) => string;
    won: string;
    lost: string;
    returned: string;
    held: string;
    stays: string;
    /** On the winning number, as the reduction made it. */
    reduced: string;
    /** What was counted out after a reduction, and what of the stakes is left beside it. */
    paid: (paid: string, stays: string) => string;
    aside: string;
    net: string;
    why: string;
    noStakes: string;
    /** A button: so many more lines than are shown. */
    more: (count: string) => string;
    prison: string;
  };
  /** Why a stake goes back when betting closes, unless something is added to it. */
  short: Record<Counted, (least: string) => string> & { some: (amount: string) => string };
  spot: {
    covers: string;
    pays: string;
    limits: string;
    least: (amount: string) => string;
    most: (amount: string) => string;
    noLimits: string;
    yours: string;
    halves: string;
    cloth: string;
    help: string;
  };
  track: {
    title: string;
    neighbours: string;
    finals: string;
    straight: string;
    across: string;
    along: string;
    others: string;
    pieces: string;
    sectors: string;
  };
  offers: {
    replay: (call: string) => string;
    rifare: string;
    completare: string;
    per_il_tutto: string;
    choice: (spot: string, amount: string) => string;
    choiceLead: string;
    half: (amount: string) => string;
    halfWorth: (amount: string) => string;
    prison: string;
    prisonWorth: (
      frees: number,
      takes: number,
      amount: string,
      worth: string,
      again: string,
    ) => string;
    zeroAgain: Record<ZeroAgain, string>;
    unchosen: string;
  };
  numbers: {
    last: string;
    none: string;
    counts: (coups: number) => string;
    hot: string;
    cold: string;
    memory: string;
    red: string;
    black: string;
    zero: string;
  };
  history: {
    title: string;
    empty: string;
    coup: (number: number) => string;
    nothing: string;
    check: string;
    checkAll: string;
    good: string;
    bad: string;
    none: string;
    bound: string;
    notBound: string;
    seen: string;
    changed: string;
    drawn: (number: number) => string;
    commitment: string;
    secret: string;
    texts: string;
    withheld: string;
    lead: string;
    save: string;
    yours: (spins: number) => string;
    missed: (spins: number) => string;
    others: (texts: number) => string;
    restarts: (times: number) => string;
    problems: Record<Problem, string>;
  };
  text: {
    title: string;
    lead: string;
    label: string;
    set: string;
    yours: (text: string) => string;
    none: string;
    hash: string;
    done: string;
  };
  placard: {
    title: string;
    spot: string;
    pays: string;
    least: string;
    most: string;
    none: string;
    enforced: string;
    policed: string;
  };
  people: {
    title: string;
    nobody: string;
    away: string;
    staff: string;
  };
  settings: {
    title: string;
    language: string;
    theme: string;
    system: string;
    light: string;
    dark: string;
    motion: string;
    moving: string;
    still: string;
    voice: string;
    voiceHint: string;
    noVoice: string;
    on: string;
    off: string;
  };
  line: {
    lost: string;
    safe: string;
    back: string;
    newGuest: (name: string) => string;
    noTable: string;
  };
  told: {
    won: (amount: string) => string;
    lost: (amount: string) => string;
    even: string;
    laid: (amount: string, spot: string) => string;
    taken: (spot: string) => string;
    moved: (spot: string) => string;
    undone: string;
    cleared: string;
    returned: (amount: string) => string;
    nothing: string;
    refused: string;
  };
  tabs: { slip: string; race: string; numbers: string; table: string; wheel: string };
  colours: Record<Hue, string>;
  refusals: Record<PlayerWhy, string>;
}
