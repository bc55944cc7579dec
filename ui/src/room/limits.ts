/** The limits of a spot in words. */
import { words } from "../words/words.svelte.ts";

export function limitsText(limit: { min?: number; max?: number } | undefined): string {
  const say = words.say.spot;
  const { min, max } = limit ?? {};
  if (min !== undefined && max !== undefined)
    return `${words.amount(min)} – ${words.amount(max)}`;
  if (min !== undefined) return say.least(words.amount(min));
  if (max !== undefined) return say.most(words.amount(max));
  return say.noLimits;
}
