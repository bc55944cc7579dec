import { describe, expect, it } from "vitest";
import { asWritten, colourOf, isRun, isZero, pocketNamed, zerosOf } from "./pockets.ts";

const wheel = [0, 28, 2, "00", 27, 1, "000", 10];

describe("a pocket", () => {
  it("is a zero if nothing else is written on it", () => {
    expect([0, "00", "000"].map(isZero)).toEqual([true, true, true]);
    expect([10, 20, "0", "10", ""].map(isZero)).toEqual([false, false, false, false, false]);
  });

  it("is green if it is a zero, and else red or black", () => {
    expect([0, "00", "000", 1, 2].map((each) => colourOf([1], each))).toEqual([
      "green",
      "green",
      "green",
      "red",
      "black",
    ]);
  });

  it("is written after the zeros that have fewer figures", () => {
    expect([...wheel].sort(asWritten)).toEqual([0, "00", "000", 1, 2, 10, 27, 28]);
  });

  it("is among the zeros of its wheel, if it is one", () => {
    expect(zerosOf(wheel)).toEqual([0, "00", "000"]);
  });

  it("is found by what is written on it", () => {
    expect(pocketNamed(wheel, "0")).toBe(0);
    expect(pocketNamed(wheel, "00")).toBe("00");
    expect(pocketNamed(wheel, "10")).toBe(10);
    expect(pocketNamed(wheel, "010")).toBeNull();
    expect(pocketNamed([0, 1], "00")).toBeNull();
  });
});

it("numbers run on as long as none is left out and none is a further zero", () => {
  expect(isRun([1, 2, 3])).toBe(true);
  expect(isRun([1, 3])).toBe(false);
  expect(isRun([0, "00", 1, 2, 3])).toBe(false);
});
