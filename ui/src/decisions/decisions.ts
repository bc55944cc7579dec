/** Decisions at a table in words, and the state of a player's dispute. */
import type {
  Decided,
  Decision,
  DecisionKind,
  DecisionSide,
  Language,
  OpenDispute,
  TableEvent,
} from "../api/types.ts";
import { t, words } from "../i18n/words.svelte.ts";
import { amount } from "../table/money.ts";

/** The words of the house for a decision. */
export interface Naming {
  spot: (name: string) => string;
  limit: (kind: string) => string;
  language: Language;
}

/** The events that change the list of decisions, or the book of advances beside it. */
const DECISIVE: ReadonlySet<string> = new Set([
  "TableSuspended",
  "TableResumed",
  "TableStopped",
  "LimitsChanged",
  "TableReopened",
  "BallVoided",
  "ExceptionGranted",
  "CorrectionOrdered",
  "NumberQuestioned",
  "NumberCorrected",
  "WrongPaymentMade",
  "WrongPaymentCorrected",
  "DisputeRaised",
  "DisputeWithdrawn",
  "DisputeDecided",
  "OrphanDeclared",
  "FloatEntered",
]);

/** Whether an event may change the list of decisions. */
export function isDecisive({ type, data }: TableEvent): boolean {
  // Logs of an older house lack a field that came later.
  if (type === "StakeMoved") return data.correction === true;
  if (type === "StakePlaced") return data.exception === true;
  if (type === "StakesReturned") return typeof data.by === "string";
  return DECISIVE.has(type);
}

/** The decisions that are announced to everybody at the table; the rest are only in the list. */
const TOLD: ReadonlySet<DecisionKind> = new Set<DecisionKind>([
  "suspended",
  "resumed",
  "stopped",
  "limits_changed",
  "table_reopened",
  "ball_voided",
  "exception_granted",
  "stake_corrected",
  "number_corrected",
  "wrong_payment",
  "payment_corrected",
  "dispute_upheld",
  "dispute_rejected",
]);

/** The announced decisions that are new since a place in the log, oldest first. */
export function news(decisions: readonly Decision[], since: number): Decision[] {
  return decisions.filter(({ seq, kind }) => seq > since && TOLD.has(kind)).reverse();
}

/** The newest page put before what was read before it. */
export function joined(fresh: Decided, known: readonly Decision[]): Decision[] {
  const last = fresh.decisions.at(-1)?.seq ?? 0;
  // A page that does not reach the known decisions leaves a gap, so older ones are loaded again.
  const reaches = !fresh.more || known.some(({ seq }) => seq >= last);
  return [...fresh.decisions, ...(reaches ? known.filter(({ seq }) => seq < last) : [])];
}

/** The name of a person for display; the management may have a name after it. */
export function person(name: string | null): string {
  if (name === null) return t("decisions.theHouse");
  const [, officer] = /^management(?: (.*))?$/.exec(name) ?? [null, null];
  if (officer === null) return name;
  return officer ? `${officer} (${t("decisions.management")})` : t("decisions.management");
}

export function headline(decision: Decision): string {
  return t(`decisions.kinds.${decision.kind}`, { who: decision.about ?? "", coup: decision.coup });
}

/** The reason in words: a cause of the book, one of the house's own, or what was written down. */
export function reason({ kind, why }: Decision): string {
  const group = kind === "ball_voided" ? "decisions.causes" : "decisions.reasons";
  return words.find(group, why) ?? why;
}

/** What changed, each as what was before and what is after. */
export function changes(
  { before, after }: Decision,
  naming: Naming,
): { of: string; before: string; after: string }[] {
  if (!before || !after) return [];
  const money = (units: number): string => amount(units, naming.language);
  if (before.limits && after.limits) {
    const kinds = [...new Set([...Object.keys(before.limits), ...Object.keys(after.limits)])];
    return kinds.map((kind) => ({
      of: naming.limit(kind),
      before: limit(before.limits?.[kind], money),
      after: limit(after.limits?.[kind], money),
    }));
  }
  return [
    { of: "", before: side(before, naming, money), after: side(after, naming, money) },
  ];
}

type Money = (units: number) => string;

function limit(
  found: { [bound: string]: number } | undefined,
  money: Money,
): string {
  const [least, most] = [found?.["min"], found?.["max"]];
  if (least === undefined && most === undefined) return t("decisions.noLimit");
  if (least === undefined) return `≤ ${money(most!)}`;
  if (most === undefined) return `≥ ${money(least)}`;
  return t("decisions.limits", { least: money(least), most: money(most) });
}

function side(told: DecisionSide, naming: Naming, money: Money): string {
  if (told.standing) return t(`decisions.standings.${told.standing}`);
  if (told.number !== null) return String(told.number);
  if (told.wrong_by !== null) {
    if (told.wrong_by === 0) return t("decisions.asDue");
    const by = money(Math.abs(told.wrong_by));
    return t(told.wrong_by > 0 ? "decisions.tooMuch" : "decisions.tooLittle", { amount: by });
  }
  const lying = told.amount === null ? "" : money(told.amount);
  return [told.spot === null ? "" : naming.spot(told.spot), lying].filter(Boolean).join(" · ");
}

/** How a player's dispute of a coup stands; null if there is none. */
export type DisputeStanding =
  | { state: "open"; id: number; says: string }
  | { state: "upheld" | "rejected"; decision: Decision };

export function disputeOf(
  open: readonly OpenDispute[],
  decisions: readonly Decision[],
  player: string,
  coup: number,
): DisputeStanding | null {
  const waits = open.find((each) => each.player === player && each.coup === coup);
  if (waits) return { state: "open", id: waits.id, says: waits.says };
  const decision = decisions.find(
    ({ kind, about, coup: of }) =>
      (kind === "dispute_upheld" || kind === "dispute_rejected") && about === player && of === coup,
  );
  if (!decision) return null;
  return { state: decision.kind === "dispute_upheld" ? "upheld" : "rejected", decision };
}

/** A decision in one line, for its announcement. */
export function told(decision: Decision, naming: Naming): string {
  const parts = [headline(decision)];
  const [changed] = changes(decision, naming);
  const telling = decision.after?.number ?? decision.after?.wrong_by ?? null;
  if (changed && telling !== null) parts.push(`${changed.before} → ${changed.after}`);
  const why = reason(decision);
  if (why) parts.push(why);
  return parts.join(" · ");
}

/** Why the house does not take a dispute, in words; null where it says something else. */
export const disputeRefusal = (why: string): string | null => words.find("refusals.dispute", why);
