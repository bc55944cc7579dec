/** When a table sounds: the ball as it is seen, one's own chips, and what was won. */
import { onMount } from "svelte";
import type { Hand } from "./hand.svelte.ts";
import { prefs } from "./prefs.svelte.ts";
import { Sound } from "./sound.ts";

/** Lets a table sound for as long as its screen is there. */
export function followSounds(hand: Hand): Sound {
  const sound = new Sound(() => prefs.sound);
  let laid = 0;

  onMount(() => {
    const wake = (): void => {
      if (navigator.userActivation?.isActive ?? true) sound.wake();
    };
    window.addEventListener("click", wake);
    window.addEventListener("keydown", wake);
    return () => {
      window.removeEventListener("click", wake);
      window.removeEventListener("keydown", wake);
      sound.hush();
    };
  });

  $effect(() => {
    const { spin, falling } = hand.playing.fall;
    if (!prefs.sound) sound.hush();
    else if (prefs.still || !spin) sound.rest();
    else if (falling) sound.fall((spin.landsBy - Date.now()) / 1000);
    else if (spin.number === null) sound.roll();
  });

  $effect(() => {
    const now = hand.playing.pending.length;
    if (now > laid) sound.chip();
    laid = now;
  });

  return sound;
}
