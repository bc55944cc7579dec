import { describe, expect, it } from "vitest";
import { Connection, type Standing, type Wire } from "./socket.ts";
import type { Answer, CommandName, TableEvent, TableView } from "./types.ts";

class Line implements Wire {
  onopen = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onclose: ((closing: { code: number }) => void) | null = null;
  sent: Record<string, unknown>[] = [];
  closed = false;
  constructor(readonly url: string) {}
  send(data: string): void {
    this.sent.push(JSON.parse(data) as Record<string, unknown>);
  }
  close(): void {
    this.closed = true;
  }
  says(told: unknown): void {
    this.onmessage?.({ data: JSON.stringify(told) });
  }
  breaks(code = 1006): void {
    this.onclose?.({ code });
  }
}

function connection(token: string | null = "t&k", language?: () => string) {
  const lines: Line[] = [];
  const timers: { then: () => void; wait: number }[] = [];
  const watches = new Map<number, { then: () => void; wait: number }>();
  const passes = (milliseconds: number): void => {
    for (let gone = 0; gone < milliseconds; gone += 500)
      for (const { then, wait } of [...watches.values()]) if (gone % wait === 0) then();
  };
  const heard = {
    tables: [] as TableView[],
    anew: [] as boolean[],
    events: [] as TableEvent[],
    standings: [] as [Standing, number | null][],
    clocks: [] as unknown[],
  };
  const made = new Connection(
    "salón 1",
    token,
    {
      table: (view, anew) => {
        heard.tables.push(view);
        heard.anew.push(anew);
      },
      event: (event) => heard.events.push(event),
      clock: (frame) => heard.clocks.push(frame),
      standing: (...told) => heard.standings.push(told),
    },
    {
      open: (url) => {
        lines.push(new Line(url));
        return lines.at(-1)!;
      },
      later: (then, wait) => timers.push({ then, wait }),
      cancel: () => timers.splice(0),
      every: (then, wait) => {
        watches.set(watches.size + 1, { then, wait });
        return watches.size;
      },
      stop: (watch) => watches.delete(watch as number),
      random: () => 1,
    },
    "https://house.example",
    language,
  );
  return { made, lines, timers, heard, passes, watches };
}

const view = (seq: number): unknown => ({ table: { table: "salón 1", seq } });
const event = (seq: number): unknown => ({ seq, at: 0, type: "Hidden", data: {} });

