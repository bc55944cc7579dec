export { default as Racetrack } from "./Racetrack.svelte";
export type { TrackLabels } from "./labels";
export { hasTrack, sectorCall } from "./track";
