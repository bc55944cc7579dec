/**
 * Whose a chip is, by hue, edge and number.
 *
 * The ten hues stay apart for eyes that see no red, no green or no blue; the edge changes from each
 * player to the next; and when all forty pairs are taken, a small number is added. The order is the
 * one of the drawings in the rulebooks' pictures, so that a player has the same chips in both.
 */

/** Blue, yellow, vermilion, ivory, violet, sky, brown, orange, slate and ink. */
export const HUES = [
  "#2b5bd7",
  "#ffd21f",
  "#d6331f",
  "#eef6ee",
  "#8f3a86",
  "#7bccf8",
  "#5e2f08",
  "#ea902c",
  "#9491a6",
  "#1f1a38",
] as const;

/** The edge spots: how often a group goes round the chip, and the breadths of its spots. */
const EDGES: readonly (readonly [number, readonly number[]])[] = [
  [6, [1]],
  [4, [0.5, 0.5]],
  [12, [1]],
  [3, [1, 0.3, 0.3]],
];

export const INK = "#221c14";
export const IVORY = "#fbf6e6";

/** The radius of a chip's face as it is defined once, before it is scaled to where it lies. */
export const FACE = 20;

export interface Livery {
  hue: string;
  edge: number;
  /** 0, or the small number that tells players of the same hue and edge apart. */
  number: number;
}

const liveries: Livery[] = [];

export function livery(seat: number): Livery {
  const place = Math.max(0, Math.trunc(seat));
  return (liveries[place] ??= made(place));
}

function made(place: number): Livery {
  const again = Math.floor(place / HUES.length);
  const hue = place % HUES.length;
  const rounds = Math.floor(again / EDGES.length);
  return {
    hue: HUES[hue] ?? HUES[0],
    edge: (hue + again) % EDGES.length,
    number: rounds ? rounds + 1 : 0,
  };
}

/** The colour of the edge spots: whichever of ivory and ink stands out against the hue. */
export function spotColour(hue: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(hue.slice(at, at + 2), 16),
  );
  return 299 * red + 587 * green + 114 * blue < 140_000 ? IVORY : INK;
}

/** The edge spots as dashes of a circle: spots and gaps that close after whole rounds. */
export function dashes(edge: number, radius: number): string {
  const key = `${edge} ${radius}`;
  let found = known.get(key);
  if (!found) known.set(key, (found = spaced(edge, radius)));
  return found;
}

const known = new Map<string, string>();

function spaced(edge: number, radius: number): string {
  const [groups, spots] = EDGES[edge] ?? [6, [1]];
  const group = (2 * Math.PI * radius) / groups;
  const drawn = group * 0.5;
  const total = spots.reduce((sum, each) => sum + each, 0);
  const each = spots.map((spot) => (drawn * spot) / total);
  const inner = drawn * 0.22;
  const gaps = Array.from({ length: spots.length - 1 }, () => inner);
  const taken = [...each, ...gaps].reduce((sum, length) => sum + length, 0);
  gaps.push(group - taken);
  return each.flatMap((length, at) => [length, gaps[at] ?? 0].map((x) => x.toFixed(2))).join(" ");
}

/** An amount that fits on a chip: whole up to four figures, then in thousands and so on. */
export function shortAmount(amount: number, longest = 5): string {
  if (amount < 10_000) return String(amount);
  const digits = String(Math.trunc(amount));
  const power = Math.floor((digits.length - 1) / 3);
  const letter = "kMGTPE"[power - 1];
  if (!letter || digits.includes("e")) return `1e${digits.length - 1}`;
  // What does not show is cut off, never rounded up.
  const whole = digits.slice(0, digits.length - 3 * power);
  const places = Math.max(longest - whole.length - 2, 0);
  const rest = digits.slice(whole.length, whole.length + places).replace(/0+$/, "");
  return `${whole}${rest ? `.${rest}` : ""}${letter}`;
}

/** The size of the figures on a chip of the radius of `FACE`. */
export function figureSize(text: string): number {
  let width = 0;
  for (const each of text) width += ".,'  ".includes(each) ? 0.34 : 0.6;
  return Math.min(FACE * 0.74, (FACE * 1.14) / width);
}
