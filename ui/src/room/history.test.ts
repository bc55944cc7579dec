import { describe, expect, test } from "vitest";
import { sample } from "../api/sample.ts";
import type { Coup, TableEvent } from "../api/types.ts";
import { History } from "./history.svelte.ts";

const row = (coup: number, number = 17, players: Coup["players"] = {}): Coup => ({
  coup,
  number,
  players,
  ball: null,
});
const ended = (coup: Coup | null, at = coup?.coup ?? 0): TableEvent => ({
  ...sample("CoupEnded", { coup: at }),
  coup,
});
const rest = (): Promise<void> => new Promise((then) => setTimeout(then));

/** A history whose house answers with what was last put before it. */
function following(...coups: Coup[]): { history: History; house: { coups: Coup[]; asked: number } } {
  const house = { coups, asked: 0 };
  const ask = (): Promise<Coup[]> => {
    house.asked += 1;
    return Promise.resolve(house.coups);
  };
  return { history: new History(ask), house };
}
const numbers = (history: History): number[] => history.coups.map((each) => each.coup);

describe("the coups of a table, as a player follows them", () => {
  test("are read once, and told by the events from then on", async () => {
    const { history, house } = following(row(1), row(2));
    await history.read();
    for (const coup of [3, 4, 5]) history.event(ended(row(coup)));
    await rest();
    expect(numbers(history)).toEqual([1, 2, 3, 4, 5]);
    expect(house.asked).toBe(1);
  });

  test("are asked for where an event of the past does not tell them, once for all of these", async () => {
    const { history, house } = following(row(1));
    await history.read();
    house.coups = [row(1), row(2), row(3), row(4)];
    for (const coup of [2, 3, 4]) history.event(ended(null, coup));
    await rest();
    expect(numbers(history)).toEqual([1, 2, 3, 4]);
    expect(house.asked).toBeLessThanOrEqual(3);
  });

  test("are asked for where one is missing", async () => {
    const { history, house } = following(row(1));
    await history.read();
    house.coups = [row(1), row(2)];
    history.event(ended(row(3)));
    await rest();
    expect(numbers(history)).toEqual([1, 2, 3]);
    expect(house.asked).toBe(2);
  });

  test("keep what an event told while the house was asked", async () => {
    const { history } = following(row(1), row(2));
    const reading = history.read();
    history.event(ended(row(3)));
    await reading;
    expect(numbers(history)).toEqual([1, 2, 3]);
  });

  test("change with what is chosen after zero", async () => {
    const sums = { won: 0, returned: 0, lost: 0, held: 100 };
    const { history, house } = following(row(1, 0, { ana: sums }));
    await history.read();
    const chosen = row(1, 0, { ana: { ...sums, held: 0, returned: 50, lost: 50 } });
    history.event({ ...sample("ChoiceMade"), coup: chosen });
    expect(history.coups).toEqual([chosen]);
    expect(house.asked).toBe(1);
  });

  test("are at most as many as the house gives", async () => {
    const { history } = following(...Array.from({ length: 100 }, (_, n) => row(n + 1)));
    await history.read();
    history.event(ended(row(101)));
    expect(history.coups).toHaveLength(100);
    expect(history.coups.at(-1)?.coup).toBe(101);
  });
});
