/** How long the cloth's redrawing takes: what tests of the budgets ask for in a browser. */
import { flushSync } from "svelte";
import type { LyingStake } from "../api/types";

export interface Table {
  set(stakes: LyingStake[]): void;
  add(spot: string): void;
  crowd(players: number, count: number, seed: number): LyingStake[];
}

export interface Measured {
  /** Milliseconds of scripting for one stake more on a full cloth, in ascending order. */
  one: number[];
  /** The same for a full cloth of which every stake is another. */
  all: number[];
}

const frame = (): Promise<void> =>
  new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

export async function measure(table: Table, times = 12): Promise<Measured> {
  const full = (seed: number): LyingStake[] => table.crowd(50, 1000, seed);
  const timed = async (change: () => void): Promise<number> => {
    const start = performance.now();
    flushSync(change);
    const spent = performance.now() - start;
    await frame();
    return spent;
  };
  // The first time the looks of the chips are defined, and the code is still cold.
  for (let seed = 0; seed < 3; seed++) await timed(() => table.set(full(seed)));
  const one: number[] = [];
  const all: number[] = [];
  for (let time = 0; time < times; time++) {
    const next = full(100 + time);
    all.push(await timed(() => table.set(next)));
    one.push(await timed(() => table.add(String(time))));
  }
  const ascending = (a: number, b: number): number => a - b;
  return { one: one.sort(ascending), all: all.sort(ascending) };
}
