/** The small signs above your stacks that say what they got. */
import type { Fate } from "./fate";
import { UNIT } from "./geometry";
import type { Stack } from "./stacks";

export interface Tagged {
  readonly stack: Stack;
  readonly kind: Fate["kind"];
  readonly text: string;
}

export interface Tag {
  readonly key: string;
  readonly kind: Fate["kind"];
  readonly text: string;
  /** Its middle, in units of the picture. */
  readonly x: number;
  readonly y: number;
  /** Half its breadth. */
  readonly half: number;
}

const HIGH = 27;

/** Where the signs hang: above their stacks, and higher where another hangs already. */
export function tags(tagged: readonly Tagged[]): Tag[] {
  const hung: Tag[] = [];
  const lowest = [...tagged].sort((one, other) => other.stack.at.y - one.stack.at.y);
  for (const { stack, kind, text } of lowest) {
    const half = 9 + text.length * 5.6;
    const x = stack.at.x * UNIT;
    let y = (stack.at.y - stack.radius) * UNIT - 17;
    const meets = (tag: Tag): boolean =>
      Math.abs(tag.x - x) < tag.half + half && Math.abs(tag.y - y) < HIGH;
    for (let met = hung.find(meets); met; met = hung.find(meets)) y = met.y - HIGH;
    hung.push({ key: stack.key, kind, text, x, y, half });
  }
  return hung;
}
