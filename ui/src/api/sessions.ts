/** The session, kept in the browser so that a visitor stays the same person to the house. */
import { House, Problem } from "./http.ts";
import type { Me, Opened } from "./types.ts";

export interface Kept {
  token: string;
  name: string;
}

/** A person whom the house knows: by a token, or by an HTTP-only cookie. */
export interface Recognised extends Me {
  token: string | null;
}

/** How a person is identified; in a house with accounts the browser keeps no token. */
export const accounts = {
  used: false,
  /** Called when the user is no longer signed in. */
  lost: (): void => {},
};

/** The player's token outlives the window; a console's ends with it, as a shift does. */
const PLACES = {
  player: { key: "novamas.player", store: () => localStorage },
  console: { key: "novamas.console", store: () => sessionStorage },
} as const;

export type Kind = keyof typeof PLACES;

/** The session that this browser keeps, if it does. */
export function kept(kind: Kind): Kept | null {
  try {
    const found: unknown = JSON.parse(PLACES[kind].store().getItem(PLACES[kind].key) ?? "null");
    if (typeof found !== "object" || found === null) return null;
    const { token, name } = found as Partial<Kept>;
    return typeof token === "string" && typeof name === "string" ? { token, name } : null;
  } catch {
    return null; // The browser stores nothing, or the stored value is invalid.
  }
}

/** Keeps a session; null forgets it. */
export function keep(kind: Kind, session: Kept | null): void {
  const { key, store } = PLACES[kind];
  try {
    if (session === null) store().removeItem(key);
    else store().setItem(key, JSON.stringify({ token: session.token, name: session.name }));
  } catch {
    // Without storage, a visitor is a new guest at every visit.
  }
}

/** The guest of this browser with their play money, or null without a valid token. */
export async function returning(kind: Kind = "player"): Promise<Recognised | null> {
  if (accounts.used) {
    const { me } = await new House().mode();
    return me && (me.role === "player") === (kind === "player") ? { ...me, token: null } : null;
  }
  const session = kept(kind);
  if (!session) return null;
  try {
    return { ...(await new House(session.token).me()), token: session.token };
  } catch (problem) {
    if (!(problem instanceof Problem) || problem.status !== 401) throw problem;
    keep(kind, null);
    return null;
  }
}

/** Signs in as a guest, under the wanted name or one that the house gives. */
export async function comeIn(name?: string): Promise<Opened> {
  if (accounts.used) {
    accounts.lost();
    throw new Problem(401, "sign in first", "not_signed_in");
  }
  const opened = await new House().guest(name);
  keep("player", opened);
  return opened;
}

/** Signs in under the previous name at a house that has forgotten it; else under another. */
export async function comeBack(name: string | undefined): Promise<Opened> {
  try {
    return await comeIn(name);
  } catch (problem) {
    if (problem instanceof Problem && problem.status === 409) return comeIn();
    throw problem;
  }
}
