/**
 * A reduction as a picture that moves: the same chips, frame after frame, each in its place.
 *
 * The chips of a player's winners are dragged off the number (AR-24.a), made into straights class
 * by class in the house's order (AR-24.b, AR-27), the straights laid on the number and what they do
 * not need behind the zero's plate (AR-26). What was reduced first comes last in the spool, from
 * whose other end the payment begins (AR-25). The house has worked all of it out and cited it; here
 * it is only laid out to be looked at.
 */

import type { Pocket } from "../api/types";
import { ON_NUMBERS } from "../cloth/spots";
import type { CoupPayments, DuePayment, MadeReduction, ReductionStep } from "./kinds";

/** Where a chip is: on the cloth, dragged beside it, on the number, behind the plate, spooled. */
export type Zone = "cloth" | "row" | "number" | "plate" | "left" | "spool";

export interface Token {
  /** The same chip has the same id in every frame of its reduction. */
  id: string;
  /** How many chips it stands for: a large payment is not drawn chip by chip. */
  weight: number;
  class: string;
  /** The spot on which it was staked. */
  on: string;
  zone: Zone;
  /** Its place within the zone: the group it is brought into, and where in the group. */
  group: number;
  place: number;
}

export type Caption = "lie" | "drag" | "gather" | "form" | "left" | "spool";

export interface Frame {
  caption: Caption;
  /** What the caption says: the class, how many chips, straights, freed. */
  class: string | null;
  chips: number;
  straights: number;
  freed: number;
  articles: readonly string[];
  tokens: readonly Token[];
  /** Chips on the number, and behind the plate, so far. */
  onNumber: number;
  behindPlate: number;
}

/** One length of the spool: the chips of one colour that the reduction yielded. */
export interface Spooled {
  player: string;
  colour: string | null;
  chip: number;
  straights: number;
  left: number;
  /** What is paid for it, in chips. */
  paid: number;
}

export interface Reel {
  player: string;
  colour: string | null;
  chip: number;
  frames: Frame[];
}

/** How many groups of a class are drawn before the chips of a group stand for several. */
const MOST_GROUPS = 4;

interface Lying {
  on: string;
  chips: number;
}

/** A player's winning chips as they lie, by the class of their spot. */
function lyingBy(
  payments: readonly DuePayment[],
  reduction: MadeReduction,
  classOf: (spot: string) => string,
): Map<string, Lying[]> {
  const found = new Map<string, Lying[]>();
  for (const payment of payments) {
    if (payment.player !== reduction.player) continue;
    for (const line of payment.lines) {
      const kind = classOf(line.on);
      const chips = Math.floor(line.amount / reduction.chip);
      found.set(kind, [...(found.get(kind) ?? []), { on: line.on, chips }]);
    }
  }
  return found;
}

/** Gives chips their spots in turn; what a cascade brought down lies where the last one lies. */
function spotsInTurn(lying: readonly Lying[], fallback: string): (weight: number) => string {
  const rest = lying.map((each) => ({ ...each }));
  return (weight) => {
    while (rest.length > 1 && rest[0] && rest[0].chips <= 0) rest.shift();
    const first = rest[0];
    if (!first) return fallback;
    first.chips -= weight;
    return first.on;
  };
}

/** How many straights each drawn group stands for. */
export function groupsOf(straights: number): number[] {
  const groups = Math.min(straights, MOST_GROUPS);
  return Array.from({ length: groups }, (_, n) =>
    Math.floor((straights + groups - 1 - n) / groups),
  );
}

