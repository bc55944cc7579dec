/**
 * How wheel and ball move: a pure function of time that ends in the announced pocket.
 *
 * The wheel turns one way and the ball runs the other. Seen from the wheel, the ball slows down
 * from its launch to its rest and never speeds up. While the number is not known it circles on the
 * track and could do so for ever; once it is known, the rest of the way is chosen to end there.
 *
 * Angles are in radians, clockwise from the far side of the bowl, times in milliseconds.
 */
import type { Pocket } from "../api/types";

export interface Spin {
  readonly id: string;
  /** The number that was drawn, once it is known. */
  readonly number: Pocket | null;
  /** Whether the wheel turns clockwise, seen from above; the ball runs the other way. */
  readonly clockwise: boolean;
  readonly launchedAt: number;
  /** When the ball should lie in its pocket. */
  readonly landsBy: number;
}

export type Stage = "track" | "falling" | "bouncing" | "landed";

export interface Seen {
  readonly stage: Stage;
  readonly rotor: number;
  readonly ball: number;
  /** 1 on the track, 0 in the pocket. */
  readonly radius: number;
  /** How high the ball is above what it rolls on; 1 is about the breadth of four balls. */
  readonly height: number;
  /** Whether anything will still move. */
  readonly moving: boolean;
}

/** The wheel's speed, and the ball's against it: at the launch, and at which it may circle on. */
const WHEEL = 1.35 / 1000;
const LAUNCH = 15 / 1000;
const CIRCLING = 8.5 / 1000;
const SLOWING = 2600;
/** How long the wheel takes to come up to speed, and to stop after the ball has landed. */
const START = 900;
const COAST = 6000;
/** How long the ball comes down: about as long as it wants, never less than it must. */
const DESCENT = 4800;
const SHORTEST = 3000;
/** Which share of the descent has gone when it leaves the track, and when it meets the frets. */
const LEAVES = 0.26;
const FRETS = 0.66;
/** The edge of the wheel between track and pocket, where the ball first meets the frets. */
const EDGE = 0.42;

const TURN = 2 * Math.PI;
const modulo = (angle: number): number => ((angle % TURN) + TURN) % TURN;

/** A number from the spin's name, so that spins differ and each looks the same to all. */
export function hash(text: string): number {
  let mixed = 2166136261;
  for (const character of text)
    mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/** How far the ball has circled so long after its launch, and how fast it is then. */
const circled = (since: number): number =>
  CIRCLING * since + (LAUNCH - CIRCLING) * SLOWING * (1 - Math.exp(-since / SLOWING));
const circling = (since: number): number =>
  CIRCLING + (LAUNCH - CIRCLING) * Math.exp(-since / SLOWING);

interface Hop {
  readonly from: number;
  readonly until: number;
  readonly high: number;
}

/** The ball jumps once or twice over the frets before it stays. */
function hops(twice: boolean): readonly Hop[] {
  return twice
    ? [
        { from: FRETS, until: 0.81, high: 1 },
        { from: 0.81, until: 0.9, high: 0.4 },
      ]
    : [{ from: FRETS, until: 0.86, high: 1.15 }];
}

export interface Motion {
  /** When the ball lies in its pocket, or null while nobody knows the number. */
  readonly landsAt: number | null;
  at(time: number): Seen;
}

/** The angle of a number's pocket on the wheel, from zero's. */
export function pocket(order: readonly Pocket[], number: Pocket): number {
  return (Math.max(0, order.indexOf(number)) * TURN) / order.length;
}

/**
 * The motion of a spin. `rotor` is where the wheel stood at the launch, `knownAt` the time at which
 * the number became known here: at the launch, for a client that comes later and learns everything
 * at once.
 */
export function motion(
  spin: Spin,
  order: readonly Pocket[],
  rotor: number,
  knownAt: number = spin.launchedAt,
): Motion {
  const sign = spin.clockwise ? 1 : -1;
  const chance = hash(spin.id);
  const launched = spin.launchedAt;
  const from = ((chance % 360) * TURN) / 360;
  const known = Math.max(knownAt, launched);
  const landsAt = spin.number === null ? null : Math.max(spin.landsBy, known + SHORTEST);

  const turned = (time: number): number => {
    const since = Math.max(0, time - launched);
    const end = landsAt === null ? since : Math.min(since, landsAt - launched);
    const up = Math.min(end, START);
    let way = WHEEL * ((up * up) / (2 * START) + (end - up));
    if (landsAt !== null && time > landsAt) {
      const after = Math.min(time - landsAt, COAST);
      way += WHEEL * (after - (after * after) / (2 * COAST));
    }
    return rotor + sign * way;
  };

  if (spin.number === null || landsAt === null)
    return {
      landsAt: null,
      at: (time) => {
        const wheel = turned(time);
        const way = circled(Math.max(0, time - launched));
        return {
          stage: "track",
          rotor: wheel,
          ball: wheel + from - sign * way,
          radius: 1,
          height: 0,
          moving: true,
        };
      },
    };

  // The way down: the speed falls as a power of what is left of the time. The power is chosen so
  // that the way ends at the pocket, as near as may be to what looks natural.
  const long = Math.min(DESCENT, landsAt - known, (landsAt - launched) * 0.7);
  const starts = landsAt - long;
  const before = circled(starts - launched);
  const speed = circling(starts - launched);
  const natural = (speed * long) / 2.7;
  const rest = modulo(sign * (from - pocket(order, spin.number)) - before);
  const way = rest + TURN * Math.round((natural - rest) / TURN);
  const power = (speed * long) / way;
  const jumps = hops((chance >>> 9) % 3 > 0);
  const last = jumps[jumps.length - 1]?.until ?? FRETS;

  return {
    landsAt,
    at: (time) => {
      const wheel = turned(time);
      const on = (way: number): number => wheel + from - sign * way;
      if (time < starts)
        return {
          stage: "track",
          rotor: wheel,
          ball: on(circled(Math.max(0, time - launched))),
          radius: 1,
          height: 0,
          moving: true,
        };
      const gone = Math.min(1, (time - starts) / long);
      const landed = gone >= 1;
      return {
        stage: landed ? "landed" : gone < LEAVES ? "track" : gone < FRETS ? "falling" : "bouncing",
        rotor: wheel,
        ball: landed
          ? wheel + pocket(order, spin.number ?? 0)
          : on(before + way * (1 - (1 - gone) ** power)),
        radius: fallen(gone, last),
        height: hopped(gone, jumps),
        moving: time < landsAt + COAST,
      };
    },
  };
}

/** How far out the ball is: it leaves the track ever faster, and rolls into its pocket. */
function fallen(gone: number, last: number): number {
  if (gone <= LEAVES) return 1;
  if (gone <= FRETS) {
    const share = (gone - LEAVES) / (FRETS - LEAVES);
    return 1 - (1 - EDGE) * share ** 1.9;
  }
  if (gone >= last) return 0;
  const share = (gone - FRETS) / (last - FRETS);
  return EDGE * (1 - share) ** 1.2;
}

function hopped(gone: number, jumps: readonly Hop[]): number {
  for (const { from, until, high } of jumps)
    if (gone > from && gone < until) {
      const share = (gone - from) / (until - from);
      return high * 4 * share * (1 - share);
    }
  return 0;
}
