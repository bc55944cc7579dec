/** Asks the house over HTTP. */
import type {
  Book,
  BookTitle,
  Coup,
  Me,
  NewTable,
  Opened,
  Summary,
  TableEvent,
  TableView,
  Why,
} from "./types.ts";

/** What is wrong with a request, in the house's words; status 0 if the house was not reached. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    detail: string,
  ) {
    super(detail);
  }
}

/** The house, as one person asks it: the token says who. */
export class House {
  constructor(readonly token: string | null = null) {}

  guest = (name?: string): Promise<Opened> =>
    this.#ask("POST", "/api/guests", name ? { name } : {});
  useKey = (key: string): Promise<Opened> => this.#ask("POST", "/api/sessions", { key });
  me = (): Promise<Me> => this.#ask("GET", "/api/me");

  tables = (): Promise<Summary[]> => this.#ask("GET", "/api/tables");
  setUp = (table: NewTable): Promise<Summary> => this.#ask("POST", "/api/tables", table);
  table = (table: string): Promise<TableView> => this.#ask("GET", at(table));
  coups = (table: string, most = 100): Promise<Coup[]> =>
    this.#ask("GET", `${at(table)}/coups?most=${most}`);
  events = (table: string, after: number, most = 1000): Promise<TableEvent[]> =>
    this.#ask("GET", `${at(table)}/events?after=${after}&most=${most}`);
  why = (table: string, language: string, coup?: number): Promise<Why> =>
    this.#ask(
      "GET",
      `${at(table)}/why?language=${language}${coup === undefined ? "" : `&coup=${coup}`}`,
    );

  rulebooks = (): Promise<BookTitle[]> => this.#ask("GET", "/api/rulebooks");
  rulebook = (id: string): Promise<Book> =>
    this.#ask("GET", `/api/rulebooks/${encodeURIComponent(id)}`);

  /** For what has no method of its own here; the consoles ask for a few such things. */
  get = <Told>(path: string): Promise<Told> => this.#ask("GET", path);

  async #ask<Told>(method: "GET" | "POST", path: string, body?: unknown): Promise<Told> {
    const headers: Record<string, string> = {};
    if (this.token) headers["Authorization"] = `Bearer ${this.token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let answer: Response;
    try {
      answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) } as RequestInit);
    } catch {
      throw new Problem(0, "the house cannot be reached");
    }
    const told: unknown = await answer.json().catch(() => null);
    if (answer.ok) return told as Told;
    const detail = (told as { detail?: unknown } | null)?.detail;
    throw new Problem(answer.status, typeof detail === "string" ? detail : answer.statusText);
  }
}

const at = (table: string): string => `/api/tables/${encodeURIComponent(table)}`;
