/** The shapes of the house under the words of the table. */
import type { components } from "./openapi";

type Schemas = components["schemas"];

export type Language = "es" | "it" | "bg" | "fr" | "en";
export type Texts = Record<string, string>;

/** Why the house does not do something over HTTP, or at a table before the table is asked. */
export type ProblemWhy = Schemas["Problem"]["why"];

export type Phase = Schemas["Phase"];
export type Me = Schemas["Me"];
export type Opened = Schemas["Opened"];
export type Role = Me["role"];

/** How the house is served, and who is signed in. */
export type Mode = Schemas["Mode"];
export type Post = Me["role"];
export type SignIn = Pick<Schemas["SignIn"], "name" | "password" | "post" | "new" | "code">;
/** One's own second factors. */
export type MyFactor = Schemas["MyFactor"];
export type MyFactors = Schemas["MyFactors"];
/** A secret for an app that shows codes. */
export type NewSecret = Schemas["NewSecret"];
/** What a browser is asked with for a passkey. */
export type PublicKey = Schemas["PublicKey"];
/** Where one is signed in. */
export type MySession = Schemas["MySession"];
/** The limits that players set for themselves. */
export type Protection = Schemas["Protection"];
export type LimitKind = Schemas["LimitKind"];
/** Somebody whom the house knows. */
export type Known = Schemas["Known"];
export type Wallet = Schemas["Wallet"];
/** What one person asked for, and another approves. */
export type Approval = Schemas["Approval"];
export type ActForTwo = Schemas["ActForTwo"];
/** What one person at a table proposed, and another confirms. */
export type Proposal = Schemas["Proposal"];
/** An entry of the register's log. */
export type Entry = Schemas["Entry"];
export type Summary = Schemas["TableSummary"];
export type NewTable = Schemas["NewTable"];
export type Coup = Schemas["CoupView"];
export type Ball = Schemas["DrawnBall"];
export type Chain = Schemas["SeedChain"];
export type Draw = Schemas["Draw"];
export type Sums = Schemas["Sums"];
export type LyingStake = Schemas["LyingStake"];
export type InPrison = Schemas["InPrison"];
export type Choosing = Schemas["ZeroOffer"];
export type ZeroAgain = Schemas["ZeroAgain"];
/** A stake that would be handed back as too little to play, and what there is too little of. */
export type ShortStake = Schemas["ShortStake"];
export type Counted = ShortStake["counted"];
/** What was decided at a table beyond its ordinary play, and the disputes that wait for it. */
export type Decided = Schemas["DecisionPage"];
export type Decision = Schemas["Decision"];
/** An entry in the book of advances: a count of the float that was signed. */
export type FloatEntry = Schemas["FloatEntry"];
export type DecisionKind = Schemas["DecisionKind"];
export type DecisionSide = Schemas["Side"];
export type Standing = Schemas["Standing"];
export type OpenDispute = Schemas["OpenDispute"];
export type Seat = Schemas["Seat"];
export type You = Schemas["OwnSeat"];
export type BookTitle = Schemas["RulebookTitle"];
export type ChipKind = LyingStake["chips"];

/** The placard: class of spot → its minimum and maximum, in units. */
export type Limits = Record<string, { min?: number; max?: number }>;

/** A part of the cloth on which a chip can lie. */
export type ClothBox = Schemas["ClothBox"];
export type Point = ClothBox["chip"];
/** How the cloth is drawn; a number's square is 2 by 2, the zero is above. */
export type ClothPlan = Schemas["ClothView"];

export type BookSpot = Schemas["RulebookSpot"];

/** A rulebook, as the screens need it. */
export type Book = Schemas["RulebookView"];

/** What differs between two rulebooks, in words of the reader's language. */
export type Comparison = Schemas["RulebookComparison"];
export type ComparedSide = Schemas["ComparedSide"];

