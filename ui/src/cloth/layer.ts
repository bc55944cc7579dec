/**
 * The stacks as elements of the picture, kept by hand.
 *
 * A full house lays a thousand stacks, and all of them may change at once when a coup ends. Building
 * a component for each takes longer than a frame. Here a stack that stays keeps its element, one that
 * goes leaves its element to one that comes, and only what differs is written.
 */
import type { Fate } from "./fate";
import { UNIT } from "./geometry";
import { FACE, figureSize, INK, livery } from "./liveries";
import { RISE, type Stack } from "./stacks";

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
  readonly moves: readonly [SVGTransform, SVGTransform];
  stack: Stack | null;
  at: string;
  face: string;
  name: string;
  figure: string;
  place: string;
}

const SVG = "http://www.w3.org/2000/svg";

/** Where a stack stands: the transform of its element, which is drawn in the size of `FACE`. */
export function standing({ at, radius }: Pick<Stack, "at" | "radius">): string {
  const scale = Math.round((radius * UNIT * 1000) / FACE) / 1000;
  return `translate(${Math.round(at.x * UNIT * 10) / 10} ${Math.round(at.y * UNIT * 10) / 10}) scale(${scale})`;
}

/** How far above the middle of its stack the top chip's inlay is. */
export const lifted = (stack: Pick<Stack, "layers" | "livery">): number =>
  ((stack.layers - 1) * FACE * RISE) / 2 + (livery(stack.livery).number ? FACE * 0.14 : 0);

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
    for (const each of coming) {
      let element = spares.like(each);
      if (!element) {
        element = made();
        this.#host.append(element.group);
      }
      now.set(each.stack.key, element);
      write(element, each);
    }
    for (const element of spares.rest()) element.group.remove();
    this.#elements = now;
  }
}

/** Elements without a stack. One that looks like the stack to come has the least to be written. */
class Spares {
  readonly #alike = new Map<string, Element[]>();
  readonly #faces = new Map<string, Element[]>();
  readonly #left = new Set<Element>();

  constructor(elements: Iterable<Element>) {
    for (const element of elements) {
      this.#left.add(element);
      add(this.#alike, `${element.face} ${element.figure}`, element);
      add(this.#faces, element.face, element);
    }
  }

  like({ face, text }: Shown): Element | undefined {
    if (!this.#left.size) return undefined;
    const found =
      this.#pop(this.#alike.get(`${face} ${text}`)) ??
      this.#pop(this.#faces.get(face)) ??
      this.#left.values().next().value;
    if (found) this.#left.delete(found);
    return found;
  }

  rest(): Iterable<Element> {
    return this.#left;
  }

  #pop(elements: Element[] | undefined): Element | undefined {
    for (let found = elements?.pop(); found; found = elements?.pop())
      if (this.#left.has(found)) return found;
    return undefined;
  }
}

function add(to: Map<string, Element[]>, key: string, element: Element): void {
  const there = to.get(key);
  if (there) there.push(element);
  else to.set(key, [element]);
}

function made(): Element {
  const group = document.createElementNS(SVG, "g");
  const use = document.createElementNS(SVG, "use");
  const text = document.createElementNS(SVG, "text");
  text.setAttribute("fill", INK);
  const written = document.createTextNode("");
  text.append(written);
  group.append(use, text);
  group.setAttribute("transform", "translate(0 0) scale(1)");
  const list = group.transform.baseVal;
  const moves = [list.getItem(0), list.getItem(1)] as const;
  return { group, use, text, written, moves, stack: null, at: "", face: "", name: "", figure: "", place: "" };
}

function write(element: Element, { stack, face, text, fate, moved }: Shown): void {
  const name = `stack${fate ? ` ${fate}` : ""}${moved ? " moved" : ""}`;
  if (name !== element.name) element.group.setAttribute("class", (element.name = name));
  if (stack === element.stack && face === element.face && text === element.figure) return;
  element.stack = stack;
  const at = `${stack.at.x} ${stack.at.y} ${stack.radius}`;
  if (at !== element.at) {
    element.at = at;
    const [place, size] = element.moves;
    place.setTranslate(stack.at.x * UNIT, stack.at.y * UNIT);
    const scale = (stack.radius * UNIT) / FACE;
    size.setScale(scale, scale);
  }
  if (face !== element.face) element.use.setAttribute("href", `#${(element.face = face)}`);
  if (text !== element.figure) element.written.data = element.figure = text;
  if (!text) return;
  const size = figureSize(text);
  const place = `${size} ${lifted(stack)}`;
  if (place === element.place) return;
  element.place = place;
  element.text.setAttribute("font-size", size.toFixed(2));
  element.text.setAttribute("y", (size * 0.36 - lifted(stack)).toFixed(2));
}
