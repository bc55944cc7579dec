/**
 * What an event changes in the view of a table, where the change can be read off the event itself.
 * Whatever the rules decide is not worked out here: `null` says that the house has to be asked.
 */
import type {
  Announced,
  EventData,
  EventName,
  EventOf,
  LyingStake,
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

/** Gives to (or, below zero, takes from) the viewer's purse, if it is theirs. */
function toPurse(view: TableView, player: string, amount: number): TableView {
  const you = view.you;
  if (!you || you.player !== player || amount === 0) return view;
  return { ...view, you: { ...you, purse: you.purse + amount } };
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
  if (!you || you.player !== data.player) return next;
  const amount = event.yours?.amount;
  if (amount === undefined) return null;
  const { colour, chip, value_chips } = data;
  return { ...next, you: { ...you, colour, chip, value_chips, purse: you.purse + amount } };
}

function without<Value>(all: Record<string, Value>, key: string): Record<string, Value> {
  const { [key]: _, ...others } = all;
  return others;
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
  TableSuspended: (view) => ({ ...view, suspended: true, replays: [] }),
  // What a placard that binds means for each spot, the house says.
  LimitsChanged: (view, data) =>
    data.from_next_coup ? { ...view, limits_coming: data.limits } : null,
  LastGamesAnnounced: (view, data) => ({ ...view, games_left: data.games }),

  PlayerSat: (view, data) => seat(view, data.player, {}),
  PlayerSteppedAway: (view, data) => seat(view, data.player, { away: true }),
  PlayerCameBack: (view, data) => seat(view, data.player, { away: false }),
  PlayerLeft: (view, data) =>
    view.you?.player === data.player
      ? null
      : {
          ...view,
          players: without(view.players, data.player),
          draw:
            view.draw && view.phase !== "closed"
              ? { ...view.draw, hashes: without(view.draw.hashes, data.player) }
              : view.draw,
        },
  ChipsBought: buy,

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

  BallChainCommitted: (view, { number, tip, length }) => ({
    ...view,
    chain: { number, tip, length },
    draw: null,
  }),
  BallCommitted: (view, { spin, chain, place, commitment }) => ({
    ...view,
    draw: { spin, chain, place, commitment, hashes: {}, opened: {} },
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
  ExceptionGranted: same,
  DisputeRaised: same,
  DisputeWithdrawn: same,
  DisputeDecided: same,
  LastBetsCalled: same,
};
