/** Names of calls in zones: broken into lines, and as large as there is room. */

export interface Fitted {
  readonly lines: readonly string[];
  readonly size: number;
}

/** How broad a line is in ems of a sans face: rather too much than too little. */
const breadth = (line: string): number => [...line].reduce((sum, each) => sum + em(each), 0);

function em(character: string): number {
  if (/[ilj.,'1/ ]/.test(character)) return 0.4;
  return /[mwшщжюMW]/.test(character) ? 0.92 : 0.64;
}

/** The ways to break a name, in one line or more. */
function* broken(words: readonly string[]): Generator<string[]> {
  yield [words.join(" ")];
  for (let cut = 1; cut < words.length; cut++)
    for (const rest of broken(words.slice(cut))) yield [words.slice(0, cut).join(" "), ...rest];
}

export function fitted(name: string, room: number, largest: number): Fitted {
  let best: Fitted = { lines: [name], size: 0 };
  for (const lines of broken(name.split(" "))) {
    if (lines.length > 3) continue;
    const size = Math.min(largest, room / Math.max(...lines.map(breadth)));
    // Another line is worth it only if the letters become much larger.
    if (size > best.size * 1.05) best = { lines, size };
  }
  return best;
}
