/** The results of a round, as the slip lists them. */
import { expect, test } from "vitest";
import type { WhyLine } from "../api/types.ts";
import { rowsOf } from "./results.ts";

const line = (id: string, more: Partial<WhyLine>): WhyLine => ({
  id,
  player: "ana",
  on: "17",
  amount: 100,
  won: 0,
  returned: 0,
  lost: 0,
  held: 0,
  stays: 0,
  aside: 0,
  freed: 0,
  reduced: 0,
  sentences: [],
  articles: [],
  ...more,
});

test("winners come first, and the pieces of an announcement are one row", () => {
  const voisins = { announcement: "a1", call: "voisins" };
  const rows = rowsOf([
    line("b1", { on: "red", lost: 100 }),
    line("p1", { ...voisins, on: "4/7", lost: 100 }),
    line("p2", { ...voisins, on: "19/22", won: 1700, stays: 100 }),
    line("b2", { on: "22", won: 3500, returned: 100 }),
    line("b3", { on: "low", lost: 500 }),
  ]);
  expect(rows.map((row) => [row.call, row.won - row.lost])).toEqual([
    [null, 3500],
    ["voisins", 1600],
    [null, -100],
    [null, -500],
  ]);
  const announced = rows[1]!;
  expect([announced.amount, announced.won, announced.lost, announced.stays]).toEqual([200, 1700, 100, 100]);
  expect(announced.lines.map((each) => each.on)).toEqual(["19/22", "4/7"]);
});

test("the same call announced twice is two rows", () => {
  const rows = rowsOf([
    line("p1", { announcement: "a1", call: "f4" }),
    line("p2", { announcement: "a2", call: "f4" }),
  ]);
  expect(rows.map((row) => row.id)).toEqual(["aa1", "aa2"]);
});
