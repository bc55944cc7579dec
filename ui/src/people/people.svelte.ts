/** Who is signed in, where people have accounts; elsewhere everybody is a guest. */
import { House } from "../api/http.ts";
import { accounts } from "../api/sessions.ts";
import type { Me, Post } from "../api/types.ts";
import { words } from "../i18n/words.svelte.ts";
import { usePasskey } from "./passkeys.ts";

const TRY_AGAIN = 2000;
/** The least time between two reports that a person is at their post. */
const PRESENT = 60_000;

class People {
  /** Whether people have accounts here; null until the house has said it. */
  used = $state<boolean | null>(null);
  me = $state.raw<Me | null>(null);
  /** The notice above the sign-in: why the user must sign in again. */
  notice = $state<"over" | "changed" | "out" | null>(null);
  #told = 0;

  /** Asks how the house is served, and follows who is at work. */
  start(): () => void {
    accounts.lost = () => this.#lost("over");
    let ended = false;
    const ask = async (): Promise<void> => {
      try {
        const { mode, me } = await new House().mode();
        accounts.used = mode === "house";
        this.me = accounts.used ? me : null;
        words.wallets = accounts.used;
        this.used = accounts.used;
      } catch {
        // The room says by itself that the house is away.
        this.used ??= false;
        if (!ended) setTimeout(() => void ask(), TRY_AGAIN);
      }
    };
    void ask();
    const works = (): void => this.#present();
    window.addEventListener("pointerdown", works);
    window.addEventListener("keydown", works);
    return () => {
      ended = true;
      window.removeEventListener("pointerdown", works);
      window.removeEventListener("keydown", works);
    };
  }

  /** Signs in; replaces a password that somebody else chose. */
  async signIn(
    name: string,
    password: string,
    post: Post,
    { fresh, code }: { fresh?: string; code?: string } = {},
  ): Promise<void> {
    await new House().signIn({ name, password, post, new: fresh ?? null, code: code ?? null });
    await this.#entered();
  }

  /** Signs in with a passkey, which needs neither name nor password. */
  async signInWithPasskey(post: Post): Promise<void> {
    const { publicKey } = await new House().passkeyChallenge();
    await new House().signInWithPasskey(await usePasskey(publicKey), post);
    await this.#entered();
  }

  async #entered(): Promise<void> {
    this.me = (await new House().mode()).me;
    this.notice = null;
  }

  async signOut(): Promise<void> {
    try {
      await new House().signOut();
    } finally {
      this.#lost("out");
    }
  }

  async changePassword(old: string, fresh: string): Promise<void> {
    await new House().changePassword(old, fresh);
    this.#lost("changed");
  }

  /** Reloads the user and their balance. */
  async count(): Promise<void> {
    this.me = (await new House().mode()).me;
    if (!this.me) this.#lost("over");
  }

  #lost(why: "over" | "changed" | "out"): void {
    if (this.me) this.notice = why;
    this.me = null;
  }

  /** An idle post is locked, so this reports activity for a user who only reads. */
  #present(): void {
    if (!this.me || this.me.role === "player" || Date.now() - this.#told < PRESENT) return;
    this.#told = Date.now();
    new House().present().catch(() => {});
  }
}

export const people = new People();
