/**
 * Groups of keys that are completed at run time: `t(`room.phase.${step}`)`.
 *
 * A group has exactly the keys of the type that completes it, and this module does not compile
 * otherwise. So no key of a group is missing, and none is there that nothing could ask for.
 */
import type {
  Book,
  Counted,
  DecisionKind,
  FloatEntry,
  LimitKind,
  Phase,
  Post,
  ProblemWhy,
  Replayable,
  Standing,
  Turn,
  ZeroAgain,
} from "../api/types.ts";
import type { Role } from "../consoles/kinds.ts";
import type { LoggedType, Topic, Variant } from "../consoles/log.ts";
import type { Step as NextStep, Work } from "../consoles/next.ts";
import type { Caption } from "../consoles/reduction.ts";
import type { SpecialKind } from "../consoles/special.ts";
import type { Tab } from "../consoles/tabs.ts";
import type { Part } from "../people/parts.ts";
import type { Ending } from "../room/autoplay.svelte.ts";
import type { CoachStep } from "../room/coach.ts";
import type { Step } from "../room/phase.ts";
import type { Hue } from "../table/seats.ts";
import type { Problem } from "../table/verify.ts";
import type { Key } from "./languages.ts";

type BallKind = "wheel" | "drawn";

/** The names in a group. */
type In<Group extends string> = Key extends infer Each
  ? Each extends `${Group}.${infer Name}`
    ? Name
    : never
  : never;

/** What completes the keys of each group that this room knows. */
interface Closed {
  "room.lobby.zero": Book["zero"];
  "room.phase": Step;
  "room.short": Counted;
  "room.offers.zeroAgain": ZeroAgain;
  "room.history.problems": Problem;
  "room.coach.steps": CoachStep;
  "room.auto.endings": Ending;
  "room.colours": Hue;
  "console.choices": "half" | "prison";
  "console.directions": Turn;
  "console.door.closed": "noKey" | "badKey" | "player" | "over" | "unreachable";
  "console.events": LoggedType | Variant;
  "console.pay.states": "paid" | "now" | "later";
  "console.reduction.captions": Exclude<Caption, "spool">;
  "console.roles": Role;
  "console.setUp.balls": BallKind;
  "console.special.kinds": SpecialKind;
  "console.step": NextStep;
  "console.tabs": Tab;
  "console.topics": Topic | "all";
  "console.work": Work;
  "people.exclusion.periods": "day" | "week" | "month" | "halfYear" | "forGood";
  "people.limits.kinds": LimitKind;
  "people.office": Part;
  "people.posts": Post;
  "people.signIn.notices": "over" | "changed" | "out";
  "decisions.kinds": DecisionKind;
  "decisions.standings": Standing;
}

/**
 * What completes the keys of each group by names of the house. A newer house may send others, so
 * these are looked up with `words.find`. A test compares the plain strings with the house's source.
 */
interface Open {
  "console.acts": string;
  "console.ball": BallKind;
  "console.causes": string;
  "console.phases": Phase | "launched" | "suspended" | "stopped";
  "decisions.advances.occasions": FloatEntry["occasion"];
  "decisions.causes": string;
  "decisions.reasons": string;
  "people.register.kinds": string;
  "room.plain": string;
  "room.offers.modes": Replayable["modes"][number];
  "refusals.dispute": string;
  "refusals.player": string;
  "refusals.problem": Exclude<ProblemWhy, In<"refusals.player">>;
  "refusals.staff": string;
}

type Groups = Closed & Open;
export type OpenGroup = keyof Open;

/** Groups whose keys are not exactly what completes them: there must be none. */
type Wrong = {
  [Group in keyof Groups]: string extends Groups[Group]
    ? never
    : [In<Group>, Groups[Group]] extends [Groups[Group], In<Group>]
      ? never
      : Group;
}[keyof Groups];

/** Every group; each is exact, or this does not compile. */
export const GROUPS = {
  "room.lobby.zero": true,
  "room.phase": true,
  "room.short": true,
  "room.offers.zeroAgain": true,
  "room.history.problems": true,
  "room.coach.steps": true,
  "room.auto.endings": true,
  "room.colours": true,
  "console.choices": true,
  "console.directions": true,
  "console.door.closed": true,
  "console.events": true,
  "console.pay.states": true,
  "console.reduction.captions": true,
  "console.roles": true,
  "console.setUp.balls": true,
  "console.special.kinds": true,
  "console.step": true,
  "console.tabs": true,
  "console.topics": true,
  "console.work": true,
  "people.exclusion.periods": true,
  "people.limits.kinds": true,
  "people.office": true,
  "people.posts": true,
  "people.signIn.notices": true,
  "decisions.kinds": true,
  "decisions.standings": true,
  "console.acts": true,
  "console.ball": true,
  "console.causes": true,
  "console.phases": true,
  "decisions.advances.occasions": true,
  "decisions.causes": true,
  "decisions.reasons": true,
  "people.register.kinds": true,
  "room.plain": true,
  "room.offers.modes": true,
  "refusals.dispute": true,
  "refusals.player": true,
  "refusals.problem": true,
  "refusals.staff": true,
} as const satisfies Record<keyof Groups, true> & Record<Wrong, never>;
