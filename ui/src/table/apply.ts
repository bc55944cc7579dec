/**
 * What an event changes in the view of a table, where the change can be read off the event itself.
 * Whatever the rules decide is not worked out here: `null` says that the house has to be asked.
 */
import type {
  Announced,
  EventData,
  EventName,
  EventOf,
  InPrison,
  LyingStake,
  SettledLine,
  TableChange,
  TableEvent,
  TableView,
} from "../api/types.ts";

type Change<T extends EventName> = (
  view: TableView,
  data: EventData[T],
  event: EventOf<T>,
) => TableView | null;
type Changes = { [T in EventName]?: Change<T> };

/** The view after an event, or null if only the house can say; `me` is the player who looks. */
export function applied(
  view: TableView,
  event: TableEvent,
  me: string | null = null,
): TableView | null {
  if (event.type === "Hidden") return { ...view, seq: event.seq };
  // Players who sit down see their own seat from then on, which no event has said before.
  if (event.type === "PlayerSat" && event.data.player === me) return null;
  const next = changed(view, event);
  return next && { ...next, seq: event.seq };
}

function changed<T extends EventName>(
  view: TableView,
  event: { [Kind in T]: EventOf<Kind> }[T],
): TableView | null {
  const change: Changes[T] = CHANGES[event.type];
  return change === undefined ? null : change(view, event.data, event);
}

/** Gives to (or, below zero, takes from) a player's purse, if the viewer sees it. */
function toPurse(view: TableView, player: string, amount: number): TableView {
  const { you, purses } = view;
  if (amount === 0) return view;
  const next = purses
    ? { ...view, purses: { ...purses, [player]: (purses[player] ?? 0) + amount } }
    : view;
  if (!you || you.player !== player) return next;
  return { ...next, you: { ...you, purse: you.purse + amount } };
}

/** Sets an amount aside for a player, if the viewer sees it. */
function setAside(view: TableView, player: string, amount: number): TableView {
  const { you, custody } = view;
  if (amount === 0) return view;
  const next = custody
    ? { ...view, custody: { ...custody, [player]: (custody[player] ?? 0) + amount } }
    : view;
  if (!you || you.player !== player) return next;
  return { ...next, you: { ...you, custody: you.custody + amount } };
}

function lay(view: TableView, placed: EventData["StakePlaced"]): TableView {
  const stake: LyingStake = {
    id: placed.id,
    player: placed.player,
    on: placed.on,
    amount: placed.amount,
    chips: placed.chips,
    announcement: placed.announcement ?? null,
    call: placed.call ?? null,
  };
  const next = {
    ...view,
    stakes: [...view.stakes, stake],
    // A name that is used anew no longer means what won under it.
    replays: view.replays.filter((each) => each.id !== stake.id),
  };
  return stake.chips === "foreign" ? next : toPurse(next, stake.player, -stake.amount);
}

/** Takes amounts off stakes and gives them to their owners. */
function take(view: TableView, amounts: Map<string, number>): TableView {
  let next = view;
  const stakes: LyingStake[] = [];
  for (const stake of view.stakes) {
    const taken = amounts.get(stake.id);
    if (taken === undefined) {
      stakes.push(stake);
      continue;
    }
    if (stake.chips !== "foreign") next = toPurse(next, stake.player, taken);
    if (stake.amount > taken) stakes.push({ ...stake, amount: stake.amount - taken });
  }
  return forgetEmpty(forgetOrders({ ...next, stakes }), view.announcements);
}

/** Drops corrections that were ordered for stakes that lie there no more. */
function forgetOrders(view: TableView): TableView {
  const lying = new Set(view.stakes.map((stake) => stake.id));
  return { ...view, orders: view.orders.filter((order) => lying.has(order.id)) };
}

/** Drops announcements of which nothing lies on the cloth any more. */
function forgetEmpty(view: TableView, announcements: Announced[]): TableView {
  const lying = new Set(view.stakes.map((stake) => stake.announcement));
  return { ...view, announcements: announcements.filter((each) => lying.has(each.id)) };
}

