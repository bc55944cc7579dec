import { describe, expect, test } from "vitest";
import type { Coup, TableView } from "../api/types.ts";
import type { Layout } from "../table/layout.ts";
import { Autoplay, type Plan, type Seat } from "./autoplay.svelte.ts";

const RED: Layout = [{ on: "red", amount: 100 }];
const PLAN: Plan = { name: "red", layout: RED, rounds: 3, loss: 300, win: null };

/** A table in the hands of the test, and what automatic play does there. */
class Played implements Seat {
  readonly me = "ana";
  did: string[] = [];
  coups: Coup[] = [];
  locked = false;
  isLost = false;
  maySpin = true;
  refuses = false;
  coup = 5;
  lying: { player: string; on: string; amount: number }[] = [];
  prison: { player: string; amount: number }[] = [];
  readonly autoplay = new Autoplay(this);

  get view(): TableView {
    const { coup, prison } = this;
    const stakes = this.lying.map((stake, at) => ({ ...stake, id: `${at}`, announcement: null }));
    const rest = { phase: "betting", you: {}, announcements: [], stopped: null, launched: false };
    return { ...rest, coup, stakes, prison } as unknown as TableView;
  }

  async layWhole(layout: Layout, clears: boolean): Promise<boolean> {
    this.did.push(clears ? "clears and lays" : "lays");
    if (!this.refuses) this.lying = layout.map((bet) => ({ ...bet, player: "ana" }) as never);
    return Promise.resolve(!this.refuses);
  }

  spin(): void {
    this.did.push("spins");
  }

  ended(ending: string, played: number, net: number): void {
    this.did.push(`${ending} after ${played}: ${net}`);
  }

  async follow(times = 3): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      this.autoplay.follow();
      await Promise.resolve();
      await Promise.resolve();
    }
  }

  /** The round is over, with so much won or lost. */
  async over(net: number): Promise<void> {
    const sums = { won: Math.max(net, 0), lost: Math.max(-net, 0), returned: 0, held: 0 };
    this.lying = [];
    this.coup += 1;
    await this.follow();
    this.coups = [...this.coups, { coup: this.coup - 1, number: 1, ball: null, players: { ana: sums } }];
    await this.follow();
  }
}

async function begun(plan: Partial<Plan> = {}): Promise<Played> {
  const played = new Played();
  played.autoplay.begin({ ...PLAN, ...plan });
  await played.follow();
  return played;
}

describe("automatic play", () => {
  test("lays once a round, asks for the ball, and ends after as many rounds as were wanted", async () => {
    const played = await begun({ rounds: 2 });
    expect(played.did).toEqual(["lays", "spins"]);
    await played.over(100);
    expect(played.did).toEqual(["lays", "spins", "lays", "spins"]);
    await played.over(-100);
    expect(played.did.at(-1)).toBe("rounds after 2: 0");
    await played.over(0);
    expect(played.did).toHaveLength(5);
  });

  test("begins no round that could go beyond the loss, what lies in prison counted in", async () => {
    const played = await begun({ loss: 250, rounds: 100 });
    await played.over(-100);
    expect(played.did).toHaveLength(4);
    await played.over(-100);
    expect(played.did.at(-1)).toBe("loss after 2: -200");
    const jailed = await begun({ loss: 150, rounds: 100 });
    jailed.prison = [{ player: "ana", amount: 100 }];
    await jailed.over(0);
    expect(jailed.did.at(-1)).toBe("loss after 1: 0");
  });

  test("ends at the win, and whenever it is stopped", async () => {
    const played = await begun({ win: 100 });
    await played.over(100);
    expect(played.did.at(-1)).toBe("win after 1: 100");
    const stopped = await begun();
    stopped.autoplay.stop();
    stopped.autoplay.stop();
    await stopped.over(-100);
    expect(stopped.did).toEqual(["lays", "spins", "stopped after 0: 0"]);
  });

  test("ends where the house refuses the bets or is not heard", async () => {
    const played = await begun();
    played.refuses = true;
    await played.over(-100);
    expect(played.did.slice(-2)).toEqual(["lays", "refused after 1: -100"]);
    const lost = await begun();
    lost.isLost = true;
    await lost.follow();
    expect(lost.did.at(-1)).toBe("interrupted after 0: 0");
  });

  test("waits for the clock of the table where others play, and while betting is closed", async () => {
    const played = new Played();
    played.maySpin = false;
    played.locked = true;
    played.autoplay.begin(PLAN);
    await played.follow();
    expect(played.did).toEqual([]);
    played.locked = false;
    await played.follow();
    expect(played.did).toEqual(["lays"]);
    played.maySpin = true;
    await played.follow();
    expect(played.did).toEqual(["lays", "spins"]);
  });

  test("takes back what does not belong to the layout, such as a winner that stayed elsewhere", async () => {
    const played = new Played();
    played.lying = [{ player: "ana", on: "17", amount: 100 }];
    played.autoplay.begin(PLAN);
    await played.follow();
    expect(played.did[0]).toBe("clears and lays");
    const within = new Played();
    within.lying = [{ player: "ana", on: "red", amount: 100 }];
    within.autoplay.begin(PLAN);
    await within.follow();
    expect(within.did[0]).toBe("lays");
  });
});
