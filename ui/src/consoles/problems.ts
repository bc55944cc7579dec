/** Why the house did not do what a console asked over HTTP. */
import type { Problem } from "../api/http";
import { words } from "../i18n/words.svelte";

/** The reason in the chosen language; in the house's own words where there are none. */
export const problemText = (found: Problem): string =>
  (found.why === null ? null : words.staffReason(found.why)) ?? found.message;