/** What lay on the cloth in a coup. */
export type CoupBets = Schemas["CoupBets"];
/** What a player's bets of a coup would have brought at the other houses. */
export type Elsewhere = Schemas["CoupElsewhere"];
export type ProfitPoint = Schemas["ProfitPoint"];

/** A number of a wheel: a whole number, or the text of a further zero, such as "00". */
export type Pocket = Book["wheel"][number];

export type Turn = Schemas["Direction"];
export type Announced = Schemas["LyingAnnouncement"];

/** An announcement that won, and the ways in which it may be played again now. */
export type Replayable = Schemas["Replayable"];

/** A table as someone sees it. */
export type TableView = Omit<Schemas["TableView"], "limits" | "limits_apart" | "limits_coming"> & {
  limits: Limits;
  limits_coming: Limits | null;
  limits_apart: Limits;
  /** The lines of a coup that was called, as far as they came with its event; until it has ended. */
  settled?: SettledLine[];
};

/** What became of one stake; a part that is 0 is left out. */
export type SettledLine = Pick<Schemas["StoredLine"], "id" | "player" | "on" | "amount"> &
  Partial<Schemas["StoredLine"]>;

/** What an event changed at the table besides what its data say; what is left out did not change. */
export type TableChange = Omit<Partial<Schemas["TableChange"]>, "stakes" | "prison"> & {
  stakes?: Partial<Schemas["StakesChange"]> | null;
  prison?: Partial<Schemas["PrisonChange"]> | null;
};

/** When the automatic croupier goes on; both in milliseconds of the house's clock. */
export type ClockFrame = Schemas["ClockMessage"]["clock"];

/** What the house sends over a table's socket: its state, its clock, its events, and answers. */
export type ServerMessage =
  | { table: TableView }
  | TableEvent
  | Schemas["ClockMessage"]
  | Schemas["Acknowledgement"]
  | Schemas["RefusedCommand"]
  | Schemas["CommandProblem"];

/** The data of every event by its name, as the house defines them. */
export type EventData = Schemas["EventData"];
export type EventName = keyof EventData;

/** An event of one kind; `yours` is what of it only the player sees whom it concerns. */
export interface EventOf<T extends EventName> {
  seq: number;
  at: number;
  type: T;
  data: EventData[T];
  yours?: Partial<EventData[T]> | null;
  /** In live events: what it changed at the table. */
  change?: TableChange | null;
  /** What became of one's stakes, and why. */
  why?: Why | null;
  /** The coup as a row of the history. */
  coup?: Coup | null;
  /** Stake → what one may choose for it after zero. */
  offers?: Record<string, Choosing> | null;
}

/** An event of which the viewer is shown its number alone. */
export interface HiddenEvent {
  seq: number;
  at: number;
  type: "Hidden";
  data: Record<string, never>;
  yours?: null;
}

/** An event of the log, as the viewer is shown it. */
export type TableEvent = { [T in EventName]: EventOf<T> }[EventName] | HiddenEvent;

/** The fields of every command by its name. */
export type CommandFields = Schemas["CommandFields"];
export type CommandName = keyof CommandFields;
/** The fields that a command is given with; what the house has a default for may be left out. */
export type Given<C extends CommandName> = Partial<CommandFields[C]>;
export type Give = <C extends CommandName>(command: C, fields: Given<C>) => void;

/** What became of the stakes of a coup, in words and with the articles. */
export type Why = Omit<Schemas["CoupExplanation"], "more" | "lines"> & {
  lines: WhyLine[];
  /** How many lines were left out. */
  more?: number;
};
/** What became of a stake; a piece of an announcement says which. */
export type WhyLine = Omit<Schemas["ExplainedLine"], "announcement" | "call"> & {
  announcement?: string | null;
  call?: string | null;
};

/** The house's answer to a command. */
export type Answer =
  | { kind: "ack"; first: number; seq: number }
  | { kind: "refused"; why: string; articles: string[]; detail: string }
  | { kind: "problem"; why: string; problem: string };
