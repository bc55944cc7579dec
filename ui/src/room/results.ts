/** The results of a round as they are listed: the best first, an announcement as one row. */
import type { WhyLine } from "../api/types.ts";

const SUMS = ["amount", "won", "lost", "returned", "held", "stays", "reduced", "aside"] as const;

/** What became of a stake, or of all the pieces of an announcement together. */
export type Result = Readonly<Record<(typeof SUMS)[number], number>>;

export interface Row extends Result {
  readonly id: string;
  /** The announcement, where the row is one. */
  readonly call: string | null;
  /** The one stake, or the pieces. */
  readonly lines: readonly WhyLine[];
}

export const netOf = ({ won, lost }: Pick<Result, "won" | "lost">): number => won - lost;

const bestFirst = (one: Result, other: Result): number => netOf(other) - netOf(one);

/** Rows for these lines, the best first. */
export function rowsOf(lines: readonly WhyLine[]): Row[] {
  const groups = new Map<string, WhyLine[]>();
  for (const line of lines) {
    const id = line.announcement ? `a${line.announcement}` : `b${line.id}`;
    const group = groups.get(id);
    if (group) group.push(line);
    else groups.set(id, [line]);
  }
  return [...groups]
    .map(([id, of]): Row => {
      const sums = Object.fromEntries(
        SUMS.map((part) => [part, of.reduce((sum, line) => sum + line[part], 0)]),
      ) as Result;
      return { ...sums, id, call: of[0]?.call ?? null, lines: [...of].sort(bestFirst) };
    })
    .sort(bestFirst);
}
