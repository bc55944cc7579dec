import { describe, expect, it } from "vitest";
import { readFileSync } from "node:fs";
import { books } from "../gallery/books";
import { ASKED_BY, may, nameFor, whoMay } from "./acts";
import type { BookFacts, Hand, TableFacts } from "./kinds";
import { causesNow, mayCorrectNumber, mayVoid, missingPosts, nextAction } from "./next";
import { mainTab, tabsFor } from "./tabs";

const AR: BookFacts = {
  id: "ar",
  posts: {
    tallador: {
      word: "tallador",
      may: ["launch_ball", "close_betting", "void_ball", "pocket_ball", "call_number", "correct"],
    },
    pagador: {
      word: "pagador",
      may: ["collect", "pay", "sell_chips", "place_for_player", "correct"],
    },
  },
  causes: ["ball_escaped", "ball_out", "wheel_stopped"],
};

const IT: BookFacts = {
  id: "it",
  posts: {
    chief: { word: "Capo Tavolo", may: ["void_ball", "correct", "grant_exception", "suspend"] },
    croupier: {
      word: "croupier",
      may: ["launch_ball", "close_betting", "pocket_ball", "call_number", "collect", "pay"],
    },
  },
  causes: ["ball_out"],
};

function table(facts: Partial<TableFacts>): TableFacts {
  return {
    phase: "betting",
    ball: "wheel",
    suspended: false,
    stopped: null,
    launched: false,
    games_left: null,
    limits_kept: "enforced",
    staff: {},
    players: {},
    ...facts,
  };
}

const tallador: Hand = { name: "marta", role: "staff" };
const pagador: Hand = { name: "luis", role: "staff" };
const management: Hand = { name: "management", role: "management" };
const staff = { marta: "tallador", luis: "pagador" };

describe("a house that inspects", () => {
  const { sd } = books;
  const supervisor: Hand = { name: "sue", role: "chief" };
  const staffed = { dan: "dealer", sue: "supervisor" };

  it("looks at table, wheel and ball before it opens", () => {
    const opening = table({ phase: "opening", staff: staffed, inspected: false });
    const next = nextAction(supervisor, sd, opening);
    expect([next.step, next.command]).toEqual(["inspect_table", "InspectTable"]);
    expect(nextAction(supervisor, sd, { ...opening, inspected: true }).step).toBe("open");
    // A house without inspections opens at once.
    const spanish = { carla: "chief", dino: "croupier", eva: "croupier" };
    expect(nextAction(supervisor, books.es, { ...opening, staff: spanish }).step).toBe("open");
  });

  it("looks at a ball that left the wheel before it is launched again", () => {
    const betting = table({ staff: staffed, ball_to_inspect: true });
    expect(nextAction(supervisor, sd, betting)).toMatchObject({
      step: "inspect_ball",
      command: "InspectBall",
    });
    expect(nextAction(supervisor, sd, { ...betting, ball_to_inspect: false }).step).toBe("launch");
  });
});

it("a double table wants the staff of a double table", () => {
  const opening = table({ phase: "opening", staff: {} });
  expect(missingPosts(books.fr, opening)).toHaveLength(4);
  expect(missingPosts(books.fr, { ...opening, double: true })).toHaveLength(8);
});

