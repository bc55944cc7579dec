import { describe, expect, it } from "vitest";
import { books } from "../gallery/books";
import { leastOf } from "./limits.ts";
import { paysText } from "./naming.ts";

describe("the least of a table", () => {
  const kinds = new Set(Object.values(books.ar.spots).map((spot) => spot.class));
  const all = Object.fromEntries([...kinds].map((kind) => [kind, { min: 500 }]));

  it("is the smallest minimum of any spot, so that the rail has a chip for it", () => {
    expect(leastOf({ limits: all, limits_apart: {} }, books.ar)).toBe(500);
    expect(leastOf({ limits: all, limits_apart: { "17": { min: 200 } } }, books.ar)).toBe(200);
  });

  it("is nothing where a spot has no minimum", () => {
    const some = { ...all, straight: { max: 5000 } };
    expect(leastOf({ limits: some, limits_apart: {} }, books.ar)).toBe(0);
  });
});

describe("what a spot pays", () => {
  it("is told of a straddle too: a half pays as the box that wins", () => {
    expect(paysText(books.ar, "17")).toBe("35:1");
    expect(paysText(books.ar, "d1+d2")).toBe("½ × 2:1");
    expect(paysText(books.ar, "low+d3")).toBe("½ × 1:1 / ½ × 2:1");
  });
});
