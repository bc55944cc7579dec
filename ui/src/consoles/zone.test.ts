import { describe, expect, it } from "vitest";
import { books } from "../gallery/books";
import { inZone, readZone } from "./zone";

const book = books.es;
const numbers = Array.from({ length: 12 }, (_, n) => String(25 + n));

describe("what was typed for a zone", () => {
  it("is read spot by spot, each once, by notation or by a word of the house", () => {
    expect(readZone(book, " 25/30, 31/36\tD3 ROJO 31/36;")).toEqual({
      spots: ["25/30", "31/36", "d3", "red"],
      unknown: [],
    });
    expect(readZone(book, "")).toEqual({ spots: [], unknown: [] });
  });

  it("says what the cloth does not have", () => {
    expect(readZone(book, "25 37 voisins 3/4")).toEqual({
      spots: ["25"],
      unknown: ["37", "voisins", "3/4"],
    });
  });
});

describe("a zone", () => {
  it.each(["25", "31/34", "25/29", "31/36", "34/36"])("from 25 to 36 holds %s", (spot) => {
    expect(inZone(book, numbers, spot)).toBe(true);
    expect(inZone(book, ["25/30", "31/36"], spot)).toBe(true);
  });

  it.each(["5", "24", "22/25", "d3", "red", "c1", "d2+d3", "nonsuch"])(
    "from 25 to 36 does not hold %s",
    (spot) => {
      expect(inZone(book, numbers, spot)).toBe(false);
    },
  );

  it("holds a box that it names, and what lies across two of them", () => {
    expect(inZone(book, ["d2", "d3"], "d3")).toBe(true);
    expect(inZone(book, ["d2", "d3"], "d2+d3")).toBe(true);
    expect(inZone(book, ["d3"], "d2+d3")).toBe(false);
    // A dozen is a box of its own, and none of its numbers.
    expect(inZone(book, ["d3"], "31")).toBe(false);
    expect(inZone(book, [], "31")).toBe(false);
  });
});
