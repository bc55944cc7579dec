/**
 * The next lawful action of a coup, as a croupier's hands come to it.
 *
 * Read from the phase, the ball and the posts. If the house still refuses, it says why itself.
 */

import { nameFor, postsThatMay, whoMay, type StaffCommand } from "./acts";
import { bringing, countStep, hasCounted, isWanting } from "./float";
import type { BookFacts, Hand, TableFacts } from "./kinds";

export type Step =
  | "posts"
  | "inspect_table"
  | "bring_float"
  | "count_float"
  | "sign_float"
  | "open"
  | "refill"
  | "resume"
  | "inspect_ball"
  | "launch"
  | "close"
  | "pocket"
  | "draw"
  | "call"
  | "sign"
  | "collect"
  | "pay"
  | "close_table"
  | "over"
  | "stopped";

/** The steps of a coup. */
export type Work = "launch" | "close" | "pocket" | "draw" | "call" | "collect" | "pay";

export interface Next {
  step: Step;
  /** The command that ends the step; null where something else must happen first. */
  command: StaffCommand | null;
  /** Whether the user of this console may do it. */
  mine: boolean;
  /** Who may do it otherwise: people by name, or the posts that nobody holds. */
  waitsFor: { people: string[]; posts: string[] };
  /** What may be done beside it, in the order of the work. */
  beside: StaffCommand[];
}

export const BETTING: readonly string[] = ["betting", "choosing"];

const COMMAND: Record<Step, StaffCommand | null> = {
  posts: null,
  inspect_table: "InspectTable",
  bring_float: "OpenBank",
  count_float: "CountFloat",
  sign_float: "SignFloat",
  open: "OpenTable",
  refill: "FillBank",
  resume: "Resume",
  inspect_ball: "InspectBall",
  launch: "LaunchBall",
  close: "CloseBetting",
  pocket: "PocketBall",
  draw: "DrawBall",
  call: "CallNumber",
  sign: "SignNumber",
  collect: "CollectLosers",
  pay: "PayNext",
  close_table: "CloseTable",
  over: null,
  stopped: null,
};

const BESIDE: Partial<Record<Step, readonly StaffCommand[]>> = {
  launch: ["CallLastBets"],
  close: ["CallLastBets"],
  pay: ["PayWinners"],
};

/** The posts that the book wants held and that nobody holds; none where the house does not say. */
export function missingPosts(book: BookFacts, table: TableFacts): string[] {
  const held = new Map<string, number>();
  for (const post of Object.values(table.staff)) held.set(post, (held.get(post) ?? 0) + 1);
  const missing: string[] = [];
  const wanted = [
    ...Object.entries(book.posts).map(([name, post]) => ({
      posts: [name] as readonly string[],
      at_least: (table.double ? post.double_at_least : post.at_least) ?? 0,
    })),
    ...(book.staffing ?? []),
  ];
  for (const { posts, at_least } of wanted) {
    let lacking = at_least - posts.reduce((sum, post) => sum + (held.get(post) ?? 0), 0);
    for (const post of posts) {
      const { at_most, double_at_most } = book.posts[post] ?? {};
      const most = (table.double ? double_at_most : at_most) ?? Infinity;
      const free = most - (held.get(post) ?? 0);
      for (let n = 0; n < free && lacking > 0; n += 1, lacking -= 1) {
        missing.push(post);
        held.set(post, (held.get(post) ?? 0) + 1);
      }
    }
  }
  return missing;
}

function stepOf(book: BookFacts, table: TableFacts, questioned: boolean): Step {
  switch (table.phase) {
    case "opening":
      if (missingPosts(book, table).length || !Object.keys(table.staff).length) return "posts";
      if (table.inspected === false && postsThatMay(book, "InspectTable").length)
        return "inspect_table";
      return isWanting(table) ? "bring_float" : (countStep(table) ?? "open");
    case "closed":
      return table.ball === "drawn" ? "draw" : "pocket";
    case "pocketed":
      return "call";
    case "collecting":
      return questioned ? "sign" : "collect";
    case "paying":
      return "pay";
    case "ended":
      return countStep(table) ?? "over";
    default:
      // A stopped table plays its coup to the end, and opens no other.
      if (table.stopped !== null) return "stopped";
      if (table.launched) return "close";
      return countStep(table) ?? betweenCoups(table);
  }
}

/** What is next between two coups, with nothing to be counted. */
function betweenCoups(table: TableFacts): Step {
  if (table.suspended) return table.float?.uncovered ? "refill" : "resume";
  return table.ball_to_inspect ? "inspect_ball" : "launch";
}

/** The steps that are for the cash desk, which is nobody's post at the table. */
const OF_DESK: ReadonlySet<Step> = new Set<Step>(["bring_float", "refill"]);

/**
 * What is to be done next at a table, seen from a console; `questioned` while another number waits
 * for its second signature.
 */
export function nextAction(
  hand: Hand,
  book: BookFacts,
  table: TableFacts,
  questioned = false,
): Next {
  const step = stepOf(book, table, questioned);
  const command = OF_DESK.has(step) ? bringing(table) : COMMAND[step];
  const named = command === null ? undefined : nameFor(hand, book, table, command);
  // Nobody signs their own count.
  const isOwn = step === "sign_float" && hasCounted(table, named?.as ?? hand.name);
  const mine = named !== undefined && !isOwn;
  const waits = command !== null && !mine && !OF_DESK.has(step);
  const able = waits ? whoMay(book, table, command) : [];
  const people = step === "sign_float" ? able.filter((each) => !hasCounted(table, each)) : able;
  let posts: string[] = [];
  if (step === "posts") posts = missingPosts(book, table);
  else if (waits && !people.length) posts = postsThatMay(book, command);
  const beside = (BESIDE[step] ?? []).filter((c) => nameFor(hand, book, table, c) !== undefined);
  return { step, command, mine, waitsFor: { people, posts }, beside };
}

/** Whether the running ball, or one that slips from the hand, may be declared void now. */
export function mayVoid(hand: Hand, book: BookFacts, table: TableFacts): boolean {
  const running = BETTING.includes(table.phase) || table.phase === "closed";
  // A committed ball is never void: the house knows its secret.
  if (!running || table.ball === "drawn") return false;
  return nameFor(hand, book, table, "VoidBall") !== undefined;
}

/** The causes for which the ball may be void now: before the launch it can only slip. */
export function causesNow(book: BookFacts, table: TableFacts): BookFacts["causes"] {
  const running = table.launched || table.phase === "closed";
  return book.causes.filter((cause) => running || cause === "ball_escaped");
}

/** Whether the number may be changed now: until anything is collected, and never a drawn one. */
export function mayCorrectNumber(hand: Hand, book: BookFacts, table: TableFacts): boolean {
  const open = table.phase === "pocketed" || table.phase === "collecting";
  if (!open || table.ball === "drawn" || !postsThatMay(book, "SignNumber").length) return false;
  return nameFor(hand, book, table, "CorrectNumber") !== undefined;
}

/** The work of a coup in its order, for the strip that shows how far it has come. */
export function workOf(table: TableFacts): Work[] {
  return ["launch", "close", table.ball === "drawn" ? "draw" : "pocket", "call", "collect", "pay"];
}