describe("the next action by phase", () => {
  const at = (phase: string, more: Partial<TableFacts> = {}): TableFacts =>
    table({ phase, staff, ...more });

  it.each([
    ["opening", {}, "open", "OpenTable"],
    ["betting", {}, "launch", "LaunchBall"],
    ["choosing", {}, "launch", "LaunchBall"],
    ["betting", { launched: true }, "close", "CloseBetting"],
    ["closed", { launched: true }, "pocket", "PocketBall"],
    ["closed", { launched: true, ball: "drawn" }, "draw", "DrawBall"],
    ["pocketed", {}, "call", "CallNumber"],
  ])("%s %j is for the one who spins", (phase, more, step, command) => {
    const next = nextAction(tallador, AR, at(phase, more));
    expect(next).toMatchObject({ step, command, mine: true, waitsFor: { people: [], posts: [] } });
  });

  it.each([
    ["collecting", "collect"],
    ["paying", "pay"],
  ])("in %s the one who spins waits for the one who pays", (phase, step) => {
    const seen = nextAction(tallador, AR, at(phase));
    expect(seen).toMatchObject({ step, mine: false, waitsFor: { people: ["luis"], posts: [] } });
    expect(nextAction(pagador, AR, at(phase)).mine).toBe(true);
  });

  it("names the post when nobody is at it", () => {
    const seen = nextAction(tallador, AR, table({ phase: "paying", staff: { marta: "tallador" } }));
    expect(seen.waitsFor).toEqual({ people: [], posts: ["pagador"] });
  });

  it("has the last bets beside the launch and the close, and all payments beside one", () => {
    expect(nextAction(tallador, AR, at("betting")).beside).toEqual(["CallLastBets"]);
    expect(nextAction(tallador, AR, at("betting", { launched: true })).beside).toEqual([
      "CallLastBets",
    ]);
    expect(nextAction(pagador, AR, at("paying")).beside).toEqual(["PayWinners"]);
    expect(nextAction(tallador, AR, at("paying")).beside).toEqual([]);
  });

  it("waits with a suspended table, but not once the ball was launched", () => {
    const chief: Hand = { name: "carla", role: "staff" };
    const there = { carla: "chief", dino: "croupier" };
    const suspended = table({ suspended: true, staff: there });
    expect(nextAction(chief, IT, suspended)).toMatchObject({ step: "resume", mine: true });
    expect(nextAction(chief, IT, { ...suspended, launched: true }).step).toBe("close");
  });

  it("opens no other coup at a stopped table, and still settles the running one", () => {
    expect(nextAction(tallador, AR, at("betting", { stopped: "lost" })).step).toBe("stopped");
    expect(nextAction(tallador, AR, at("pocketed", { stopped: "lost" })).step).toBe("call");
  });

  it("waits for a second signature while another number is said to have come out", () => {
    const signing: BookFacts = {
      ...AR,
      posts: {
        ...AR.posts,
        pagador: { word: "pagador", may: [...AR.posts["pagador"]!.may, "sign_number"] },
      },
    };
    const asked = nextAction(tallador, signing, at("collecting"), true);
    expect(asked).toMatchObject({ step: "sign", mine: false, waitsFor: { people: ["luis"] } });
    expect(nextAction(pagador, signing, at("collecting"), true).mine).toBe(true);
    expect(mayCorrectNumber(tallador, signing, at("collecting"))).toBe(true);
    expect(mayCorrectNumber(tallador, signing, at("paying"))).toBe(false);
    expect(mayCorrectNumber(tallador, signing, at("pocketed", { ball: "drawn" }))).toBe(false);
    expect(mayCorrectNumber(tallador, AR, at("collecting"))).toBe(false);
  });

  it("wants the posts held before it opens", () => {
    const wanting: BookFacts = {
      ...AR,
      posts: {
        tallador: { ...AR.posts["tallador"]!, at_least: 1 },
        pagador: { ...AR.posts["pagador"]!, at_least: 2 },
      },
    };
    const opening = table({ phase: "opening", staff: { marta: "tallador" } });
    expect(missingPosts(wanting, opening)).toEqual(["pagador", "pagador"]);
    expect(nextAction(tallador, wanting, opening)).toMatchObject({ step: "posts", command: null });
  });

  it("wants so many of the posts that count together, whichever they are", () => {
    const es = books.es;
    const opening = (...posts: string[]): TableFacts =>
      table({ phase: "opening", staff: Object.fromEntries(posts.map((post, n) => [`p${n}`, post])) });
    expect(missingPosts(es, opening())).toEqual(["chief", "croupier", "croupier"]);
    expect(missingPosts(es, opening("chief", "croupier"))).toEqual(["croupier"]);
    expect(missingPosts(es, opening("chief", "end"))).toEqual(["croupier"]);
    expect(missingPosts(es, opening("chief", "croupier", "end"))).toEqual([]);
    expect(missingPosts(es, opening("chief", "croupier", "croupier"))).toEqual([]);
  });

  it("is for nobody who holds no post", () => {
    const stranger: Hand = { name: "eva", role: "staff" };
    expect(nextAction(stranger, AR, at("betting")).mine).toBe(false);
    expect(may(stranger, AR, at("betting"), "TakePost")).toBe(true);
    expect(may(tallador, AR, at("betting"), "TakePost")).toBe(false);
  });
});

describe("the management", () => {
  it("acts in the name of whoever may, people before the automatic croupier", () => {
    const there = table({
      staff: { "auto tallador 1": "tallador", luis: "pagador", marta: "tallador" },
    });
    expect(whoMay(AR, there, "LaunchBall")).toEqual(["marta", "auto tallador 1"]);
    expect(nameFor(management, AR, there, "LaunchBall")).toEqual({ as: "marta" });
    expect(nameFor(management, AR, there, "OpenTable")).toEqual({ as: null });
    expect(nameFor(management, AR, there, "GrantException")).toBeUndefined();
  });
});

