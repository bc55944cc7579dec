import { describe, expect, it } from "vitest";
import { books } from "../gallery/books";
import {
  centre,
  geometry,
  hitAt,
  hits,
  path,
  towards,
  TOUCH,
  type Arrow,
  type Orientation,
} from "./geometry";
import { breadth, label, words } from "./lettering";
import { bareLook, figureSize, laidKind, livery, lookOf, shortAmount } from "./liveries";
import { HUES } from "./look.generated";
import { bySpot, coveredBy, headRows, neighbours, odds, pieces } from "./spots";
import { fan, height, Stacker, type Seats } from "./stacks";

const PHONE = 374;
const houses = Object.values(books);
/** The room for the cloth on a phone and on a desk; the last of each is short of height. */
const rooms: [Orientation, number, number][] = [
  ["portrait", PHONE, 700],
  ["portrait", PHONE, 600],
  ["landscape", 810, 560],
  ["landscape", 810, 330],
];
const cases = houses.flatMap((book) =>
  rooms.map(([orientation, wide, high]) => [book.id, orientation, wide, high, book] as const),
);

describe.each(cases)("the cloth of %s, %s in %i × %i", (_, orientation, wide, high, book) => {
  const drawn = geometry(book, orientation, wide / high);
  const { view } = drawn;
  const px = Math.min(wide / (view.right - view.left), high / (view.bottom - view.top));
  const areas = hits(drawn, px);

  it("has an area for every spot of the book and for no other", () => {
    expect(new Set(areas.map((area) => area.spot))).toEqual(new Set(Object.keys(book.spots)));
    expect(areas.filter((area) => area.first)).toHaveLength(Object.keys(book.spots).length);
  });

  it("plays a spot where its chip lies", () => {
    for (const [spot, points] of drawn.points)
      for (const point of points) expect(hitAt(areas, point)?.spot).toBe(spot);
  });

  it("plays a spot in the middle of its area", () => {
    for (const area of areas)
      if (!drawn.boxes.some((box) => box.spot === area.spot))
        expect(hitAt(areas, centre(area.rect))?.spot).toBe(area.spot);
  });

  it("leaves every spot a piece as wide as a finger needs, and as high where there is room", () => {
    // What is left of an area under those above it is sampled as pieces of the touch size.
    // A second row of zeros leaves a little less.
    const finger = headRows(book).length > 1 ? TOUCH - 2.5 : TOUCH - 0.5;
    const side = finger / px;
    const tall = orientation === "portrait" && high < 700 ? side * 0.84 : side;
    if (orientation === "landscape" && px < TOUCH) return;
    const free = new Set<string>();
    for (const area of areas) {
      if (free.has(area.spot)) continue;
      const { left, top, right, bottom } = area.rect;
      const step = Math.max(0.01, Math.min((right - left - side) / 12, (bottom - top - tall) / 12));
      search: for (let x = left; x + side <= right + 1e-9; x += step)
        for (let y = top; y + tall <= bottom + 1e-9; y += step) {
          const grid = [0.02, 0.25, 0.5, 0.75, 0.98];
          const all = grid.every((dx) =>
            grid.every(
              (dy) => hitAt(areas, { x: x + dx * side, y: y + dy * tall })?.spot === area.spot,
            ),
          );
          if (all) {
            free.add(area.spot);
            break search;
          }
        }
    }
    expect(areas.map((area) => area.spot).filter((spot) => !free.has(spot))).toEqual([]);
  });

  it("fits on a phone when it is upright, with all that is touched", () => {
    const { left, right, top, bottom } = drawn.view;
    for (const { rect } of areas) {
      expect(rect.left).toBeGreaterThanOrEqual(left);
      expect(rect.right).toBeLessThanOrEqual(right);
      expect(rect.top).toBeGreaterThanOrEqual(top);
      expect(rect.bottom).toBeLessThanOrEqual(bottom);
    }
    const tallest = 732 + 50 * (headRows(book).length - 1);
    if (orientation === "portrait") expect(((bottom - top) / 15) * 390).toBeLessThan(tallest);
    // It fills the room as far as it may be stretched.
    const filled = Math.max(((right - left) * px) / wide, ((bottom - top) * px) / high);
    expect(filled).toBeCloseTo(1, 6);
    if (orientation === "portrait") expect(((right - left) * px) / wide).toBeGreaterThan(0.99);
  });

  it("keeps every word inside its box", () => {
    for (const text of words(book, drawn, px)) {
      const half = (breadth(text.text) * text.size) / 2;
      const [x, y] = text.turn ? [text.size / 2, half] : [half, text.size / 2];
      const boxes = [...drawn.boxes.map((box) => box.rect), ...drawn.spaces.values()];
      const around = boxes.filter(
        (box) =>
          box.left < text.at.x &&
          text.at.x < box.right &&
          box.top < text.at.y &&
          text.at.y < box.bottom,
      );
      expect(around, text.text).toHaveLength(1);
      expect(text.at.x - x, text.text).toBeGreaterThanOrEqual((around[0]?.left ?? 0) - 0.01);
      expect(text.at.x + x, text.text).toBeLessThanOrEqual((around[0]?.right ?? 0) + 0.01);
      expect(text.at.y - y, text.text).toBeGreaterThanOrEqual((around[0]?.top ?? 0) - 0.01);
      expect(text.at.y + y, text.text).toBeLessThanOrEqual((around[0]?.bottom ?? 0) + 0.01);
      expect(text.size * px, text.text).toBeGreaterThan(6);
    }
  });

  it("lets the arrow keys reach every spot", () => {
    const start = areas.find((area) => area.spot === "17");
    if (!start) throw new Error("no 17");
    const reached = new Set([start]);
    const waiting = [start];
    for (let from = waiting.pop(); from; from = waiting.pop())
      for (const arrow of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"] as const) {
        const next = towards(areas, from.at, arrow);
        if (next && !reached.has(next)) {
          reached.add(next);
          waiting.push(next);
        }
      }
    expect([...new Set([...reached].map((area) => area.spot))].sort()).toEqual(
      Object.keys(book.spots).sort(),
    );
  });

  it("keeps prison lines and spaces clear of the boxes, inside the picture", () => {
    const { left, top, right, bottom } = drawn.view;
    for (const { start, end } of drawn.prison.values())
      for (const at of [start, end]) {
        expect(at.x).toBeGreaterThan(left);
        expect(at.x).toBeLessThan(right);
        expect(at.y).toBeGreaterThan(top);
        expect(at.y).toBeLessThan(bottom);
        expect(hitAt(areas, at)).toBeNull();
      }
    for (const space of drawn.spaces.values())
      expect(hitAt(areas, centre(space))).toBeNull();
  });
});

