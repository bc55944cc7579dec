/** Made-up evenings: players, stakes, prisoners and what became of them, always the same. */
import type { Book, InPrison, LyingStake, Pocket } from "../api/types";
import { laidKind } from "../cloth/liveries";
import { covered, pieces } from "../cloth/spots";
import type { Results } from "../cloth/fate";
import type { Seats } from "../cloth/stacks";

/** A small generator with a seed, so that a picture can be compared with that of yesterday. */
function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function seatsOf(count: number): Seats {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`p${at}`, { livery: at, you: at === 0 }]),
  );
}

/** Who plays value chips, where the house takes them. */
const HAS_VALUE_CHIPS = "p3";

export function stake(
  book: Book,
  id: string,
  player: string,
  on: string,
  amount: number,
): LyingStake {
  const chips = laidKind(book, on, player === HAS_VALUE_CHIPS);
  return { id, player, on, amount, chips, announcement: null, call: null };
}

/** So many stakes of so many players, rather on the numbers than beside them. */
export function crowd(book: Book, players: number, count: number, seed = 37): LyingStake[] {
  const roll = dice(seed);
  const spots = Object.keys(book.spots);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(roll() * from.length)] as T;
  return Array.from({ length: count }, (_, at) =>
    stake(book, `s${at}`, `p${at % players}`, pick(spots), 100 * pick([1, 1, 1, 2, 3, 5, 8, 20])),
  );
}

/** A quiet table: four players, a few stakes each, of every kind that the house has. */
export function few(book: Book): LyingStake[] {
  const wanted: [string, string, number][] = [
    ["p0", "17", 300],
    ["p0", "14/17", 200],
    ["p0", "16/20", 500],
    ["p0", "red", 1000],
    ["p1", "17/20", 200],
    ["p1", "0/1/2/3", 300],
    ["p1", "0/00/1/2/3", 300],
    ["p1", "0/2", 200],
    ["p2", "00", 400],
    ["p0", "0/00", 200],
    ["p2", "0/00/2", 100],
    ["p0", "00/2", 100],
    ["p3", "00/2/3", 100],
    ["p1", "black", 2500],
    ["p2", "32", 400],
    ["p2", "28/33", 600],
    ["p2", "d2", 1000],
    ["p2", "17", 100],
    ["p3", "c3", 800],
    ["p3", "0", 200],
    ["p3", "7/9", 300],
    ["p0", "d1+d2", 400],
    ["p1", "c1+c2", 600],
    ["p2", "low+d3", 400],
    ["p3", "8/11", 100],
    ["p1", "26", 100],
  ];
  const stakes = wanted
    .filter(([, on]) => on in book.spots)
    .map(([player, on, amount], at) => stake(book, `s${at}`, player, on, amount));
  for (const [call] of Object.entries(book.cloth.spaces))
    stakes.push(
      ...pieces(book, call).map((on, at) => ({
        ...stake(book, `${call}${at}`, call === "voisins" ? "p1" : "p0", on, 100),
        announcement: `a-${call}`,
        call,
      })),
    );
  return stakes;
}

export function prisoners(book: Book): InPrison[] {
  const wanted: [string, string, number][] = [
    ["p0", "red", 1000],
    ["p1", "red", 500],
    ["p2", "even", 300],
    ["p0", "high", 200],
  ];
  return wanted
    .filter(([, on]) => on in book.cloth.prison)
    .map(([player, on, amount], at) => ({
      id: `k${at}`,
      player,
      on,
      amount,
      chips: laidKind(book, on),
      zeros: 1,
      pending: false,
      offer: null,
    }));
}

/** What the stakes got, for pictures only: the house alone settles. */
export function results(book: Book, stakes: readonly LyingStake[], number: Pocket): Results {
  return Object.fromEntries(
    stakes.map(({ id, on, amount }) => {
      const [n = 0, d = 1] = book.spots[on]?.pays ?? [];
      const won = covered(book, on).includes(number) ? Math.floor((amount * n) / d) : 0;
      return [id, { won, lost: won ? 0 : amount, returned: 0, held: 0 }];
    }),
  );
}
