/**
 * The stacks as elements of the picture, kept by hand.
 *
 * A full house lays a thousand stacks, and all of them may change at once when a coup ends. A
 * component for each takes longer than a frame. Here a stack that stays keeps its element, one that
 * goes leaves its element to one that comes, and only what differs is written.
 */
import type { Fate } from "./fate";
import { UNIT } from "./geometry";
import { FACE, figureSize, livery } from "./liveries";
import { NUMBER_LIFT, RISE } from "./look.generated";
import type { Stack } from "./stacks";

export interface Shown {
  readonly stack: Stack;
  /** The id of the stack's figure. */
  readonly face: string;
  /** The amount, or nothing where it would be too small to read. */
  readonly text: string;
  readonly fate: Fate["kind"] | null;
  readonly moved: boolean;
}

interface Element {
  readonly group: SVGGElement;
  readonly use: SVGUseElement;
  readonly text: SVGTextElement;
  readonly written: Text;
  /** Its place and its size, which are written without being spelt out and read again. */
  readonly place: SVGTransform;
  readonly size: SVGTransform;
  /** What was last written to it. */
  stack: Stack | null;
  x: number;
  y: number;
  radius: number;
  face: string;
  name: string;
  figure: string;
  ink: string;
  font: number;
  high: number;
}

const SVG = "http://www.w3.org/2000/svg";

/** Where a stack stands: the transform of its element, which is drawn in the size of `FACE`. */
export function standing({ at, radius }: Pick<Stack, "at" | "radius">): string {
  const [x, y] = [at.x, at.y].map((each) => Math.round(each * UNIT * 10) / 10);
  return `translate(${x} ${y}) scale(${Math.round((radius * UNIT * 1000) / FACE) / 1000})`;
}

/** How far above the middle of its stack the top chip's inlay is. */
export const lifted = (stack: Pick<Stack, "layers" | "livery">): number =>
  ((stack.layers - 1) * FACE * RISE) / 2 + (livery(stack.livery).number ? FACE * NUMBER_LIFT : 0);

export class Layer {
  readonly #host: SVGGElement;
  #elements = new Map<string, Element>();

  constructor(host: SVGGElement) {
    this.#host = host;
  }

  draw(shown: readonly Shown[]): void {
    const before = this.#elements;
    const now = new Map<string, Element>();
    const coming: Shown[] = [];
    for (const each of shown) {
      const element = before.get(each.stack.key);
      if (!element) {
        coming.push(each);
        continue;
      }
      before.delete(each.stack.key);
      now.set(each.stack.key, element);
      write(element, each);
    }
    const spares = new Spares(before.values());
    const take = (each: Shown, element: Element): void => {
      now.set(each.stack.key, element);
      write(element, each);
    };
    const unlike: Shown[] = [];
    for (const each of coming) {
      const element = spares.like(each);
      if (element) take(each, element);
      else unlike.push(each);
    }
    for (const each of unlike) {
      let element = spares.any();
      if (!element) {
        element = made();
        this.#host.append(element.group);
      }
      take(each, element);
    }
    for (const element of spares.rest()) element.group.remove();
    this.#elements = now;
  }
}

/** Elements without a stack. One that looks like the stack to come has the least to be written. */
class Spares {
  readonly #faces = new Map<string, Element[]>();
  #left: Element[] = [];

  constructor(elements: Iterable<Element>) {
    for (const element of elements) {
      const there = this.#faces.get(element.face);
      if (there) there.push(element);
      else this.#faces.set(element.face, [element]);
    }
  }

  like({ face }: Shown): Element | undefined {
    return this.#faces.get(face)?.pop();
  }

  any(): Element | undefined {
    if (!this.#left.length) this.#left = this.rest();
    return this.#left.pop();
  }

  rest(): Element[] {
    const left = [...this.#faces.values()].flat().concat(this.#left);
    this.#faces.clear();
    return left;
  }
}

function made(): Element {
  const group = document.createElementNS(SVG, "g");
  const use = document.createElementNS(SVG, "use");
  const text = document.createElementNS(SVG, "text");
  const written = document.createTextNode("");
  text.append(written);
  group.append(use, text);
  group.setAttribute("transform", "translate(0 0) scale(1)");
  const list = group.transform.baseVal;
  return {
    group,
    use,
    text,
    written,
    place: list.getItem(0),
    size: list.getItem(1),
    stack: null,
    x: NaN,
    y: NaN,
    radius: NaN,
    face: "",
    name: "",
    figure: "",
    ink: "",
    font: NaN,
    high: NaN,
  };
}

function write(element: Element, { stack, face, text, fate, moved }: Shown): void {
  const name = `stack${fate ? ` ${fate}` : ""}${moved ? " moved" : ""}`;
  if (name !== element.name) element.group.setAttribute("class", (element.name = name));
  if (stack === element.stack && face === element.face && text === element.figure) return;
  element.stack = stack;
  const { at, radius } = stack;
  if (at.x !== element.x || at.y !== element.y)
    element.place.setTranslate((element.x = at.x) * UNIT, (element.y = at.y) * UNIT);
  if (radius !== element.radius) {
    const scale = ((element.radius = radius) * UNIT) / FACE;
    element.size.setScale(scale, scale);
  }
  if (face !== element.face) element.use.setAttribute("href", `#${(element.face = face)}`);
  if (text !== element.figure) element.written.data = element.figure = text;
  if (!text) return;
  const { ink } = livery(stack.livery);
  if (ink !== element.ink) element.text.setAttribute("fill", (element.ink = ink));
  const size = Math.round(figureSize(text) * 100) / 100;
  const y = Math.round((size * 0.36 - lifted(stack)) * 100) / 100;
  if (size !== element.font) element.text.setAttribute("font-size", String((element.font = size)));
  if (y !== element.high) element.text.setAttribute("y", String((element.high = y)));
}