describe("the arrows", () => {
  const { it: italian } = books;
  const areas = hits(geometry(italian, "landscape"), 30);
  const from = (spot: string) => {
    const found = areas.find((area) => area.spot === spot);
    if (!found) throw new Error(spot);
    return found.at;
  };
  it.each([
    ["17", "ArrowRight", "17/20"],
    ["17", "ArrowLeft", "14/17"],
    ["17", "ArrowUp", "17/18"],
    ["17/20", "ArrowUp", "17/21"],
    ["1", "ArrowDown", "1/3"],
    ["1", "ArrowLeft", "0/1"],
  ] as const)("go from %s with %s to %s", (spot, arrow, next) => {
    expect(towards(areas, from(spot), arrow)?.spot).toBe(next);
  });
  it("stay where there is nothing", () => {
    expect(towards(areas, from("0"), "ArrowLeft")).toBeNull();
  });
});

describe.each(["landscape", "portrait"] as const)("two zeros at the head, %s", (orientation) => {
  const drawn = geometry(books.sd, orientation);
  const areas = hits(drawn, 26);
  const [left, right, up, down] =
    orientation === "portrait"
      ? (["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const)
      : (["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight"] as const);
  const go = (spot: string, arrow: Arrow): string | undefined => {
    const from = areas.find((area) => area.spot === spot);
    if (!from) throw new Error(spot);
    return towards(areas, from.at, arrow)?.spot;
  };

  it("are walked along their line, spot by spot", () => {
    const line = [
      "0/00/1/2/3",
      "0/1",
      "0/1/2",
      "0/2",
      "0/00/2",
      "00/2",
      "00/2/3",
      "00/3",
      "0/00/1/2/3",
    ];
    for (const [at, spot] of line.entries()) {
      const next = line[at + 1];
      if (next && at > 0) expect(go(spot, right)).toBe(next);
      if (next && at + 1 < line.length - 1) expect(go(next, left)).toBe(spot);
    }
  });

  it("are reached from the numbers, and left to them", () => {
    expect(go("2", up)).toBe("0/00/2");
    expect(go("0/00/2", up)).toBe("0/00");
    expect(go("0/00", left)).toBe("0");
    expect(go("0/00", right)).toBe("00");
    expect(go("0", right)).toBe("0/00");
    expect(go("1", up)).toBe("0/1");
    expect(go("0/1", up)).toBe("0");
    expect(go("00/3", up)).toBe("00");
    expect(go("00/3", down)).toBe("3");
  });

  it("play the five at both ends of their line", () => {
    const points = drawn.points.get("0/00/1/2/3") ?? [];
    expect(points).toHaveLength(2);
    for (const point of points) expect(hitAt(areas, point)?.spot).toBe("0/00/1/2/3");
    expect(areas.filter((area) => area.spot === "0/00/1/2/3").map((area) => area.first)).toEqual([
      true,
      false,
    ]);
  });

  it("lie in their rows", () => {
    expect(headRows(books.it)).toEqual([[0]]);
    expect(headRows(books.sd)).toEqual([[0, "00"]]);
    expect(headRows(books.triplezero)).toEqual([["000"], [0, "00"]]);
  });
});

describe("stacks", () => {
  const book = books.it;
  const drawn = geometry(book, "landscape");
  const seats: Seats = { ana: { livery: 0, you: true }, luis: { livery: 1, you: false } };
  const stake = (id: string, player: string, on: string, amount = 100, announced?: string) => ({
    id,
    player,
    on,
    amount,
    chips: "colour" as const,
    announcement: announced ? `${player} ${announced}` : null,
    call: announced ?? null,
  });
  const asked = { book, drawn, prison: [], seats, chip: 100, dolly: null };

  it("make one of a player's stakes on a spot, and fan those who share it", () => {
    const own = [stake("1", "ana", "17"), stake("2", "ana", "17", 300)];
    const stakes = [...own, stake("3", "luis", "17")];
    const [place] = new Stacker().places({ ...asked, stakes });
    expect(place?.stacks.map((each) => [each.player, each.amount, each.ids])).toEqual([
      ["luis", 100, ["3"]],
      ["ana", 400, ["1", "2"]],
    ]);
    const [one, other] = place?.stacks ?? [];
    expect(one?.at).not.toEqual(other?.at);
  });

  it("are the same objects where nothing changed", () => {
    const stacker = new Stacker();
    const stakes = [stake("1", "ana", "17"), stake("2", "luis", "20")];
    const before = stacker.places({ ...asked, stakes });
    const after = stacker.places({ ...asked, stakes: [...stakes, stake("3", "ana", "20")] });
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  it("lie in their space while an announcement waits, and on the winning piece after", () => {
    const calls = [...new Set(book.announcements["voisins"])];
    const stakes = calls.map((on, at) => stake(String(at), "ana", on, 100, "voisins"));
    const waiting = new Stacker().places({ ...asked, stakes });
    expect(waiting.map((place) => [place.kind, place.spot])).toEqual([["space", "voisins"]]);
    expect(waiting[0]?.stacks[0]?.amount).toBe(calls.length * 100);
    const out = new Stacker().places({ ...asked, stakes, dolly: 22 });
    expect(out.map((place) => place.spot)).toEqual(["19/22"]);
  });

  it("of chance chips look the same for everybody, and each is still its owner's", () => {
    const chances = ["ana", "luis"].map((player, at) => ({
      ...stake(String(at), player, "red"),
      chips: "chance" as const,
    }));
    const [place] = new Stacker().places({ ...asked, stakes: chances });
    expect(place?.stacks.map((each) => [each.player, each.livery, each.yours])).toEqual([
      ["luis", "chance", false],
      ["ana", "chance", true],
    ]);
  });

  it("of value chips lie beside a player's colour, and look like no colour", () => {
    const value = { ...stake("2", "ana", "17", 500), chips: "value" as const };
    const stacker = new Stacker();
    const [before] = stacker.places({ ...asked, stakes: [stake("1", "ana", "17"), value] });
    expect(before?.stacks.map((each) => [each.livery, each.amount])).toEqual([
      [0, 100],
      ["value", 500],
    ]);
    expect(new Set(before?.stacks.map((each) => each.key)).size).toBe(2);
    const changed = { ...value, chips: "colour" as const };
    const [after] = stacker.places({ ...asked, stakes: [stake("1", "ana", "17"), changed] });
    expect(after?.stacks.map((each) => each.livery)).toEqual([0]);
    const held = { ...value, zeros: 1, pending: false, offer: null, on: "red" };
    const [prison] = new Stacker().places({ ...asked, stakes: [], prison: [held] });
    expect(prison?.stacks.map((each) => each.livery)).toEqual(["value"]);
  });

  it("keep apart: fanned stacks do not hide each other", () => {
    for (const count of [2, 3, 4, 5, 6, 9, 20, 50]) {
      const { radius, places } = fan(count, 0.85);
      expect(places).toHaveLength(count);
      for (const [at, one] of places.entries()) {
        expect(Math.hypot(one.x, one.y)).toBeLessThanOrEqual(0.85);
        for (const other of places.slice(at + 1))
          expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(radius * 2);
      }
    }
  });

  it("grow ever more slowly", () => {
    expect([1, 2, 3, 4, 5, 9, 20, 50, 1000].map((chips) => height(chips))).toEqual([
      1, 2, 3, 4, 5, 5, 6, 7, 8,
    ]);
    expect(height(0.5)).toBe(1);
    expect(height(1000, true)).toBe(4);
  });

  it("of a thousand stakes are laid anew where one is added, and nowhere else", () => {
    const spots = Object.keys(book.spots);
    const many = Array.from({ length: 1000 }, (_, at) =>
      stake(String(at), `p${at % 50}`, spots[(at * 7) % spots.length] ?? "17"),
    );
    const stacker = new Stacker();
    const before = new Set(stacker.places({ ...asked, stakes: many }));
    // The house sends the whole table again: the same stakes, in other objects.
    const told = many.map((each) => ({ ...each }));
    const after = stacker.places({ ...asked, stakes: [...told, stake("x", "ana", "17")] });
    expect(after.filter((place) => !before.has(place)).map((place) => place.spot)).toEqual(["17"]);
  });
});

describe("liveries", () => {
  it("are those of the printed pictures", () => {
    expect(livery(0)).toMatchObject({ kind: "colour", hue: "#2b5bd7", edge: 0, number: 0 });
    expect(livery(40)).toMatchObject({ kind: "colour", hue: "#2b5bd7", edge: 0, number: 2 });
    const looks = Array.from({ length: 120 }, (_, seat) => JSON.stringify(livery(seat)));
    expect(new Set(looks).size).toBe(120);
    expect(new Set(HUES).size).toBe(10);
  });
  it("say of chips that all have that they are nobody's colour", () => {
    expect(lookOf("chance", 3)).toBe("chance");
    expect(lookOf("value", 3)).toBe("value");
    expect([lookOf("colour", 3), lookOf("foreign", 3)]).toEqual([3, 3]);
    const common = [livery("chance"), livery("value")];
    expect(common.map((each) => each.kind)).toEqual(["chance", "value"]);
    expect(common[0]?.ink).not.toBe(livery(0).ink);
  });
  it("follow the book: which chips lie where", () => {
    expect(laidKind(books.ar, "red")).toBe("chance");
    expect(laidKind(books.ar, "d1+d2")).toBe("chance");
    expect(laidKind(books.ar, "17/20")).toBe("colour");
    expect(laidKind(books.ar, "17", true)).toBe("colour");
    expect(laidKind(books.it, "red")).toBe("colour");
    expect(["red", "d1", "c1+c2", "17"].map((spot) => laidKind(books.fran, spot, true))).toEqual([
      "value",
      "colour",
      "colour",
      "colour",
    ]);
    expect(laidKind(books.sd, "0/00/1/2/3")).toBe(laidKind(books.sd, "17"));
    expect([laidKind(books.it, "red", true), laidKind(books.it, "17", true)]).toEqual([
      "value",
      "value",
    ]);
    expect([bareLook(books.ar), bareLook(books.es)]).toEqual(["chance", "value"]);
  });
  it.each([
    [9999, "9999"],
    [12_500, "12.5k"],
    [3_141_592, "3.14M"],
    [10_000, "10k"],
  ])("write %i as %s", (amount, text) => {
    expect(shortAmount(amount)).toBe(text);
    expect(figureSize(text)).toBeGreaterThan(5);
  });
});

describe("spots", () => {
  it("are covered, sorted and neighboured", () => {
    const { it: book } = books;
    expect(coveredBy(book, ["17/20", "17"])).toEqual([17, 20]);
    expect(["d1", "17/20", "2", "1/3", "red", "1"].sort(bySpot(book))).toEqual([
      "1",
      "2",
      "17/20",
      "1/3",
      "d1",
      "red",
    ]);
    expect(neighbours(book.wheel, 17, 2)).toEqual([2, 25, 17, 34, 6]);
    expect(pieces(book, "17~2")).toEqual(["2", "25", "17", "34", "6"]);
    expect(pieces(book, "17~3")).toEqual([]);
    expect(pieces(book, "voisins")).toHaveLength(7);
    expect(odds(book, "17")).toBe("35:1");
  });

  it("know every zero of a wheel", () => {
    const { sd } = books;
    expect(["0/00/1/2/3", "00", "1/6", "0/00", "0", "1/5", "00/2/3", "1"].sort(bySpot(sd))).toEqual([
      "0",
      "00",
      "1",
      "0/00",
      "00/2/3",
      "1/5",
      "0/00/1/2/3",
      "1/6",
    ]);
    expect(coveredBy(sd, ["00/3", "0/2"])).toEqual([0, "00", 2, 3]);
    expect(neighbours(sd.wheel, "00", 2)).toEqual([13, 1, "00", 27, 10]);
    expect(neighbours(sd.wheel, 0, 2)).toEqual([14, 2, 0, 28, 9]);
    expect(pieces({ ...sd, sector: 2 }, "00~2")).toEqual(["13", "1", "00", "27", "10"]);
  });
});

it("letters are those of the house", () => {
  const drawn = geometry(books.it, "landscape");
  const d2 = drawn.boxes.find((box) => box.spot === "d2");
  expect(d2 && label(books.it, d2)).toEqual({
    above: "DOZZINA",
    middle: "13–24",
    below: "DI MEZZO",
    short: "13–24",
  });
  expect(path([{ x: 0, y: 0 }, { x: 1, y: 0.5 }])).toBe("M0 0L1 0.5Z");
});
