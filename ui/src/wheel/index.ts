export { default as Wheel } from "./Wheel.svelte";
export type { Spin } from "./motion";
