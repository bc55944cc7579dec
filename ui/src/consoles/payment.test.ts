import { describe, expect, it } from "vitest";
import type { CoupPayments, DuePayment, MadeReduction, PaymentLine } from "./kinds";
import { framesOf, groupsOf, reelsOf, spoolAfter } from "./reduction";
import type { ClothPlan } from "../api/types";
import { books } from "../gallery/books";
import { placesOf, RADIUS, rowsOf, SIZE, squares } from "./picture";
import { reducedWorking, workingOf, written } from "./working";

const money = (amount: number): string => amount.toLocaleString("en-GB");

function line(on: string, amount: number, pays: [number, number], won?: number): PaymentLine {
  const paid = won ?? (amount * pays[0]) / pays[1];
  return { id: `b-${on}`, on, amount, chips: "colour", pays, won: paid };
}

function payment(player: string, lines: PaymentLine[]): DuePayment {
  const won = lines.reduce((sum, each) => sum + each.won, 0);
  const stays = lines.reduce((sum, each) => sum + each.amount, 0);
  return { player, colour: "blue", won, paid: won, stays, lines, articles: ["NV-05", "AR-25.b"] };
}

describe("the working of a payment", () => {
  it("counts chips that pay alike together, the highest odds first", () => {
    const paid = payment("ana", [
      line("17/20", 100, [17, 1]),
      line("17", 100, [35, 1]),
      line("14/17", 100, [17, 1]),
    ]);
    const working = workingOf(paid, 100);
    expect(working).toMatchObject({ chip: 100, chips: 69, paid: 6900, plain: 0 });
    expect(written(working, money)).toBe("35 + 2 × 17 = 69 × 100");
  });

  it("does not write a sum where there is none", () => {
    expect(written(workingOf(payment("ana", [line("17", 100, [35, 1])]), 100), money)).toBe(
      "35 × 100",
    );
  });

  it("counts amounts where they are no whole chips", () => {
    const working = workingOf(payment("ana", [line("red", 250, [1, 1])]), 100);
    expect(working).toMatchObject({ chip: 1, chips: null });
    expect(written(working, money)).toBe("250 × 1");
  });

  it("writes what pays a half as a half", () => {
    expect(written(workingOf(payment("ana", [line("c1+c2", 200, [1, 2])]), 100), money)).toBe(
      "2 × ½ = 1 × 100",
    );
  });

  it("gives as a plain sum what was not paid at the odds of its spot", () => {
    const paid = payment("ana", [line("17", 200, [35, 1], 5200), line("17/20", 100, [17, 1])]);
    expect(written(workingOf(paid, 100), money)).toBe("17 × 100 + 5,200");
    const alone = payment("ana", [line("17", 200, [35, 1], 5200)]);
    expect(written(workingOf(alone, 100), money)).toBe("5,200");
    const loose = payment("ana", [line("17", 25, [35, 1], 700), line("17/20", 5, [17, 1])]);
    expect(written(workingOf(loose, 10), money)).toBe("5 × 17 + 700");
  });
});

const CLASSES: Record<string, string> = {
  "17": "straight",
  "17/20": "split",
  "16/17": "split",
  "13-18": "sixline",
  "16-18": "street",
  red: "simple",
};
const classOf = (spot: string): string => CLASSES[spot] ?? "straight";

const reduction: MadeReduction = {
  player: "ana",
  chip: 100,
  steps: [
    { class: "sixline", chips: 6, straights: 1, freed: 5, articles: ["AR-24.b", "AR-27.d"] },
    { class: "split", chips: 4, straights: 2, freed: 2, articles: ["AR-24.b", "AR-27.a"] },
  ],
  straights: 4,
  left: { sixline: 2, street: 1, split: 1 },
  freed: 7,
  paid: 178,
  stays: 8,
  articles: ["AR-23", "AR-26.a", "AR-26.b"],
};
const payments: DuePayment[] = [
  payment("ana", [line("red", 100, [1, 1])]),
  payment("ana", [
    line("17", 100, [35, 1]),
    line("17/20", 300, [17, 1]),
    line("16/17", 200, [17, 1]),
    line("13-18", 800, [5, 1]),
    line("16-18", 100, [11, 1]),
  ]),
];

