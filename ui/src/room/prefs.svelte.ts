/** What a person likes: kept in the browser, and shown on the page's root for the styles. */

export type Theme = "system" | "light" | "dark";
export type Motion = "system" | "moving" | "still";

interface Kept {
  theme: Theme;
  motion: Motion;
  voice: boolean;
  sound: boolean;
  turbo: boolean;
}

const KEY = "novamas.likes";
const THEMES: readonly string[] = ["system", "light", "dark"];
const MOTIONS: readonly string[] = ["system", "moving", "still"];

function read(): Kept {
  const found: Partial<Record<keyof Kept, unknown>> = {};
  try {
    Object.assign(found, JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    // Nothing kept, or nothing that can be read.
  }
  const theme = THEMES.includes(String(found.theme)) ? (found.theme as Theme) : "system";
  const motion = MOTIONS.includes(String(found.motion)) ? (found.motion as Motion) : "system";
  const [voice, turbo] = [found.voice === true, found.turbo === true];
  return { theme, motion, voice, sound: found.sound !== false, turbo };
}

class Prefs {
  #kept = $state<Kept>(read());
  #asked = $state(false);

  /** Whether nothing should move: by choice, or because the device asks for it. */
  readonly still = $derived(
    this.#kept.motion === "still" || (this.#kept.motion === "system" && this.#asked),
  );

  get theme(): Theme {
    return this.#kept.theme;
  }
  get motion(): Motion {
    return this.#kept.motion;
  }
  get voice(): boolean {
    return this.#kept.voice;
  }

  get sound(): boolean {
    return this.#kept.sound;
  }

  /** Whether rounds that one plays alone are quick. */
  get turbo(): boolean {
    return this.#kept.turbo;
  }

  change(likes: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...likes };
    this.#show();
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept));
    } catch {
      // It lasts as long as the page.
    }
  }

  /** Follows the device's own wish, and shows all of it to the styles. */
  start(): () => void {
    const device = matchMedia("(prefers-reduced-motion: reduce)");
    const ask = (): void => {
      this.#asked = device.matches;
    };
    ask();
    device.addEventListener("change", ask);
    this.#show();
    return () => device.removeEventListener("change", ask);
  }

  #show(): void {
    const root = document.documentElement.dataset;
    if (this.#kept.theme === "system") delete root["theme"];
    else root["theme"] = this.#kept.theme;
    if (this.#kept.motion === "system") delete root["motion"];
    else root["motion"] = this.#kept.motion;
  }
}

export const prefs = new Prefs();
