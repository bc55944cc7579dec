import { beforeEach, describe, expect, it, vi } from "vitest";
import type { TableEvent, TableView } from "../api/types.ts";
import { committed, drawn, textHash } from "../table/ball.ts";
import { followed } from "../table/verify.ts";
import { Texts } from "./texts.svelte.ts";

const TABLE = "es";
const SEED = "5a".repeat(32);

/** A house that plays by the rules, and hears what the room gives it. */
class House {
  seq = 10;
  spin = 1;
  secret = "";
  commitment = "";
  given: [string, Record<string, unknown>][] = [];
  hashes: Record<string, string> = {};
  opened: Record<string, string> = {};
  phase = "betting";
  rooms: Texts[] = [];
  chain: string[] = [];

  async open(): Promise<void> {
    const places = [SEED];
    for (let place = 4; place > 0; place -= 1)
      places.unshift(await committed(TABLE, place, places[0]!));
    this.chain = places;
    this.commitment = places[0]!;
  }

  view(you = true): TableView {
    const { seq, spin, commitment, phase } = this;
    const place = { spin, chain: 1, place: spin, commitment };
    return {
      ball: "drawn",
      seq,
      phase,
      players: { ana: {} },
      you: you ? { player: "ana" } : null,
      chain: { number: 1, tip: this.chain[0], length: 4 },
      draw: { ...place, hashes: { ...this.hashes }, opened: { ...this.opened } },
    } as unknown as TableView;
  }

  tell(type: string, data: Record<string, unknown>): void {
    this.seq += 1;
    const event = { seq: this.seq, at: 1000 * this.seq, type, data } as unknown as TableEvent;
    for (const room of this.rooms) room.event(event);
  }

  give = (command: string, fields: Record<string, unknown>): void => {
    this.given.push([command, fields]);
    if (command === "CommitNonce" && fields["commitment"] === this.commitment) {
      this.hashes["ana"] = fields["hash"] as string;
      this.tell("NonceCommitted", { player: "ana", spin: this.spin, hash: fields["hash"] });
    }
    if (command === "OpenNonce") {
      this.opened["ana"] = fields["nonce"] as string;
      this.tell("NonceOpened", { player: "ana", spin: this.spin, nonce: fields["nonce"] });
    }
  };

  close(): void {
    this.phase = "closed";
    this.tell("BettingClosed", { call: "No va más" });
  }

  async reveal(): Promise<void> {
    const secret = this.chain[this.spin]!;
    const withheld = Object.fromEntries(
      Object.entries(this.hashes).filter(([name]) => !(name in this.opened)),
    );
    const [nonces, left] = [this.opened, withheld].map((each) => new Map(Object.entries(each)));
    const number = await drawn(TABLE, this.spin, secret, nonces!, left!);
    const told = { spin: this.spin, secret, nonces: this.opened, withheld, number };
    this.tell("BallRevealed", told);
    this.tell("BallPocketed", { number });
    this.spin += 1;
    this.commitment = secret;
    [this.hashes, this.opened, this.phase] = [{}, {}, "betting"];
    const bound = { spin: this.spin, chain: 1, place: this.spin, commitment: secret };
    this.tell("BallCommitted", bound);
  }

  texts(command: string): Record<string, unknown>[] {
    return this.given.filter(([each]) => each === command).map(([, fields]) => fields);
  }
}

