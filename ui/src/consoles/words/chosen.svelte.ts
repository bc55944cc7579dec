/** The consoles in the language that was chosen for the room. */

import type { Problem } from "../../api/http";
import type { Language, Texts } from "../../api/types";
import { parted } from "../../table/seats";
import * as money from "../../table/money";
import { words as room } from "../../words/words.svelte";
import { STAFF_REFUSALS } from "./refusals/refusals";
import { CONSOLE_WORDS, type ConsoleWords } from "./words";

class Tongue {
  get language(): Language {
    return room.language;
  }

  set language(language: Language) {
    room.choose(language);
    document.documentElement.lang = language;
  }

  get words(): ConsoleWords {
    return CONSOLE_WORDS[room.language];
  }

  amount = (units: number): string => money.amount(units, room.language);
  gain = (units: number): string => money.gain(units, room.language);

  /** A time of the log, to the second: a dispute may turn on it. */
  time = (at: number): string =>
    new Date(at).toLocaleTimeString(room.language, {
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    });

  /** Why the house refuses something, where there are words for it. */
  refusal = (why: string): string | null => {
    const staff: Partial<Record<string, string>> = STAFF_REFUSALS[room.language];
    return staff[why] ?? room.reason(why);
  };

  /** Why the house did not do what it was asked over HTTP; in its own words where there are none. */
  problem = (found: Problem): string =>
    (found.why === null ? null : this.refusal(found.why)) ?? found.message;

  text = (texts: Texts | undefined, house = "en"): string => room.of(texts, house);
}

export const tongue = new Tongue();

/** A colour of the house, named as it is drawn. */
export function hueName(colour: string): string {
  const found = parted(colour);
  if (!found) return colour;
  return `${room.say.colours[found.hue]}${found.round > 1 ? ` ${found.round}` : ""}`;
}
export { LANGUAGES } from "../../words/words.svelte";
