export { default as Racetrack } from "./Racetrack.svelte";
export { hasTrack, sectorCall } from "./track";
