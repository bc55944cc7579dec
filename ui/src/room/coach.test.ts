import { describe, expect, test } from "vitest";
import { stepAfter, type CoachStep, type Seen } from "./coach.ts";

const NOTHING: Seen = {
  seated: false,
  chose: false,
  onNumber: false,
  onRed: false,
  runs: false,
  told: false,
  read: false,
  opened: false,
};
const SEATED: Seen = { ...NOTHING, seated: true };
const LAID: Seen = { ...SEATED, chose: true, onNumber: true, onRed: true };

describe("the guided round", () => {
  test("goes through a whole round", () => {
    const evening: [Partial<Seen>, CoachStep][] = [
      [{}, "seat"],
      [{ seated: true }, "chip"],
      [{ chose: true }, "number"],
      [{ onNumber: true }, "red"],
      [{ onRed: true }, "ball"],
      [{ runs: true }, "ball"],
      [{ runs: false, onNumber: false, onRed: false, told: true }, "why"],
      [{ read: true }, "book"],
      [{ opened: true }, "done"],
    ];
    let at: CoachStep = "seat";
    let seen = NOTHING;
    for (const [more, wanted] of evening) {
      seen = { ...seen, ...more };
      at = stepAfter(at, seen);
      expect(at).toBe(wanted);
    }
  });

  test("asks for nothing that was done before it was asked for", () => {
    expect(stepAfter("seat", LAID)).toBe("ball");
    expect(stepAfter("seat", { ...SEATED, onRed: true })).toBe("number");
  });

  test("watches the ball with whoever laid one bet alone", () => {
    expect(stepAfter("red", { ...LAID, onRed: false, runs: true })).toBe("ball");
  });

  test("asks again for a bet that was taken back, and for a seat that was left", () => {
    expect(stepAfter("ball", { ...LAID, onRed: false })).toBe("red");
    expect(stepAfter("ball", { ...LAID, onNumber: false })).toBe("number");
    expect(stepAfter("red", NOTHING)).toBe("seat");
  });

  test("keeps the explanation and the end when the table goes on", () => {
    expect(stepAfter("why", SEATED)).toBe("why");
    expect(stepAfter("book", NOTHING)).toBe("book");
    expect(stepAfter("done", NOTHING)).toBe("done");
  });
});