function tokensOf(
  reduction: MadeReduction,
  lying: Map<string, Lying[]>,
  number: Pocket | null,
): Token[] {
  const fallback = String(number ?? 0);
  const tokens: Token[] = [];
  const lay = (kind: string, weight: number, on: string, group: number, place: number): void => {
    const id = `${reduction.player}:${kind}:${group}:${place}`;
    tokens.push({ id, weight, class: kind, on, zone: "cloth", group, place });
  };
  // What lay on the number before lies under what comes to it.
  const before = reduction.straights - reduction.steps.reduce((sum, s) => sum + s.straights, 0);
  if (before > 0) lay("straight", before, fallback, 0, 0);
  for (const step of reduction.steps) {
    const needed = step.chips / step.straights;
    const spot = spotsInTurn(lying.get(step.class) ?? [], fallback);
    groupsOf(step.straights).forEach((weight, group) => {
      for (let place = 0; place < needed; place += 1) {
        lay(step.class, weight, spot(weight), group, place);
      }
    });
    const left = reduction.left[step.class] ?? 0;
    for (let place = 0; place < left; place += 1) lay(step.class, 1, spot(1), MOST_GROUPS, place);
  }
  for (const [kind, chips] of Object.entries(reduction.left)) {
    if (reduction.steps.some((step) => step.class === kind)) continue;
    const spot = spotsInTurn(lying.get(kind) ?? [], fallback);
    for (let place = 0; place < chips; place += 1) lay(kind, 1, spot(1), MOST_GROUPS, place);
  }
  return tokens;
}

function moved(tokens: readonly Token[], change: (token: Token) => Zone): Token[] {
  return tokens.map((token) => ({ ...token, zone: change(token) }));
}

function isLeft(token: Token): boolean {
  return token.group === MOST_GROUPS && token.class !== "straight";
}

/** The frames of one player's reduction. */
export function framesOf(
  reduction: MadeReduction,
  payments: readonly DuePayment[],
  number: Pocket | null,
  classOf: (spot: string) => string,
): Frame[] {
  let tokens = tokensOf(reduction, lyingBy(payments, reduction, classOf), number);
  const before = reduction.straights - reduction.steps.reduce((sum, s) => sum + s.straights, 0);
  const frames: Frame[] = [];
  const show = (caption: Caption, articles: readonly string[], step?: ReductionStep): void => {
    const last = frames.at(-1);
    const forms = caption === "form" && step ? step : { straights: 0, freed: 0 };
    frames.push({
      caption,
      class: step?.class ?? null,
      chips: step?.chips ?? tokens.reduce((sum, token) => sum + token.weight, 0),
      straights: step?.straights ?? reduction.straights,
      freed: step?.freed ?? reduction.freed,
      articles,
      tokens,
      onNumber: (last?.onNumber ?? before) + forms.straights,
      behindPlate: (last?.behindPlate ?? 0) + forms.freed,
    });
  };
  show("lie", reduction.articles);
  tokens = moved(tokens, (token) => (token.class === "straight" ? "number" : "row"));
  show("drag", reduction.articles);
  for (const step of reduction.steps) {
    show("gather", step.articles, step);
    tokens = moved(tokens, (token) => {
      if (token.class !== step.class || isLeft(token)) return token.zone;
      return token.place === 0 ? "number" : "plate";
    });
    show("form", [...step.articles, ...reduction.articles], step);
  }
  if (Object.keys(reduction.left).length) {
    tokens = moved(tokens, (token) => (isLeft(token) ? "left" : token.zone));
    show("left", reduction.articles);
  }
  tokens = moved(tokens, (token) => (token.zone === "number" ? "spool" : token.zone));
  const paid = payments.filter((each) => each.player === reduction.player);
  const ofNumbers = paid.find((each) => each.lines.some((line) => ON_NUMBERS.includes(classOf(line.on))));
  show("spool", ofNumbers?.articles ?? []);
  return frames;
}

/** The reels of a coup in the order in which the reductions are made. */
export function reelsOf(
  coup: CoupPayments,
  classOf: (spot: string) => string,
  colourOf: (player: string) => string | null,
): Reel[] {
  return coup.reductions.map((reduction) => ({
    player: reduction.player,
    colour: colourOf(reduction.player),
    chip: reduction.chip,
    frames: framesOf(reduction, coup.payments, coup.number, classOf),
  }));
}

/** The spool after so many reductions: the payment begins at its front (AR-25.b). */
export function spoolAfter(
  coup: CoupPayments,
  made: number,
  colourOf: (player: string) => string | null,
): Spooled[] {
  return coup.reductions
    .slice(0, made)
    .map((reduction) => ({
      player: reduction.player,
      colour: colourOf(reduction.player),
      chip: reduction.chip,
      straights: reduction.straights,
      left: Object.values(reduction.left).reduce((sum, chips) => sum + chips, 0),
      paid: reduction.paid,
    }))
    .reverse();
}
