import { describe, expect, it } from "vitest";
import { byColour, coldest, counted, hottest } from "./numbers.ts";

describe("the numbers that came out", () => {
  const all = counted([17, 5, 17, 0, 5, 17]);

  it("are counted, with how long ago", () => {
    expect(all[17]).toEqual({ number: 17, times: 3, ago: 0 });
    expect(all[0]).toEqual({ number: 0, times: 1, ago: 2 });
    expect(all[36]).toEqual({ number: 36, times: 0, ago: 6 });
  });

  it("have some that came often and some that did not", () => {
    expect(hottest(all).map((each) => each.number)).toEqual([17, 5, 0]);
    expect(coldest(all, 2).map((each) => each.number)).toEqual([1, 2]);
    expect(hottest(counted([]))).toEqual([]);
  });

  it("have colours", () => {
    expect(byColour([17, 5, 0, 5], [5])).toEqual({ red: 2, black: 1, zero: 1 });
  });
});