describe("a connection", () => {
  it("asks for its table with its token", () => {
    const { made, lines } = connection();
    made.connect();
    expect(lines[0]!.url).toBe(
      "wss://house.example/api/tables/sal%C3%B3n%201/socket?token=t%26k",
    );
  });

  it("gives commands once it is welcome, and keeps its promises by their ids", async () => {
    const { made, lines } = connection();
    made.connect();
    const early = made.give("Sit");
    expect(lines[0]!.sent).toEqual([]);
    lines[0]!.says(view(5));
    const late = made.give("PlaceStake", { on: "17" });
    const bad = made.give("Fly" as CommandName);
    const [one, two, three] = lines[0]!.sent as { id: string; do: string; with: unknown }[];
    expect(one!.do).toBe("Sit");
    expect(two).toMatchObject({ do: "PlaceStake", with: { on: "17" } });
    lines[0]!.says({ refused: two!.id, why: "not_seated", articles: ["X"], detail: "d", seq: 5 });
    lines[0]!.says({ ack: one!.id, first: 6, seq: 7 });
    lines[0]!.says({ problem: "do: no", id: three!.id, why: "not_understood" });
    expect(await late).toEqual({ kind: "refused", why: "not_seated", articles: ["X"], detail: "d" });
    expect(await early).toEqual({ kind: "ack", first: 6, seq: 7 });
    expect(await bad).toEqual({ kind: "problem", why: "not_understood", problem: "do: no" });
    expect(made.unanswered).toBe(0);
  });

  it("comes back after what it saw, and asks again what was not answered, under the same id", async () => {
    const { made, lines, timers, heard } = connection();
    made.connect();
    lines[0]!.says(view(5));
    lines[0]!.says(event(6));
    const stake = made.give("PlaceStake", { on: "17" });
    lines[0]!.breaks();
    expect(heard.standings.at(-1)).toEqual(["waiting", 1006]);
    timers.shift()!.then();
    expect(lines[1]!.url).toMatch(/after=6$/);
    lines[1]!.says(view(9));
    for (const seq of [7, 8, 9, 10]) lines[1]!.says(event(seq));
    expect(heard.events.map((each) => each.seq)).toEqual([6, 7, 8, 9, 10]);
    expect(lines[1]!.sent).toEqual(lines[0]!.sent);
    lines[1]!.says({ ack: lines[1]!.sent[0]!["id"], first: 7, seq: 7 });
    expect(((await stake) as Answer).kind).toBe("ack");
  });

  it("hears no event twice", () => {
    const { made, lines, heard } = connection();
    made.connect();
    lines[0]!.says(view(5));
    for (const seq of [5, 6, 6, 7]) lines[0]!.says(event(seq));
    expect(heard.events.map((each) => each.seq)).toEqual([6, 7]);
  });

  it("waits longer each time, and not for ever", () => {
    const { made, lines, timers } = connection();
    made.connect();
    const waits: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      lines.at(-1)!.breaks();
      const timer = timers.shift()!;
      waits.push(timer.wait);
      timer.then();
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    lines.at(-1)!.says(view(1));
    lines.at(-1)!.breaks();
    expect(timers.shift()!.wait).toBe(250);
  });

  it("begins anew where the house has a shorter log than it saw", () => {
    const { made, lines, timers, heard } = connection();
    made.connect();
    lines[0]!.says(view(50));
    lines[0]!.breaks();
    timers.shift()!.then();
    lines[1]!.breaks(4400);
    timers.shift()!.then();
    expect(lines[2]!.url).not.toContain("after");
    lines[2]!.says(view(3));
    expect(heard.anew).toEqual([true, true]);
    lines[2]!.says(event(4));
    expect(heard.events.at(-1)?.seq).toBe(4);
  });

  it.each([4401, 4404])("does not come back when the house says %i", async (code) => {
    const { made, lines, timers, heard } = connection();
    made.connect();
    const asked = made.give("Sit");
    lines[0]!.breaks(code);
    expect(timers).toEqual([]);
    expect(heard.standings.at(-1)).toEqual(["gone", code]);
    expect((await asked).kind).toBe("problem");
  });

  it("is ended without a word, and breaks no promise in silence", async () => {
    const { made, lines, timers } = connection();
    made.connect();
    const asked = made.give("Sit");
    made.end();
    expect(lines[0]!.closed).toBe(true);
    expect((await asked).kind).toBe("problem");
    expect((await made.give("Sit")).kind).toBe("problem");
    made.connect();
    expect(lines).toHaveLength(1);
    expect(timers).toEqual([]);
  });

  it("hurries back when the page is seen again", () => {
    const { made, lines } = connection();
    made.connect();
    lines[0]!.breaks();
    made.hurry();
    expect(lines).toHaveLength(2);
    made.hurry();
    expect(lines).toHaveLength(2);
  });

  it("connects anew in another language, where it was, and says nothing of it", () => {
    let language = "en";
    const { made, lines, heard } = connection(null, () => language);
    made.connect();
    expect(lines[0]!.url).toContain("language=en");
    lines[0]!.says({ table: { seq: 7 } });
    const standings = heard.standings.length;
    language = "es";
    made.renew();
    expect(lines[0]!.closed).toBe(true);
    expect(lines[1]!.url).toContain("after=7&language=es");
    expect(heard.standings).toHaveLength(standings);
    lines[1]!.says({ table: { seq: 8 } });
    expect(heard.anew).toEqual([true, false]);
    lines[0]!.breaks();
    expect(heard.standings.at(-1)).toEqual(["open", null]);
  });

  it("passes the clock on", () => {
    const { made, lines, heard } = connection(null);
    made.connect();
    expect(lines[0]!.url).not.toContain("token");
    lines[0]!.says({ clock: { step: "betting", ends: 5, now: 1 } });
    expect(heard.clocks).toEqual([{ step: "betting", ends: 5, now: 1 }]);
  });

  it("notices within five seconds that nothing comes any more, and comes back", async () => {
    const { made, lines, timers, heard, passes } = connection();
    made.connect();
    lines[0]!.says(view(5));
    const stake = made.give("PlaceStake", { on: "17" });
    passes(4000);
    expect(heard.standings.at(-1)).toEqual(["open", null]);
    passes(1000);
    expect(heard.standings.at(-1)).toEqual(["waiting", 1006]);
    expect(lines[0]!.closed).toBe(true);
    expect(made.unanswered).toBe(1);
    timers.shift()!.then();
    lines[1]!.says(view(6));
    expect(lines[1]!.sent).toEqual(lines[0]!.sent);
    lines[1]!.says({ ack: lines[1]!.sent[0]!["id"], first: 6, seq: 6 });
    expect((await stake).kind).toBe("ack");
  });

  it("takes any message as a sign of life", () => {
    const { made, lines, heard, passes } = connection();
    made.connect();
    lines[0]!.says(view(5));
    for (let beat = 0; beat < 10; beat += 1) {
      passes(4000);
      lines[0]!.says({ clock: { step: "betting", ends: null, now: beat } });
    }
    expect(lines).toHaveLength(1);
    expect(heard.standings.at(-1)).toEqual(["open", null]);
  });

  it("gives a connection that is being made more time, but not for ever", () => {
    const { made, lines, heard, passes } = connection();
    made.connect();
    passes(9000);
    expect(heard.standings.at(-1)).toEqual(["connecting", null]);
    passes(1000);
    expect(lines[0]!.closed).toBe(true);
    expect(heard.standings.at(-1)).toEqual(["waiting", 1006]);
  });

  it("gives a line up at once that the browser says is gone, and hears no more of it", () => {
    const { made, lines, heard, watches } = connection();
    made.connect();
    lines[0]!.says(view(5));
    made.lost();
    expect(heard.standings.at(-1)).toEqual(["waiting", 1006]);
    lines[0]!.says(event(6));
    expect(heard.events).toEqual([]);
    expect(watches.size).toBe(0);
    made.lost();
    expect(heard.standings.filter(([standing]) => standing === "waiting")).toHaveLength(1);
  });

  it("watches nothing once it is ended", () => {
    const { made, lines, watches } = connection();
    made.connect();
    lines[0]!.says(view(5));
    made.end();
    expect(watches.size).toBe(0);
  });
});