describe("those who are signed in for a post of the house", () => {
  const there = table({ staff });

  it("ask for what the house's own table of permissions lets them ask for", () => {
    const text = readFileSync(
      new URL("../../../src/novamas/web/permissions.toml", import.meta.url),
      "utf8",
    );
    const rows = new Map<string, string[]>();
    const messages = text.split("[messages]")[1]!.split("[player_fields]")[0]!;
    for (const line of messages.split("\n")) {
      const [, command, who] = /^(\w+) = \[(.*)\]$/.exec(line) ?? [];
      if (command && who)
        rows.set(
          command,
          [...who.matchAll(/"(\w+)"/g)].map((found) => found[1]!),
        );
    }
    const ours = [...new Set(Object.values(ASKED_BY).flatMap((commands) => [...commands]))];
    expect(ours.length).toBeGreaterThan(25);
    for (const [role, commands] of Object.entries(ASKED_BY)) {
      const theirs = [...rows].filter(([, who]) => who.includes(role)).map(([command]) => command);
      expect([role, [...commands].sort()]).toEqual([role, theirs.sort()]);
    }
  });

  it("deal only as croupiers, and open the table only as chiefs", () => {
    const chief: Hand = { name: "marta", role: "chief" };
    expect(may({ name: "marta", role: "croupier" }, AR, there, "LaunchBall")).toBe(true);
    expect(may(chief, AR, there, "LaunchBall")).toBe(false);
    const opening = table({ phase: "opening", staff });
    expect(may({ name: "marta", role: "croupier" }, AR, opening, "OpenTable")).toBe(false);
    expect(may(chief, AR, opening, "OpenTable")).toBe(true);
  });

  it("suspend and count the bank without a post at the table", () => {
    const chief: Hand = { name: "carla", role: "chief" };
    const cashier: Hand = { name: "kim", role: "cashier" };
    expect(may(chief, AR, there, "Suspend")).toBe(true);
    expect(may(chief, AR, there, "VoidBall")).toBe(false);
    expect(may(cashier, AR, there, "CountBank")).toBe(true);
    expect(may(cashier, AR, there, "ClaimCustody")).toBe(true);
    expect(may(cashier, AR, table({}), "ClaimCustody")).toBe(false);
    expect(tabsFor(cashier, AR, there)).toEqual([
      "table",
      "players",
      "supervision",
      "desk",
      "posts",
    ]);
    expect(mainTab(cashier, AR, there)).toBe("desk");
    expect(mainTab({ name: "x", role: "auditor" }, AR, there)).toBe("supervision");
    expect(mainTab(tallador, AR, there)).toBe("table");
    expect(tabsFor({ name: "eva", role: "croupier" }, AR, there)).toEqual(["posts", "table"]);
  });
});

describe("corrections and last games", () => {
  const chief: Hand = { name: "carla", role: "chief" };

  it("are ordered by a post that touches no chips, and made by one that does", () => {
    const staff = { carla: "chief", dino: "croupier", eva: "end" };
    const there = table({ staff });
    expect(may(chief, books.es, there, "OrderCorrection")).toBe(true);
    expect(may(chief, books.es, there, "CorrectStake")).toBe(false);
    expect(may(chief, books.es, there, "RecordWrongPayment")).toBe(true);
    expect(may(chief, books.es, there, "CorrectWrongPayment")).toBe(false);
    for (const name of ["dino", "eva"]) {
      const croupier: Hand = { name, role: "croupier" };
      expect(may(croupier, books.es, there, "CorrectStake")).toBe(true);
      expect(may(croupier, books.es, there, "OrderCorrection")).toBe(false);
    }
    // In Italy no text keeps the chief from chips.
    expect(may(chief, books.it, table({ staff: { carla: "chief" } }), "CorrectStake")).toBe(true);
  });

  it("are announced at a chief's wish where the automatic croupier deals, and nowhere else", () => {
    const automatic = table({ staff: { "auto croupier 1": "croupier" } });
    expect(may(chief, books.bg, automatic, "AnnounceLastGames")).toBe(true);
    const watching = table({ staff: { "auto croupier 1": "croupier", carla: "inspector" } });
    expect(may(chief, books.bg, watching, "AnnounceLastGames")).toBe(true);
    const dealt = table({ staff: { dino: "croupier" } });
    expect(may(chief, books.bg, dealt, "AnnounceLastGames")).toBe(false);
    const other: Hand = { name: "eva", role: "croupier" };
    expect(may(other, books.bg, automatic, "AnnounceLastGames")).toBe(false);
    expect(may({ name: "dino", role: "croupier" }, books.bg, dealt, "AnnounceLastGames")).toBe(true);
  });
});

describe("a void ball", () => {
  it("is declared while it runs, never when it is drawn or lies", () => {
    const running = table({ phase: "closed", launched: true, staff });
    expect(mayVoid(tallador, AR, running)).toBe(true);
    expect(mayVoid(pagador, AR, running)).toBe(false);
    expect(mayVoid(tallador, AR, { ...running, ball: "drawn" })).toBe(false);
    expect(mayVoid(tallador, AR, { ...running, phase: "pocketed" })).toBe(false);
  });

  it("can only have slipped from the hand before the launch", () => {
    expect(causesNow(AR, table({ staff }))).toEqual(["ball_escaped"]);
    expect(causesNow(AR, table({ staff, launched: true }))).toEqual(AR.causes);
    expect(causesNow(IT, table({ staff }))).toEqual([]);
  });
});