function announce(view: TableView, data: EventData["AnnouncementPlaced"]): TableView {
  const again = data.replays ?? data.id;
  let next: TableView = { ...view, replays: view.replays.filter((each) => each.id !== again) };
  const lifted = new Set(data.from_cloth ?? []);
  if (lifted.size > 0) {
    const amounts = view.stakes.filter((stake) => lifted.has(stake.id));
    next = take(next, new Map(amounts.map((stake) => [stake.id, stake.amount])));
  }
  for (const placed of data.stakes) next = lay(next, placed);
  const announced: Announced = {
    id: data.id,
    player: data.player,
    call: data.call,
    amount: data.amount,
  };
  const others = next.announcements.filter((each) => each.id !== data.id);
  return { ...next, announcements: [...others, announced] };
}

function move(view: TableView, data: { id: string; on: string }): TableView {
  let parted: string | null = null;
  const stakes = view.stakes.map((stake) => {
    if (stake.id !== data.id) return stake;
    parted = stake.announcement;
    return { ...stake, on: data.on, announcement: null, call: null };
  });
  const next = {
    ...view,
    stakes,
    replays: view.replays.filter((each) => each.id !== parted),
    // Moved once, it is where somebody wanted it.
    orders: view.orders.filter((order) => order.id !== data.id),
  };
  return parted === null ? next : forgetEmpty(next, view.announcements);
}

function withdraw(view: TableView, data: EventData["StakeWithdrawn"]): TableView {
  const amounts = new Map(Object.entries(data.amounts));
  const sum = Object.values(data.amounts).reduce((total, each) => total + each, 0);
  const next = take(view, amounts);
  return {
    ...next,
    announcements: next.announcements.map((each) =>
      each.id === data.id ? { ...each, amount: each.amount - sum } : each,
    ),
  };
}

function giveBack(view: TableView, data: EventData["StakesReturned"]): TableView | null {
  const imprisoned = new Set(view.prison.map((each) => each.id));
  if (data.returned.some(([id]) => imprisoned.has(id))) return null;
  return take(view, new Map(data.returned.map(([id, amount]) => [id, amount])));
}

/** Puts stakes without an owner into custody. */
function abandon(view: TableView, data: EventData["OrphanDeclared"]): TableView {
  const gone = new Set(data.stakes);
  const next = { ...view, stakes: view.stakes.filter((stake) => !gone.has(stake.id)) };
  return setAside(forgetEmpty(forgetOrders(next), view.announcements), data.player, data.amount);
}

type Lying = { id: string };
type Moved<Thing extends Lying> = { put?: Thing[]; gone?: string[] } | null | undefined;

/** The things that lie there after some were put there, changed or taken away. */
function moved<Thing extends Lying>(lying: Thing[], change: Moved<Thing>): Thing[] {
  if (!change) return lying;
  const put = new Map((change.put ?? []).map((each) => [each.id, each]));
  const gone = new Set(change.gone ?? []);
  const left = lying.filter((each) => !gone.has(each.id)).map((each) => put.get(each.id) ?? each);
  const known = new Set(lying.map((each) => each.id));
  return [...left, ...[...put.values()].filter((each) => !known.has(each.id))];
}

/** An event that may carry what it changed at the table. */
interface Carrier {
  change?: TableChange | null;
  offers?: Record<string, NonNullable<InPrison["offer"]>> | null;
}

/**
 * The table after the changes that an event carries; null if it carries none, and the house is
 * asked. So it is about the float that another placard demands.
 */
function carried(view: TableView, { change, offers }: Carrier): TableView | null {
  if (!change || (change.limits && view.float)) return null;
  const prison = moved(view.prison, change.prison);
  return {
    ...view,
    phase: change.phase ?? view.phase,
    due: change.due ?? view.due,
    stakes: moved(view.stakes, change.stakes),
    prison: offers
      ? prison.map((each) => ({ ...each, offer: offers[each.id] ?? each.offer }))
      : prison,
    replays: change.replays ?? view.replays,
    limits: change.limits ?? view.limits,
    limits_coming: change.limits ? null : view.limits_coming,
    limits_apart: change.limits_apart ?? view.limits_apart,
  };
}

/** Moves the money of lines, as far as the viewer sees it. */
function settle(view: TableView, lines: SettledLine[]): TableView {
  const lying = new Map([...view.stakes, ...view.prison].map((each) => [each.id, each.chips]));
  let next = view;
  for (const line of lines) {
    const { won = 0, lost = 0, held = 0, stays = 0, reduced = 0, aside = 0 } = line;
    const hand = line.amount + won - lost - held - stays - reduced - aside;
    const paidOut = hand >= won ? won : 0;
    // Chips of another table go back as they are.
    next = toPurse(next, line.player, lying.get(line.id) === "foreign" ? paidOut : hand);
    next = setAside(next, line.player, aside);
    if (typeof next.bank === "number") next = { ...next, bank: next.bank + lost - won };
  }
  return next;
}

