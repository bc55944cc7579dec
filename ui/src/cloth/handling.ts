/** Hands on the cloth: pointer, finger and pen become laying, taking back and carrying. */

export interface Hands {
  /** The spot at a point of the window. */
  spotAt(x: number, y: number): string | null;
  /** Whether chips of yours lie on the spot, which may be carried. */
  yours(spot: string): boolean;
  locked(): boolean;
  place(spot: string): void;
  take(spot: string): void;
  hover(spot: string | null, x: number, y: number): void;
  carry(from: string, x: number, y: number): void;
  /** The carried chips are let go over a spot, or beside the cloth. */
  drop(from: string, to: string | null): void;
}

/** How long a finger rests to take back, in milliseconds. */
const LONG_PRESS = 480;
/** How far it may stray meanwhile, and how far it goes before it carries, in pixels. */
const STRAY = 8;

interface Press {
  id: number;
  x: number;
  y: number;
  spot: string;
  carried: boolean;
}

const spotOf = (event: Event): string | null =>
  event.target instanceof Element
    ? (event.target.closest("[data-spot]")?.getAttribute("data-spot") ?? null)
    : null;

/** Listens on the element of the touch areas, and gives back how to stop. */
export function handle(node: SVGElement, hands: Hands): () => void {
  const stop = new AbortController();
  const listening = { signal: stop.signal };
  let press: Press | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let done = false;
  let finger = false;
  let over: string | null = null;

  const hover = (spot: string | null, event: PointerEvent): void => {
    if (spot === over) return;
    over = spot;
    hands.hover(spot, event.clientX, event.clientY);
  };
  const release = (): void => {
    clearTimeout(timer);
    press = null;
  };

  const down = (event: PointerEvent): void => {
    finger = event.pointerType !== "mouse";
    done = false;
    const spot = spotOf(event);
    hover(spot, event);
    release();
    if (!spot || event.button !== 0 || !event.isPrimary) return;
    press = { id: event.pointerId, x: event.clientX, y: event.clientY, spot, carried: false };
    if (finger)
      timer = setTimeout(() => {
        if (!press || press.carried || hands.locked()) return;
        done = true;
        navigator.vibrate?.(12);
        hands.take(press.spot);
        press = null;
      }, LONG_PRESS);
  };

  const move = (event: PointerEvent): void => {
    if (press && event.pointerId === press.id) {
      const far = Math.hypot(event.clientX - press.x, event.clientY - press.y);
      if (far > STRAY) clearTimeout(timer);
      if (far > STRAY && !press.carried && !hands.locked() && hands.yours(press.spot)) {
        press.carried = true;
        node.setPointerCapture(event.pointerId);
      }
      if (press.carried) {
        hands.carry(press.spot, event.clientX, event.clientY);
        hover(hands.spotAt(event.clientX, event.clientY), event);
        return;
      }
    }
    hover(spotOf(event), event);
  };

  /** A finger on chips of yours carries them; on anything else it scrolls the page. */
  const hold = (event: TouchEvent): void => {
    if (press && !hands.locked() && hands.yours(press.spot)) event.preventDefault();
  };

  const up = (event: PointerEvent): void => {
    if (press?.carried && event.pointerId === press.id) {
      // The click that follows belongs to the carrying and lays nothing.
      done = true;
      const to = hands.spotAt(event.clientX, event.clientY);
      hands.drop(press.spot, hands.locked() ? null : to);
    }
    release();
  };

  const cancel = (): void => {
    if (press?.carried) hands.drop(press.spot, null);
    release();
  };

  const leave = (event: PointerEvent): void => {
    if (!press?.carried) hover(null, event);
  };

  const click = (event: MouseEvent): void => {
    const spot = spotOf(event);
    if (spot && !done && !hands.locked()) hands.place(spot);
    done = false;
  };

  const menu = (event: MouseEvent): void => {
    event.preventDefault();
    const spot = spotOf(event);
    // A finger that rests has taken back by itself already.
    if (spot && !finger && !hands.locked()) hands.take(spot);
  };

  node.addEventListener("pointerdown", down, listening);
  node.addEventListener("pointermove", move, listening);
  node.addEventListener("touchmove", hold, { ...listening, passive: false });
  node.addEventListener("pointerup", up, listening);
  node.addEventListener("pointercancel", cancel, listening);
  node.addEventListener("pointerleave", leave, listening);
  node.addEventListener("click", click, listening);
  node.addEventListener("contextmenu", menu, listening);
  return () => {
    release();
    stop.abort();
  };
}
