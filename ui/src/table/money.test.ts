import { describe, expect, it } from "vitest";
import { amount, denominations, gain, units } from "./money.ts";

describe("amounts", () => {
  it("have the separators of the language", () => {
    const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, " ");
    expect(plain(amount(1_234_567, "es"))).toBe("1.234.567");
    expect(plain(amount(1234, "es"))).toBe("1.234");
    expect(plain(amount(1_234_567, "it"))).toBe("1.234.567");
    expect(plain(amount(1_234_567, "fr"))).toBe("1 234 567");
    expect(plain(amount(1_234_567, "bg"))).toBe("1 234 567");
    expect(plain(amount(1_234_567, "en"))).toBe("1,234,567");
  });

  it("say whether they are gained or lost", () => {
    expect(gain(100, "en")).toBe("+100");
    expect(gain(-1500, "en")).toBe("−1,500");
    expect(gain(0, "en")).toBe("0");
  });

  it("may be fractions of the house's", () => {
    expect(units("1825/37")).toBe(49.3);
    expect(units("50")).toBe(50);
    expect(units(`${37n ** 20n}/${2n * 37n ** 19n}`)).toBe(18.5);
  });
});

describe("the chip rail", () => {
  it("counts in whole chips from the smallest that may be laid", () => {
    expect(denominations(100)).toEqual([100, 200, 500, 1000, 2000, 5000]);
    expect(denominations(100, 250, 3)).toEqual([300, 600, 1500]);
  });
});
