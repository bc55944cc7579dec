/** Which sides of a table a console shows, and which one it opens with. */

import { may } from "./acts";
import type { BookFacts, Hand, TableFacts } from "./kinds";

export type Tab = "table" | "players" | "supervision" | "desk" | "posts";

/** The tabs that are useful to the user of the console; the posts are always visible. */
export function tabsFor(hand: Hand, book: BookFacts, table: TableFacts): Tab[] {
  const deals = hand.role === "staff" || hand.role === "croupier";
  if (deals && !(hand.name in table.staff)) return ["posts", "table"];
  const tabs: Tab[] = ["table"];
  if (may(hand, book, table, "BuyChips") || may(hand, book, table, "ClaimCustody"))
    tabs.push("players");
  tabs.push("supervision");
  if (may(hand, book, table, "FillBank")) tabs.push("desk");
  return [...tabs, "posts"];
}

const DEALING = ["LaunchBall", "CollectLosers", "PayNext", "BuyChips"] as const;

/** Croupiers begin at the cloth, supervisors with open decisions, cashiers at the desk. */
export function mainTab(hand: Hand, book: BookFacts, table: TableFacts): Tab {
  if (hand.role === "management") return Object.keys(table.staff).length ? "table" : "posts";
  if (hand.role === "cashier") return "desk";
  if (hand.role === "auditor") return "supervision";
  if (!(hand.name in table.staff)) return "posts";
  return DEALING.some((command) => may(hand, book, table, command)) ? "table" : "supervision";
}