/** Lets the room finish what it began. A digest of its own waits as long as the room's digests. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await crypto.subtle.digest("SHA-256", new Uint8Array());
    await new Promise((then) => setTimeout(then, 0));
  }
}

describe("the texts of a player", () => {
  let house: House;

  beforeEach(async () => {
    const kept = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    });
    house = new House();
    await house.open();
  });

  function room(): Texts {
    const texts = new Texts(TABLE, house.give);
    house.rooms = [texts];
    return texts;
  }

  it("are fresh for every spin, hidden until the close and then opened", async () => {
    const texts = room();
    texts.connected(house.view(), "ana", false);
    for (const spin of [1, 2, 3]) {
      await settled();
      expect(house.texts("CommitNonce")).toHaveLength(spin);
      const text = texts.text!;
      expect(text).toMatch(/^[0-9a-f]{32}$/);
      expect(JSON.stringify(house.texts("CommitNonce"))).not.toContain(text);
      const bound = [house.spin, house.commitment, "ana", text] as const;
      expect(house.hashes["ana"]).toBe(await textHash(TABLE, ...bound));
      house.close();
      expect(house.texts("OpenNonce").at(-1)).toEqual({ nonce: text });
      await house.reveal();
    }
    expect(new Set(house.texts("OpenNonce").map((each) => each["nonce"])).size).toBe(3);
    const mine = await followed(texts.proof());
    expect(mine.problems).toEqual([]);
    expect(mine.counts).toEqual({ spins: 3, yours: 3, missed: 0, withheld: 0 });
  });

  it("have the words of the player in them, from the spin to come on", async () => {
    const texts = room();
    texts.connected(house.view(), "ana", false);
    await settled();
    texts.use("  diecisiete,\npor favor ");
    await settled();
    expect(texts.words).toBe("diecisiete, por favor");
    expect(texts.text).toMatch(/^diecisiete, por favor [0-9a-f]{32}$/);
    expect(house.texts("CommitNonce")).toHaveLength(2);
    house.close();
    expect(house.opened["ana"]).toBe(texts.text);
    await house.reveal();
    expect((await followed(texts.proof())).problems).toEqual([]);
    expect(room().words).toBe("diecisiete, por favor");
  });

  it("wait for a seat, and are not made for whoever looks on", async () => {
    const texts = room();
    texts.connected(house.view(false), "ana", false);
    await settled();
    expect(house.given).toEqual([]);
    house.tell("PlayerSat", { player: "luis" });
    await settled();
    expect(house.given).toEqual([]);
    house.tell("PlayerSat", { player: "ana" });
    await settled();
    expect(house.texts("CommitNonce")).toHaveLength(1);
  });

  it("are opened by a page that was loaded again, and its proof goes on", async () => {
    const first = room();
    first.connected(house.view(), "ana", false);
    await settled();
    const text = first.text;
    first.save();
    house.rooms = [];
    house.close();
    const again = room();
    again.connected(house.view(), "ana", false);
    expect(house.texts("OpenNonce")).toEqual([{ nonce: text }]);
    await house.reveal();
    await settled();
    house.close();
    await house.reveal();
    const mine = await followed(again.proof());
    expect(mine.problems).toEqual([]);
    expect(mine.counts).toEqual({ spins: 2, yours: 2, missed: 0, withheld: 0 });
    expect(again.proof().notes.filter((note) => note.type === "Connected")).toHaveLength(2);
  });

  it("are not made anew for events that were missed", async () => {
    const texts = room();
    texts.connected(house.view(), "ana", false);
    await settled();
    house.rooms = [];
    const missed: TableEvent[] = [];
    house.rooms = [{ event: (event: TableEvent) => missed.push(event) } as unknown as Texts];
    house.close();
    await house.reveal();
    texts.connected(house.view(), "ana", true);
    for (const event of missed) texts.event(event);
    house.rooms = [texts];
    await settled();
    expect(house.texts("CommitNonce")).toHaveLength(2);
    expect(house.texts("OpenNonce")).toEqual([]);
    house.close();
    await house.reveal();
    const mine = await followed(texts.proof());
    expect(mine.problems).toEqual([]);
    expect(mine.counts).toEqual({ spins: 2, yours: 1, missed: 1, withheld: 0 });
  });

  it("leave a proof when the house forgets what it has shown", async () => {
    const texts = room();
    texts.connected(house.view(), "ana", false);
    await settled();
    house.close();
    await house.reveal();
    house.seq = 9;
    texts.connected(house.view(), "ana", false);
    const found = (await followed(texts.proof())).problems.map(([problem]) => problem);
    expect(found).toContain("history_changed");
  });
});
