/** The measures of the wheel, in units: the bowl has a hundred from its middle to its rim. */

/** How much the wheel is foreshortened: it is seen slightly from above. */
export const TILT = 0.86;

export const RIM = 100;
export const TRACK = { outer: 90, ball: 84.5, inner: 79 } as const;
export const WELL = 67.5;
export const ROTOR = { outer: 66, numbers: 59.4, ring: 52.6, pockets: 40.5, cone: 40 } as const;
/** Where the ball lies in a pocket. */
export const POCKET = 47;
export const BALL = 3.3;

/** How much lower than the rim the eye sees a circle of this radius: the bowl is deep. */
export const depth = (radius: number): number => {
  const share = Math.min(1, Math.max(0, (90 - radius) / (90 - ROTOR.outer)));
  return 1 + 5 * share;
};

/** A piece of a ring, from one angle to another, clockwise from the far side. */
export function sector(inner: number, outer: number, from: number, until: number): string {
  const at = (radius: number, angle: number): string =>
    `${(radius * Math.sin(angle)).toFixed(3)} ${(-radius * Math.cos(angle)).toFixed(3)}`;
  return (
    `M${at(inner, from)}L${at(outer, from)}A${outer} ${outer} 0 0 1 ${at(outer, until)}` +
    `L${at(inner, until)}A${inner} ${inner} 0 0 0 ${at(inner, from)}Z`
  );
}
