/** The words about people, in the language that was chosen for the room. */
import { Problem } from "../../api/http.ts";
import type { Language, ProblemWhy } from "../../api/types.ts";
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

  /** Why a request failed; `here` replaces texts in a particular place. */
  problem(wrong: unknown, here: Partial<Record<ProblemWhy, string>> = {}): string {
    if (!(wrong instanceof Problem)) return this.say.account.failed;
    if (wrong.status === 0) return this.say.signIn.unreachable;
    if (wrong.why === null) return this.say.account.failed;
    return here[wrong.why] ?? words.reason(wrong.why) ?? this.say.account.failed;
  }

  /** A day and an hour, as they are written in the chosen language. */
  when = (at: number): string =>
    new Date(at).toLocaleString(words.language, { dateStyle: "medium", timeStyle: "short" });
}

export const said = new Said();
