import { describe, expect, it } from "vitest";
import type { Coup } from "../api/types.ts";
import told from "./coups.fixture.json";
import { check, commitment, draw, unhex } from "./verify.ts";

const coups = told as unknown as { table: string; coup: Coup }[];

describe("the ball of a drawn table", () => {
  it("comes out here as the house drew it", async () => {
    for (const { table, coup } of coups) {
      const checked = await check(table, coup);
      expect(checked, `${table} ${coup.coup}`).toEqual({
        bound: true,
        seen: null,
        drawn: coup.number,
        played: coup.number,
        good: true,
      });
    }
  });

  it("agrees with the example of the house's own documentation", async () => {
    const secret = new Uint8Array(32);
    expect((await commitment("1", 1, secret)).slice(0, 16)).toBe("e3d44ecf61176960");
    expect(await draw("1", 1, secret, { ana: "17" })).toBe(19);
  });

  const { table, coup } = coups[0]!;
  const ball = coup.ball!;

  it("is found out when the number is another", async () => {
    const other = { ...coup, number: (coup.number! + 1) % 37 };
    expect((await check(table, other))?.good).toBe(false);
  });

  it("is found out when the secret is another", async () => {
    const secret = ball.secret.replace(/^./, (first) => (first === "0" ? "1" : "0"));
    const checked = await check(table, { ...coup, ball: { ...ball, secret } });
    expect(checked).toMatchObject({ bound: false, good: false });
  });

  it("is found out when it is of another table, or a nonce was changed", async () => {
    expect((await check("elsewhere", coup))?.good).toBe(false);
    const nonces = { eva: "late" };
    const checks = coups.map((each) =>
      check(each.table, { ...each.coup, ball: { ...each.coup.ball!, nonces } }),
    );
    const good = (await Promise.all(checks)).filter((each) => each?.good);
    expect(good.length).toBeLessThan(5);
  });

  it("is found out when another commitment was published", async () => {
    const seen = { [ball.spin]: ball.commitment! };
    expect(await check(table, coup, seen)).toMatchObject({ seen: true, good: true });
    const other = { [ball.spin]: "00".repeat(32) };
    expect(await check(table, coup, other)).toMatchObject({ seen: false, good: false });
  });

  it("cannot be checked where a wheel of wood was spun", async () => {
    expect(await check(table, { ...coup, ball: null })).toBeNull();
  });

  it("is not right when its secret cannot be read", async () => {
    expect(unhex("0g")).toBeNull();
    const broken = { ...coup, ball: { ...ball, secret: "zz" } };
    expect(await check(table, broken)).toMatchObject({ good: false });
  });
});
