/**
 * The working of a payment: how its amount comes about, as a croupier counts it.
 *
 * Stakes that pay alike are counted together, in chips of the colour where they come out even:
 * two chips on splits and one on the number are "2 × 17 + 35", sixty-nine chips in all.
 */

import type { DuePayment, MadeReduction, PaymentLine } from "./kinds";

export interface Term {
  /** Chips, or units where the stake is not whole chips. */
  count: number;
  pays: readonly [number, number];
}

export interface Working {
  /** What a counted chip is worth; 1 where amounts are counted as they are. */
  chip: number;
  terms: Term[];
  /** Paid otherwise than at the odds of its spot: by what a maximum left, or by a cascade. */
  plain: number;
  /** The payment in chips; null where it is not whole chips. */
  chips: number | null;
  paid: number;
}

function atItsOdds(line: PaymentLine): boolean {
  const [n = 0, d = 1] = line.pays;
  return line.won * d === line.amount * n;
}

/** How a payment comes about; `chip` is what a chip of the player's colour is worth. */
export function workingOf(payment: DuePayment, chip: number): Working {
  const whole = chip > 0 && payment.lines.every((line) => line.amount % chip === 0);
  const unit = whole && payment.won % chip === 0 ? chip : 1;
  const terms = new Map<string, Term>();
  let plain = 0;
  for (const line of payment.lines) {
    if (!atItsOdds(line)) {
      plain += line.won;
      continue;
    }
    const [n = 0, d = 1] = line.pays;
    const term = terms.get(`${n}/${d}`);
    if (term) term.count += line.amount / unit;
    else terms.set(`${n}/${d}`, { count: line.amount / unit, pays: [n, d] });
  }
  return {
    chip: unit,
    terms: [...terms.values()].sort((a, b) => b.pays[0] * a.pays[1] - a.pays[0] * b.pays[1]),
    plain,
    chips: unit > 1 ? payment.won / unit : null,
    paid: payment.won,
  };
}

/** Odds as they are said: 17, ½, 3⁄2. */
export function odds([n, d]: readonly [number, number]): string {
  if (d === 1) return String(n);
  return n === 1 && d === 2 ? "½" : `${n}⁄${d}`;
}

/** A working on one line, with amounts written by `money`: "2 × 17 + 35 = 69 × 100". */
export function written(working: Working, money: (amount: number) => string): string {
  const count = (n: number): string => (working.chip === 1 ? money(n) : String(n));
  const terms = working.terms.map((term) =>
    term.count === 1 && working.chip > 1
      ? odds(term.pays)
      : `${count(term.count)} × ${odds(term.pays)}`,
  );
  const sum = terms.join(" + ");
  if (working.plain) {
    // Chips are counted, what is paid otherwise is an amount: the chips are made one too.
    const counted = terms.length > 1 && working.chip > 1 ? `(${sum})` : sum;
    const chips = working.chip > 1 && sum ? `${counted} × ${money(working.chip)}` : sum;
    return [chips, money(working.plain)].filter(Boolean).join(" + ");
  }
  if (working.chips === null) return sum;
  const alone = working.terms.length === 1 && working.terms[0]?.count === 1;
  return alone
    ? `${sum} × ${money(working.chip)}`
    : `${sum} = ${working.chips} × ${money(working.chip)}`;
}

/**
 * The working after a reduction: what is counted out, in chips. What the player keeps as stake is
 * less by what went to the bank, so that in all they have the same.
 */
export function reducedWorking(
  reduction: MadeReduction,
  payment: Pick<DuePayment, "paid">,
  paysOf: (kind: string) => readonly number[] | undefined,
): Working {
  const counts: [string, number][] = [
    ["straight", reduction.straights],
    ...Object.entries(reduction.left),
  ];
  const terms = counts.flatMap(([kind, count]): Term[] => {
    const [n = 0, d = 1] = paysOf(kind) ?? [];
    return count > 0 ? [{ count, pays: [n, d] }] : [];
  });
  return {
    chip: reduction.chip,
    terms,
    // What is no whole chip is no part of the reduction, and is paid besides.
    plain: payment.paid - reduction.paid * reduction.chip,
    chips: reduction.paid,
    paid: payment.paid,
  };
}
