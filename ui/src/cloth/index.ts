/** The cloth and its chips, and what others may need to know of spots. */
export { default as Cloth } from "./Cloth.svelte";
export { default as ChipFace } from "./Chip.svelte";
export type { Fate, Result, Results } from "./fate";
export type { Orientation } from "./geometry";
export type { SeatLook, Seats } from "./stacks";
export { livery, shortAmount, type Look } from "./liveries";
export {
  bySpot,
  colour,
  covered,
  coveredBy,
  neighbours,
  odds,
  pieces,
  piecesOf,
  wins,
} from "./spots";
