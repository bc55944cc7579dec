import { describe, expect, it } from "vitest";
import { books } from "../gallery/books.ts";
import { byColour, cameOut, coldest, counted, hottest } from "./numbers.ts";

describe("the numbers that came out", () => {
  const all = counted([17, 5, 17, 0, 5, 17], books.it.wheel);

  it("are counted, with how long ago", () => {
    expect(all[17]).toEqual({ number: 17, times: 3, ago: 0 });
    expect(all[0]).toEqual({ number: 0, times: 1, ago: 2 });
    expect(all[36]).toEqual({ number: 36, times: 0, ago: 6 });
  });

  it("have some that came often and some that did not", () => {
    expect(hottest(all).map((each) => each.number)).toEqual([17, 5, 0]);
    expect(coldest(all, 2).map((each) => each.number)).toEqual([1, 2]);
    expect(hottest(counted([], books.it.wheel))).toEqual([]);
  });

  it("count from when they lie, though the coup is not over", () => {
    const coup = (coup: number, number: number | null) => ({ coup, number });
    expect(cameOut([], { coup: 1, number: null, last_numbers: [] })).toEqual([]);
    expect(cameOut([], { coup: 1, number: 17, last_numbers: [17] })).toEqual([17]);
    // The coup is over, and the house was not asked for it yet.
    expect(cameOut([], { coup: 2, number: null, last_numbers: [17] })).toEqual([17]);
    const one = [coup(1, 17)];
    expect(cameOut(one, { coup: 2, number: null, last_numbers: [17] })).toEqual([17]);
    expect(cameOut(one, { coup: 2, number: 5, last_numbers: [17, 5] })).toEqual([17, 5]);
    // The house has published it before the ball is seen to fall.
    const two = [...one, coup(2, 5)];
    expect(cameOut(two, { coup: 2, number: null, last_numbers: [17] })).toEqual([17, 5]);
  });

  it("have colours", () => {
    expect(byColour([17, 5, 0, 5], [5])).toEqual({ red: 2, black: 1, green: 1 });
    expect(byColour([17, "00", 0, 5], [5])).toEqual({ red: 1, black: 1, green: 2 });
  });
});
