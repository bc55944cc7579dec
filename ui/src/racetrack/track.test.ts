import { describe, expect, it } from "vitest";
import { books } from "../gallery/books";
import { asWritten } from "../table/pockets";
import { arcs, COMPACT, hasTrack, oval, sectorCall, track, WIDE } from "./track";

describe("the racetrack", () => {
  it("is there where the house takes announcements", () => {
    expect(Object.values(books).map((book) => [book.id, hasTrack(book)])).toEqual([
      ["ar", false],
      ["es", false],
      ["it", true],
      ["bg", true],
      ["fr", false],
      ["fram", false],
      ["fran", true],
      ["esam", false],
      ["sd", false],
      ["triplezero", false],
    ]);
  });

  it.each(["it", "bg", "fran"] as const)("shows every call of %s once", (id) => {
    const drawn = track(books[id], WIDE);
    const shown = [
      ...drawn.zones.map((zone) => zone.call),
      ...drawn.others,
      ...drawn.finals.flatMap((each) => each.calls),
    ];
    expect(shown.sort()).toEqual(Object.keys(books[id].announcements).sort());
    expect(drawn.sector).toBe(books[id].sector);
  });

  it.each(["it", "bg", "fran"] as const)("shares the wheel of %s out over three zones", (id) => {
    const { zones } = track(books[id], WIDE);
    const outer = zones.filter((zone) => !zone.inner);
    expect(outer.map((zone) => zone.call)).toEqual(["voisins", "tiers", "orphelins"]);
    expect(outer.flatMap((zone) => zone.numbers).sort(asWritten)).toEqual(
      [...books[id].wheel].sort(asWritten),
    );
    const inner = "zerospiel" in books[id].announcements ? ["zerospiel"] : [];
    expect(zones.filter((zone) => zone.inner).map((zone) => zone.call)).toEqual(inner);
    for (const measures of [WIDE, COMPACT])
      for (const zone of track(books[id], measures).zones)
        expect(zone.room, zone.call).toBeGreaterThan(60);
    // From left to right: zero's own, its neighbours, the orphans, the third.
    const left = (call: string): number => zones.find((zone) => zone.call === call)?.middle.x ?? 0;
    const order = zones.map((zone) => zone.call).sort((a, b) => left(a) - left(b));
    expect(order).toEqual([...inner, "voisins", "orphelins", "tiers"]);
  });

  it("has the numbers in the wheel's order, clockwise, zero at the left", () => {
    const { cells } = track(books.it, WIDE);
    expect(cells.map((cell) => cell.number)).toEqual(books.it.wheel);
    expect(cells[0]?.middle.x).toBeCloseTo(WIDE.ring / 2);
    expect(cells[0]?.middle.y).toBeCloseTo(WIDE.height / 2);
    expect(cells[1]?.middle.y).toBeLessThan(WIDE.height / 2);
  });

  it.each([WIDE, COMPACT])("leaves each number a finger's breadth", (measures) => {
    const { cells } = track(books.it, measures);
    expect(measures.ring).toBeGreaterThanOrEqual(24);
    for (const [place, cell] of cells.entries()) {
      const next = cells[(place + 1) % cells.length];
      const far = Math.hypot(
        (next?.middle.x ?? 0) - cell.middle.x,
        (next?.middle.y ?? 0) - cell.middle.y,
      );
      expect(far).toBeGreaterThan(23.5);
    }
  });

  it("closes", () => {
    const at = oval(COMPACT);
    for (const inset of [0, 20, COMPACT.ring]) {
      expect(at(1, inset)).toEqual(at(0, inset));
      const just = at(0.999999, inset);
      expect(just.x).toBeCloseTo(at(0, inset).x, 2);
      expect(just.y).toBeCloseTo(at(0, inset).y, 2);
    }
  });

  it("knows stretches over the end of the order", () => {
    expect(arcs([0, 1, 2, 3, 4], new Set([4, 0, 2]))).toEqual([
      { from: 2, length: 1 },
      { from: 4, length: 2 },
    ]);
    expect(sectorCall(17, 2)).toBe("17~2");
  });
});