describe("the frames of a reduction", () => {
  const frames = framesOf(reduction, payments, 17, classOf);
  const weigh = (zone: string, at: number): number =>
    frames[at]!.tokens.filter((t) => t.zone === zone).reduce((sum, t) => sum + t.weight, 0);

  it("go by the house's order, and each class is gathered before it is formed", () => {
    expect(frames.map((frame) => [frame.caption, frame.class])).toEqual([
      ["lie", null],
      ["drag", null],
      ["gather", "sixline"],
      ["form", "sixline"],
      ["gather", "split"],
      ["form", "split"],
      ["left", null],
      ["spool", null],
    ]);
  });

  it("lose no chip and make none", () => {
    const all = frames.map((frame) => frame.tokens.reduce((sum, t) => sum + t.weight, 0));
    expect(new Set(all)).toEqual(new Set([15]));
    expect(reduction.stays + reduction.freed).toBe(15);
    const ids = frames.map((frame) => frame.tokens.map((token) => token.id).join());
    expect(new Set(ids).size).toBe(1);
    expect(new Set(frames[0]!.tokens.map((token) => token.id)).size).toBe(frames[0]!.tokens.length);
  });

  it("lay the straights on the number, what is freed behind the plate, and leave the rest", () => {
    expect(weigh("cloth", 0)).toBe(15);
    expect([weigh("number", 1), weigh("row", 1)]).toEqual([1, 14]);
    expect([weigh("number", 3), weigh("plate", 3)]).toEqual([2, 5]);
    expect([weigh("number", 5), weigh("plate", 5)]).toEqual([4, 7]);
    expect([weigh("left", 6), weigh("row", 6)]).toEqual([4, 0]);
    expect([weigh("spool", 7), weigh("left", 7), weigh("plate", 7)]).toEqual([4, 4, 7]);
    expect(frames.map((frame) => [frame.onNumber, frame.behindPlate]).at(-1)).toEqual([4, 7]);
  });

  it("cite the house, frame by frame", () => {
    expect(frames[2]!.articles).toEqual(["AR-24.b", "AR-27.d"]);
    expect(frames[3]!.articles).toEqual(["AR-24.b", "AR-27.d", "AR-23", "AR-26.a", "AR-26.b"]);
    expect(frames.at(-1)!.articles).toEqual(["NV-05", "AR-25.b"]);
  });

  it("begin where the chips lie", () => {
    const splits = frames[0]!.tokens.filter((token) => token.class === "split");
    const on = splits.map((token) => token.on);
    expect(on.filter((spot) => spot === "17/20")).toHaveLength(3);
    expect(on.filter((spot) => spot === "16/17")).toHaveLength(2);
  });

  it("stay few for a large payment", () => {
    expect(groupsOf(3)).toEqual([1, 1, 1]);
    expect(groupsOf(10)).toEqual([3, 3, 2, 2]);
    const large: MadeReduction = {
      ...reduction,
      steps: [{ class: "split", chips: 2000, straights: 1000, freed: 1000, articles: [] }],
      straights: 1000,
      left: {},
      freed: 1000,
    };
    const drawn = framesOf(large, payments, 17, classOf)[0]!.tokens;
    expect(drawn.length).toBe(8);
    expect(drawn.reduce((sum, token) => sum + token.weight, 0)).toBe(2000);
  });
});

describe("the picture of a reduction", () => {
  const many: MadeReduction = {
    ...reduction,
    steps: [
      { class: "sixline", chips: 240, straights: 40, freed: 200, articles: [] },
      { class: "split", chips: 14, straights: 7, freed: 7, articles: [] },
    ],
    left: { sixline: 5, split: 1 },
    straights: 49,
  };
  const plan: ClothPlan = {
    drawing: "french",
    bounds: [-6, -2.5, 12, 26.75],
    boxes: [],
    points: {
      "17": [[3, 11]],
      "13-18": [
        [0, 10],
        [6, 10],
      ],
    },
    prison: {},
    spaces: {},
  };

  it.each([
    [0, books.ar.wheel],
    [1, books.ar.wheel],
    [17, books.ar.wheel],
    [36, books.ar.wheel],
    [0, books.sd.wheel],
    ["00", books.sd.wheel],
    ["000", books.triplezero.wheel],
  ] as const)(
    "keeps every chip inside its frame, whatever the number (%s)",
    (number, wheel) => {
      const frames = framesOf(many, payments, number, classOf);
      for (const frame of frames) {
        const places = placesOf(frame, rowsOf(frames), { cloth: plan, wheel }, number);
        expect(places.size).toBe(frame.tokens.length);
        for (const { x, y } of places.values()) {
          expect(x).toBeGreaterThanOrEqual(RADIUS);
          expect(x).toBeLessThanOrEqual(SIZE.width - RADIUS);
          expect(y).toBeGreaterThanOrEqual(RADIUS);
          expect(y).toBeLessThanOrEqual(SIZE.height - RADIUS);
        }
      }
    },
  );

  it("shows the row of the number with its neighbours", () => {
    expect(squares(17).map((square) => square.number)).toEqual([
      13, 14, 15, 16, 17, 18, 19, 20, 21,
    ]);
    expect(squares(0)[0]?.number).toBe(1);
    expect(squares("00")[0]?.number).toBe(1);
    expect(squares(36).at(-1)?.number).toBe(36);
  });
});

describe("what is handed out after a reduction", () => {
  it("is worked out in chips, and leaves the player with the same in all", () => {
    const odds: Record<string, [number, number]> = {
      straight: [35, 1],
      split: [17, 1],
      street: [11, 1],
      sixline: [5, 1],
    };
    const working = reducedWorking(reduction, { paid: 17_800 }, (kind) => odds[kind]);
    expect(written(working, money)).toBe("4 × 35 + 2 × 5 + 11 + 17 = 178 × 100");
    const loose = reducedWorking(reduction, { paid: 17_900 }, (kind) => odds[kind]);
    expect(written(loose, money)).toBe("(4 × 35 + 2 × 5 + 11 + 17) × 100 + 100");
    const unreduced = payments[1]!.won / 100 + 15;
    expect(reduction.paid + reduction.stays).toBe(unreduced);
  });
});

describe("the spool", () => {
  const coup: CoupPayments = {
    coup: 3,
    number: 17,
    made: 0,
    payments,
    reductions: [
      { ...reduction, player: "bob", chip: 2500 },
      { ...reduction, player: "ana", chip: 100 },
    ],
  };

  it("has first what was reduced last", () => {
    expect(spoolAfter(coup, 2, () => null).map((each) => each.player)).toEqual(["ana", "bob"]);
    expect(spoolAfter(coup, 1, () => null).map((each) => each.player)).toEqual(["bob"]);
    expect(reelsOf(coup, classOf, () => "blue").map((reel) => reel.player)).toEqual(["bob", "ana"]);
  });
});
