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
  /** Its place and its size in one, which is written without being spelt out and read again. */
  readonly standing: SVGTransform;
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

  like({ face, text, stack }: Shown): Element | undefined {
    const alike = this.#faces.get(face);
    if (!alike?.length) return undefined;
    const same = alike.findIndex((each) => each.figure === text && each.radius === stack.radius);
    const found = same < 0 ? alike.length - 1 : same;
    const taken = alike[found];
    const last = alike.pop();
    if (last && found < alike.length) alike[found] = last;
    return taken;
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
  group.setAttribute("transform", "matrix(1 0 0 1 0 0)");
  return {
    group,
    use,
    text,
    written,
    standing: group.transform.baseVal.getItem(0),
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

/** Copied into each element's transform, so that one serves a thousand stacks. */
const matrix = (() => {
  let made: SVGMatrix | undefined;
  return (): SVGMatrix => (made ??= document.createElementNS(SVG, "svg").createSVGMatrix());
})();

function write(element: Element, { stack, face, text, fate, moved }: Shown): void {
  const name =
    fate || moved ? `stack${fate ? ` ${fate}` : ""}${moved ? " moved" : ""}` : "stack";
  if (name !== element.name) element.group.setAttribute("class", (element.name = name));
  if (stack === element.stack && face === element.face && text === element.figure) return;
  element.stack = stack;
  const { at, radius } = stack;
  if (at.x !== element.x || at.y !== element.y || radius !== element.radius) {
    const to = matrix();
    to.a = to.d = ((element.radius = radius) * UNIT) / FACE;
    to.e = (element.x = at.x) * UNIT;
    to.f = (element.y = at.y) * UNIT;
    element.standing.setMatrix(to);
  }
  if (face !== element.face) element.use.setAttribute("href", `#${(element.face = face)}`);
  if (text !== element.figure) element.written.data = element.figure = text;
  if (!text) return;
  const { ink } = livery(stack.livery);
  if (ink !== element.ink) element.text.setAttribute("fill", (element.ink = ink));
  const size = figureSize(text);
  const y = Math.round((size * 0.36 - lifted(stack)) * 100) / 100;
  if (size !== element.font) element.text.setAttribute("font-size", String((element.font = size)));
  if (y !== element.high) element.text.setAttribute("y", String((element.high = y)));
}
