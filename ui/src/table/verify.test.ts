import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Coup } from "../api/types.ts";
import {
  cleaned,
  committed,
  drawn,
  freshText,
  LONGEST_WORDS,
  pocketsOf,
  textHash,
  unhex,
} from "./ball.ts";
import { newest, type Note, type Proof } from "./proof.ts";
import { check, followed, verdict } from "./verify.ts";

interface Vector {
  name: string;
  table: string;
  proof: Proof | null;
  events: Note[];
  problems: string[];
  counts: Record<string, unknown>;
}

const path = new URL("../../../docs/vectors/ball.json", import.meta.url);
const vectors = JSON.parse(readFileSync(path, "utf8")) as Vector[];
const named = (name: string): Vector => vectors.find((each) => each.name === name)!;

/** A coup as the house publishes it, from what a vector revealed. */
function coupOf(vector: Vector, spin = 1): Coup {
  const of = (type: string): Record<string, unknown> =>
    vector.events.find((each) => each.type === type && each.data["spin"] === spin)!.data;
  const { number, ...revealed } = of("BallRevealed");
  const ball = { ...of("BallCommitted"), ...revealed };
  return { coup: spin, number, players: {}, ball } as unknown as Coup;
}

describe("the published test vectors", () => {
  it("are there, honest ones and others", () => {
    expect(vectors.length).toBeGreaterThan(60);
    expect(new Set(vectors.flatMap((each) => each.problems)).size).toBe(14);
  });

  it.each(vectors.map((each) => [each.name, each] as const))("%s", async (_, vector) => {
    const found = await verdict(vector.proof, vector.events, vector.table);
    expect([...new Set(found.problems.map(([each]) => each))].sort()).toEqual(vector.problems);
    const { problems: __, ...counts } = found;
    expect(counts).toEqual(vector.counts);
  });
});

describe("the ball of a drawn table", () => {
  it("agrees with the examples of the house's own documentation", async () => {
    const zeros = "00".repeat(32);
    expect((await committed("1", 1, zeros)).slice(0, 16)).toBe("1dd5abc4bfd2e8df");
    expect(await drawn("1", 1, zeros, new Map([["ana", "17"]]), new Map())).toBe(31);
    expect((await textHash("1", 1, "00", "ana", "17")).slice(0, 16)).toBe("dfc40b561f86e7df");
    expect(() => unhex("0g")).toThrow();
    expect(() => unhex("")).toThrow();
  });

  it("counts the further zeros of a wheel after the whole numbers", async () => {
    expect(pocketsOf([0])).toHaveLength(37);
    expect(pocketsOf([0, "00", "000"]).slice(35)).toEqual([35, 36, "00", "000"]);
    for (const wrong of [[], ["00"], ["0"], [0, 0], [0, "0"], [0, "00", "00"], [0, "01"], null, "0"])
      expect(() => pocketsOf(wrong), String(wrong)).toThrow();
    const secret = "00".repeat(32);
    const [none, seen] = [new Map<string, string>(), new Map<unknown, number>()];
    for (let spin = 1; spin <= 800; spin += 1) {
      const number = await drawn("1", spin, secret, none, none, [0, "00"]);
      seen.set(number, (seen.get(number) ?? 0) + 1);
    }
    expect(seen.size).toBe(38);
    expect(seen.get("00")).toBeGreaterThan(5);
  });

  const vector = named("honest");
  const coup = coupOf(vector);

  it("comes out here as the house drew it, and as the browser saw it", async () => {
    const mine = await followed(vector.proof!);
    for (const spin of [1, 2, 3]) {
      const told = coupOf(vector, spin);
      expect(await check(vector.table, told, [0])).toMatchObject({ bound: true, seen: null, good: true });
      const checked = await check(vector.table, told, [0], mine);
      expect(checked).toMatchObject({ bound: true, seen: true, problems: [], good: true });
      expect(checked!.drawn).toBe(told.number);
    }
  });

  it("is found out when the house tells it otherwise afterwards", async () => {
    const mine = await followed(vector.proof!);
    const ball = coup.ball!;
    for (const changed of [
      { ...coup, number: coup.number === 17 ? 18 : 17 },
      { ...coup, ball: { ...ball, nonces: { ...ball.nonces, ghost: "boo" } } },
      { ...coup, ball: { ...ball, nonces: {} } },
      { ...coup, ball: { ...ball, withheld: { luis: "00" } } },
      { ...coup, ball: { ...ball, secret: "zz" } },
    ])
      expect(await check(vector.table, changed, [0], mine)).toMatchObject({ seen: false, good: false });
    expect((await check("elsewhere", coup, [0]))?.good).toBe(false);
  });

  it("is found out when the house cheated before the browser's eyes", async () => {
    const cheated = named("own_text_dropped");
    const mine = await followed(cheated.proof!);
    const told = coupOf(cheated);
    // The house's own account is consistent; only a player who was there can see the fraud.
    expect((await check(cheated.table, told, [0]))?.good).toBe(true);
    expect(await check(cheated.table, told, [0], mine)).toMatchObject({
      seen: true,
      problems: ["dropped_nonce"],
      good: false,
    });
  });

  it("cannot be checked where a wheel of wood was spun", async () => {
    expect(await check(vector.table, { ...coup, ball: null }, [0])).toBeNull();
  });
});

describe("a player's text", () => {
  it("ends with digits that nobody can guess, after words of one's own", () => {
    expect(freshText("")).toMatch(/^[0-9a-f]{32}$/);
    expect(freshText("diecisiete")).toMatch(/^diecisiete [0-9a-f]{32}$/);
    expect(new Set(Array.from({ length: 100 }, () => freshText(""))).size).toBe(100);
  });

  it("is one line of what can be seen, and not too long", () => {
    expect(cleaned("  one\ntwo\u202e ")).toBe("one two");
    expect(cleaned("\u0000\ud800")).toBe("");
    expect(Array.from(cleaned("🎲".repeat(200)))).toHaveLength(LONGEST_WORDS);
  });
});

describe("the notes of a long evening", () => {
  it("begin where a spin was bound, so that they can be followed", async () => {
    const { proof } = named("honest_used_up");
    const notes = newest(proof!.notes, 40);
    expect(notes.length).toBeLessThanOrEqual(20);
    expect(notes[0]!.type).toBe("BallCommitted");
    expect(newest(proof!.notes, 1000)).toBe(proof!.notes);
    expect((await followed({ ...proof!, notes })).problems).toEqual([]);
  });
});
