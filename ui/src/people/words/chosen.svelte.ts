/** The words about people, in the language that was chosen for the room. */
import type { Language } from "../../api/types.ts";
import { words } from "../../words/words.svelte.ts";
import { bg } from "./bg.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import type { PeopleMessages } from "./messages.ts";

export const ALL: Record<Language, PeopleMessages> = { es, it, bg, fr, en };

class Said {
  get say(): PeopleMessages {
    return ALL[words.language];
  }

  /** A day and an hour, as they are written in the chosen language. */
  when = (at: number): string =>
    new Date(at).toLocaleString(words.language, { dateStyle: "medium", timeStyle: "short" });
}

export const said = new Said();
