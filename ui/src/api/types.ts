/** The shapes of the house under the words of the table. */
import type { components } from "./openapi";

type Schemas = components["schemas"];

export type Language = "es" | "it" | "bg" | "fr" | "en";
export type Texts = Record<string, string>;

export type Phase = Schemas["Phase"];
export type Me = Schemas["Me"];
export type Opened = Schemas["Opened"];
export type Role = Me["role"];
export type Summary = Schemas["Summary"];
export type NewTable = Schemas["NewTable"];
export type Coup = Schemas["Coup"];
export type Ball = Schemas["Ball"];
export type Sums = Schemas["Sums"];
export type LyingStake = Schemas["LyingStake"];
export type InPrison = Schemas["InPrison"];
export type Seat = Schemas["Seat"];
export type You = Schemas["You"];
export type BookTitle = Schemas["BookTitle"];
export type ChipKind = LyingStake["chips"];

/** The placard: class of spot → its minimum and maximum, in units. */
export type Limits = Record<string, { min?: number; max?: number }>;

export type Point = [number, number];

/** A part of the cloth on which a chip can lie. */
export interface ClothBox {
  spot: string;
  outline: Point[];
  chip: Point;
  word: string;
}

/** How the cloth is drawn; a number's square is 2 by 2, the zero is above. */
export interface ClothPlan {
  drawing: "french" | "american";
  bounds: [number, number, number, number];
  boxes: ClothBox[];
  points: Record<string, Point[]>;
  prison: Record<string, [Point, Point]>;
  spaces: Record<string, [number, number, number, number]>;
}

export interface BookSpot {
  class: string;
  numbers: number[];
  /** So many for so many. */
  pays: number[];
  halves: boolean;
  articles: string[];
  /** The spot's spoken name in the house's language. */
  word: string;
}

/** A rulebook, as the screens need it. */
export type Book = Omit<Schemas["Book"], "spots"> & {
  spots: Record<string, BookSpot>;
  cloth: ClothPlan;
  /** The numbers in the order in which they lie in the wheel, clockwise. */
  wheel: number[];
  red: number[];
  chips: { on_numbers: ChipKind[]; on_chances: ChipKind[] };
  kept: string[];
};

export type Turn = "clockwise" | "counterclockwise";

export interface Announced {
  id: string;
  player: string;
  call: string;
  amount: number;
}

/** An announcement that won, and the ways in which it may be played again now. */
export interface Replayable extends Announced {
  modes: string[];
}

/** A table as someone sees it. */
export type TableView = Omit<Schemas["Table"], "limits"> & {
  limits: Limits;
  launched: boolean;
  directions: { wheel: Turn; ball: Turn } | null;
  replays: Replayable[];
  due: number;
  announcements: Announced[];
};

/** When the automatic croupier goes on; both in milliseconds of the house's clock. */
export interface ClockFrame {
  step: string;
  ends: number | null;
  now: number;
}

/** An event of the log, as whoever looks is shown it. */
export interface TableEvent {
  seq: number;
  at: number;
  type: string;
  data: Record<string, unknown>;
  yours?: Record<string, unknown> | null;
}

/** What became of one stake in a coup, in words. */
export interface WhyLine {
  id: string;
  player: string;
  on: string;
  amount: number;
  won: number;
  returned: number;
  lost: number;
  held: number;
  stays: number;
  aside: number;
  sentences: string[];
  articles: { id: string; summary: string }[];
}

export interface Why {
  coup: number;
  number: number | null;
  call: string | null;
  lines: WhyLine[];
}

/** The house's answer to a command. */
export type Answer =
  | { kind: "ack"; first: number; seq: number }
  | { kind: "refused"; why: string; articles: string[]; detail: string }
  | { kind: "problem"; problem: string };