/** The lines that an event settles; null if the viewer sees money, and did not see the call. */
function settling(view: TableView, which: (line: SettledLine) => boolean): SettledLine[] | null {
  if (view.settled) return view.settled.filter(which);
  return view.you || view.purses ? null : [];
}

function collect(view: TableView, event: EventOf<"LosersCollected">): TableView | null {
  const lines = settling(view, (line) => !line.won);
  const next = lines && carried(settle(view, lines), event);
  return next && { ...next, phase: "paying" };
}

function pay(view: TableView, event: EventOf<"WinnersPaid">): TableView | null {
  const { stakes, prison } = event.change ?? {};
  const paid = new Set([
    ...[...(stakes?.put ?? []), ...(prison?.put ?? [])].map((each) => each.id),
    ...(stakes?.gone ?? []),
    ...(prison?.gone ?? []),
  ]);
  const lines = settling(view, (line) => Boolean(line.won) && paid.has(line.id));
  const next = lines && carried(settle(view, lines), event);
  return next && { ...next, due: view.due - event.data.payments };
}

function end(view: TableView, event: EventOf<"CoupEnded">): TableView | null {
  const next = carried(view, event);
  if (!next) return null;
  const { coup, games_left } = event.data;
  const { settled: _, ...rest } = next;
  const over = { number: null, call: null, launched: false, directions: null };
  return forgetEmpty({ ...rest, ...over, coup: coup + 1, games_left }, view.announcements);
}

/** Money that only the player and the staff see. */
function told(event: EventOf<"TipGiven"> | EventOf<"CustodyClaimed">): {
  player: string;
  amount: number;
} {
  return { ...event.data, ...event.yours };
}

function seat(
  view: TableView,
  player: string,
  change: Partial<TableView["players"][string]>,
): TableView {
  const there = view.players[player] ?? { colour: null, chip: view.chip, away: false };
  return { ...view, players: { ...view.players, [player]: { ...there, ...change } } };
}

function buy(
  view: TableView,
  data: EventData["ChipsBought"],
  event: EventOf<"ChipsBought">,
): TableView | null {
  const next = seat(view, data.player, { colour: data.colour, chip: data.chip });
  const you = view.you;
  const isMine = you?.player === data.player;
  if (!isMine && !view.purses) return next;
  const amount = event.yours?.amount ?? data.amount;
  if (amount === undefined) return null;
  const { colour, chip, value_chips } = data;
  const mine = isMine ? { ...next, you: { ...you, colour, chip, value_chips } } : next;
  return toPurse(mine, data.player, amount);
}

function without<Value>(all: Record<string, Value>, key: string): Record<string, Value> {
  const { [key]: _, ...others } = all;
  return others;
}

/** A count of the float as the staff sees it; what it is counted for, the house has said before. */
function counted(
  view: TableView,
  { counted, expected, by }: EventData["FloatCounted"],
): TableView | null {
  const { float } = view;
  return float?.due
    ? { ...view, float: { ...float, due: { ...float.due, counted, expected, by } } }
    : null;
}

const same = (view: TableView): TableView => view;

