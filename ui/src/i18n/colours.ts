/** The names of the colours of chips. */
import { parted } from "../table/seats.ts";
import { t } from "./words.svelte.ts";

/** A colour of the house, named as it is drawn. */
export function colourName(colour: string): string {
  const found = parted(colour);
  if (!found) return colour;
  const name = t(`room.colours.${found.hue}`);
  return found.round > 1 ? `${name} ${found.round}` : name;
}
