import { describe, expect, it } from "vitest";
import ar from "../gallery/fixtures/ar.json";
import es from "../gallery/fixtures/es.json";
import fr from "../gallery/fixtures/fr.json";
import fram from "../gallery/fixtures/fram.json";
import fran from "../gallery/fixtures/fran.json";
import type { Book } from "../api/types.ts";
import { kindsOf, mayChange, worthsOf } from "./worths.ts";

const book = (told: unknown): Book => told as Book;
const placard = (min: number, max: number, chip = 100) => ({
  chip,
  limits: { straight: { min, max } },
});

describe("the chips that a house sells", () => {
  it("are value chips alone, colours alone, or both", () => {
    expect(kindsOf(book(fr))).toEqual({ colour: false, value: true, valueAnywhere: true });
    expect(kindsOf(book(fram))).toEqual({ colour: true, value: false, valueAnywhere: false });
    expect(kindsOf(book(es))).toEqual({ colour: true, value: true, valueAnywhere: true });
    expect(kindsOf(book(ar)).value).toBe(false);
  });

  it("are value chips on the simple chances alone in the English roulette", () => {
    expect(kindsOf(book(fran))).toEqual({ colour: true, value: true, valueAnywhere: false });
  });
});

describe("the value of a colour", () => {
  it("lies between the limits of a straight, and is the minimum if nothing is said", () => {
    expect(worthsOf(book(fram), placard(100, 2000))).toEqual([100, 200, 500, 1000, 2000]);
    expect(worthsOf(book(fram), placard(300, 1000))).toEqual([300, 500, 1000]);
  });

  it("is even, so that every half is whole", () => {
    expect(worthsOf(book(fran), placard(5, 100, 2))).toEqual([10, 20, 40, 100]);
  });

  it("begins with the table's own chip where the house leaves it free", () => {
    expect(worthsOf(book(es), placard(100, 3000))[0]).toBe(100);
    expect(worthsOf(book(es), { chip: 2, limits: {} })).toEqual([2, 4, 10, 20, 40, 100]);
  });

  it("changes as the house says", () => {
    expect(mayChange(book(fran), 5000, true)).toBe(true);
    expect(mayChange(book(fram), 5000, false)).toBe(false);
    expect(mayChange(book(fram), 0, true)).toBe(false);
    expect(mayChange(book(fram), 0, false)).toBe(true);
  });
});