/** The events that say themselves what they change. Those that are missing here are fetched. */
const CHANGES: Changes = {
  PostTaken: (view, data) => ({
    ...view,
    staff: { ...view.staff, [data.person]: data.post },
  }),
  PostLeft: (view, data) => ({
    ...view,
    staff: without(view.staff, data.person),
  }),
  // Whether a float is to be counted meanwhile, the house says.
  TableSuspended: (view) => (view.float ? null : { ...view, suspended: true, replays: [] }),
  TableInspected: (view) => ({ ...view, inspected: true }),
  TableOpened: (view, _, event) => carried(view, event),
  // What a placard that binds means for each spot, the house says.
  LimitsChanged: (view, data, event) =>
    data.from_next_coup ? { ...view, limits_coming: data.limits } : carried(view, event),
  FloatCounted: counted,
  FloatEntered: (view) => ({ ...view, float: view.float && { ...view.float, due: null } }),
  BankUncovered: (view) => ({ ...view, float: view.float && { ...view.float, uncovered: true } }),
  LastGamesAnnounced: (view, data) => ({ ...view, games_left: data.games }),

  PlayerSat: (view, data) => ({
    ...seat(view, data.player, {}),
    ...(view.purses && { purses: { ...view.purses, [data.player]: 0 } }),
  }),
  PlayerSteppedAway: (view, data) => seat(view, data.player, { away: true }),
  PlayerCameBack: (view, data) => seat(view, data.player, { away: false }),
  PlayerLeft: (view, data) =>
    view.you?.player === data.player
      ? null
      : {
          ...view,
          players: without(view.players, data.player),
          ...(view.purses && { purses: without(view.purses, data.player) }),
          draw:
            view.draw && view.phase !== "closed"
              ? { ...view.draw, hashes: without(view.draw.hashes, data.player) }
              : view.draw,
        },
  ChipsBought: buy,
  TipGiven: (view, _, event) => toPurse(view, told(event).player, -told(event).amount),
  CustodyClaimed: (view, _, event) => {
    const { player, amount } = told(event);
    const next = setAside(toPurse(view, player, amount), player, -amount);
    return next.custody ? { ...next, custody: without(next.custody, player) } : next;
  },

  StakePlaced: lay,
  AnnouncementPlaced: announce,
  StakeMoved: move,
  CorrectionOrdered: (view, data) => ({
    ...view,
    orders: [
      ...view.orders.filter((order) => order.id !== data.id),
      { id: data.id, on: data.on, by: data.by, reason: data.reason ?? "" },
    ],
  }),
  StakeWithdrawn: withdraw,
  StakesReturned: giveBack,
  OrphanDeclared: abandon,

  BallChainCommitted: (view, { number, tip, length }) => ({
    ...view,
    chain: { number, tip, length },
    draw: null,
  }),
  BallCommitted: (view, { spin, chain, place, commitment, zeros }) => ({
    ...view,
    draw: { spin, chain, place, commitment, zeros, hashes: {}, opened: {} },
  }),
  NonceCommitted: (view, { player, hash }) =>
    view.draw && {
      ...view,
      draw: { ...view.draw, hashes: { ...view.draw.hashes, [player]: hash } },
    },
  NonceOpened: (view, { player, nonce }) =>
    view.draw && {
      ...view,
      draw: { ...view.draw, opened: { ...view.draw.opened, [player]: nonce } },
    },
  BallLaunched: (view, data) => ({
    ...view,
    launched: true,
    spin: data.spin,
    directions: { wheel: data.wheel, ball: data.ball },
  }),
  BettingClosed: (view) => ({
    ...view,
    phase: "closed",
    replays: [],
    orders: [],
    // A stake for which nothing was chosen stays in prison.
    prison: view.prison.map((each) => (each.pending ? { ...each, pending: false, offer: null } : each)),
  }),
  BallRevealed: (view, data) => ({
    ...view,
    draw: null,
    last_numbers: [...view.last_numbers, data.number].slice(-20),
  }),
  BallPocketed: (view, data) => ({
    ...view,
    phase: "pocketed",
    number: data.number,
    last_numbers:
      view.ball === "wheel" ? [...view.last_numbers, data.number].slice(-20) : view.last_numbers,
  }),
  // Whether the ball is inspected after it left the wheel, the house says.
  BallVoided: (view, { cause }, event) => {
    const next = cause === "ball_out" ? null : carried(view, event);
    return next && { ...next, launched: false, directions: null };
  },
  BallInspected: (view) => ({ ...view, ball_to_inspect: false }),
  NumberCalled: (view, data, event) => {
    const next = carried(view, event);
    const { pocket: number, call } = data;
    const settled = data.lines ?? event.yours?.lines ?? [];
    return next && { ...next, phase: "collecting", number, call, settled };
  },
  LosersCollected: (view, _, event) => collect(view, event),
  WinnersPaid: (view, _, event) => pay(view, event),
  CoupEnded: (view, _, event) => end(view, event),
  ChoiceMade: (view, data, event) => carried(settle(view, [data.line]), event),

  ExceptionGranted: same,
  DisputeRaised: same,
  DisputeWithdrawn: same,
  DisputeDecided: same,
  LastBetsCalled: same,
};
