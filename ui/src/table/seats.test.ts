import { describe, expect, it } from "vitest";
import { colours, freeColours, liveries, liveryOf } from "./seats.ts";

const seat = (colour: string | null): { colour: string | null; chip: number; away: boolean } => ({
  colour,
  chip: 100,
  away: false,
});

describe("liveries", () => {
  it("follow the colours of the house, and number them when they run out", () => {
    expect(colours(12).slice(-3)).toEqual(["grey", "blue 2", "orange 2"]);
    const worn = colours(40).map(liveryOf);
    expect([...worn].sort((one, other) => one! - other!)).toEqual([...Array(40).keys()]);
    expect(liveryOf("orange")).toBe(7);
    expect(liveryOf("orange 2")).toBe(17);
    expect(liveryOf(null)).toBeNull();
    expect(liveryOf("beige")).toBeNull();
  });

  it("are those of chips without a colour for who has none", () => {
    const seats = { ana: seat(null), luis: seat("blue"), eva: seat(null), max: seat("green") };
    const found = liveries(seats, "ana", "value");
    expect(found["ana"]).toEqual({ livery: "value", you: true });
    expect(found["luis"]).toEqual({ livery: 0, you: false });
    expect([found["eva"]?.livery, found["max"]?.livery]).toEqual(["value", 9]);
  });

  it("know which colours are free", () => {
    const free = freeColours({ ana: seat("blue"), luis: seat("green"), eva: seat(null) }, 4);
    expect(free).toEqual(["orange", "purple"]);
  });
});
