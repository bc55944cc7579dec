/** The room draws and letters as Python does: the fixture has what Python makes of the same look. */
import { describe, expect, test } from "vitest";
import type { Book } from "../api/types";
import type { DrawnBox } from "./geometry";
import { breadth, label } from "./lettering";
import { dashes, livery, shortAmount, spotColour } from "./liveries";
import made from "./look.fixture.json";
import { EDGES, HUES, SPACING } from "./look.generated";
import { height } from "./stacks";

describe("a chip looks as in the pictures", () => {
  test("by its hue, edge and number", () => {
    const own = made.liveries.map((_, seat) => livery(seat));
    expect(own.map(({ hue, edge, number }) => ({ hue, edge, number }))).toEqual(made.liveries);
    expect(HUES.map(spotColour)).toEqual(made.spots);
  });

  test("by the spots of its edge", () => {
    const lengths = (text: string): number[] => text.split(" ").map(Number);
    const own = EDGES.map((_, edge) => lengths(dashes(edge, 17)));
    expect(own).toEqual(made.dashes.map(lengths));
  });

  test.each(made.amounts)("with %s on it as %s", (amount, text) => {
    expect(shortAmount(amount as number)).toBe(text);
  });

  test.each(made.heights)("and a stack of %i is as high", (chips, alone, crowded) => {
    expect([height(chips!), height(chips!, true)]).toEqual([alone, crowded]);
  });
});

describe("the cloth is lettered as in the pictures", () => {
  test.each(made.breadths)("%s is as wide", (text, ems) => {
    const word = text as string;
    expect(breadth(word)).toBeCloseTo((ems as number) + SPACING * [...word].length, 9);
  });

  test.each(Object.entries(made.labels))("every box of %s has the same words", (_, boxes) => {
    expect(boxes.length).toBeGreaterThan(10);
    for (const { spot, kind, language, word, numbers, pays, label: words } of boxes) {
      const book = { language, spots: { [spot]: { numbers, pays } } } as unknown as Book;
      const { above, middle, below } = label(book, { spot, kind, word } as DrawnBox);
      expect({ above, middle, below }, spot).toEqual(words);
    }
  });
});
