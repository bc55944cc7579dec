/** Where in the house one is; nothing before one has looked. */
export type Place =
  | { at: "lobby" }
  | { at: "table"; table: string }
  | { at: "coup"; table: string; coup: number }
  | { at: "compare"; one: string; other: string }
  | { at: "book"; house: string }
  | { at: "console" }
  | { at: "nowhere" }
  | { at: "nothing" };

/** Reads a path. Anything that is no place of the house is `nowhere`. */
function placeOf(path: string): Place {
  if (path === "/" || path === "/index.html") return { at: "lobby" };
  if (path === "/console" || path.startsWith("/console/")) return { at: "console" };
  const table = /^\/t\/([^/]+)\/?$/.exec(path)?.[1];
  const [, played, coup] = /^\/t\/([^/]+)\/coup\/([0-9]{1,15})\/?$/.exec(path) ?? [];
  const house = /^\/book\/([^/]+)\/?$/.exec(path)?.[1];
  const [, one, other] = /^\/compare\/([^/]+)\/([^/]+)\/?$/.exec(path) ?? [];
  try {
    if (one !== undefined && other !== undefined)
      return { at: "compare", one: decodeURIComponent(one), other: decodeURIComponent(other) };
    if (played !== undefined)
      return { at: "coup", table: decodeURIComponent(played), coup: Number(coup) };
    if (house !== undefined) return { at: "book", house: decodeURIComponent(house) };
    return table === undefined ? { at: "nowhere" } : { at: "table", table: decodeURIComponent(table) };
  } catch {
    return { at: "nowhere" };
  }
}

/** The address of a table's screen. */
export const tablePath = (table: string): string => `/t/${encodeURIComponent(table)}`;

/** The address of a coup of a table, to be read again and shared. */
export const coupPath = (table: string, coup: number): string => `${tablePath(table)}/coup/${coup}`;

/** The address at which the book of a house is read. */
export const bookPath = (house: string): string => `/book/${encodeURIComponent(house)}`;

/** The address at which two houses are compared. */
export const comparePath = (one: string, other: string): string =>
  `/compare/${encodeURIComponent(one)}/${encodeURIComponent(other)}`;

class Router {
  place = $state.raw<Place>({ at: "nothing" });

  /** Follows the browser's address, its back button and the room's own links. */
  start(): () => void {
    const read = (): void => {
      this.place = placeOf(location.pathname);
    };
    read();
    window.addEventListener("popstate", read);
    document.addEventListener("click", this.#follow);
    return () => {
      window.removeEventListener("popstate", read);
      document.removeEventListener("click", this.#follow);
    };
  }

  go(path: string): void {
    if (path !== location.pathname) history.pushState(null, "", path);
    this.place = placeOf(path);
    window.scrollTo(0, 0);
  }

  #follow = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.origin !== location.origin) return;
    if (placeOf(link.pathname).at === "nowhere") return;
    event.preventDefault();
    this.go(link.pathname);
  };
}

export const router = new Router();
