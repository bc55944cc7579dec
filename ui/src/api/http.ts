/** The HTTP client of the house. */
import type {
  Approval,
  Book,
  BookTitle,
  Comparison,
  Coup,
  CoupBets,
  Decided,
  Elsewhere,
  Entry,
  Known,
  LimitKind,
  Me,
  Mode,
  MyFactors,
  MySession,
  NewSecret,
  NewTable,
  Opened,
  Post,
  ProblemWhy,
  ProfitPoint,
  Protection,
  PublicKey,
  ShortStake,
  SignIn,
  Summary,
  TableEvent,
  TableView,
  Wallet,
  Why,
} from "./types.ts";

/** What is wrong with a request, in the house's words; status 0 if the house was not reached. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    detail: string,
    /** The reason as a key, which the room translates; null if no house has answered. */
    readonly why: ProblemWhy | null = null,
  ) {
    super(detail);
  }
}

/** The house for one person, who is identified by a token or by an HTTP-only cookie. */
export class House {
  constructor(readonly token: string | null = null) {}

  guest = (name?: string): Promise<Opened> =>
    this.#ask("POST", "/api/guests", name ? { name } : {});
  useKey = (key: string): Promise<Opened> => this.#ask("POST", "/api/sessions", { key });
  me = (): Promise<Me> => this.#ask("GET", "/api/me");

  mode = (): Promise<Mode> => this.#ask("GET", "/api/mode");

  // With an account ---------------------------------------------------------------------------

  signIn = (who: SignIn): Promise<unknown> =>
    this.#ask("POST", "/api/sign-in", { ...who, by: "cookie" });
  /** The challenge that a passkey signs to sign in; it names nobody. */
  passkeyChallenge = (): Promise<PublicKey> => this.#ask("POST", "/api/sign-in/passkey/challenge");
  signInWithPasskey = (credential: object, post: Post): Promise<unknown> =>
    this.#ask("POST", "/api/sign-in/passkey", { credential, post, by: "cookie" });
  signOut = (): Promise<unknown> => this.#ask("POST", "/api/sign-out");
  /** Reports that the user is at their post, although they send nothing else. */
  present = (): Promise<unknown> => this.#ask("POST", "/api/me/presence");
  changePassword = (old: string, fresh: string): Promise<unknown> =>
    this.#ask("PUT", "/api/me/password", { old, new: fresh });

  sessions = (): Promise<MySession[]> => this.#ask("GET", "/api/me/sessions");
  endOthers = (password: string): Promise<unknown> =>
    this.#ask("POST", "/api/me/sessions/end", { password });

  factors = (): Promise<MyFactors> => this.#ask("GET", "/api/me/factors");
  newSecret = (): Promise<NewSecret> => this.#ask("POST", "/api/me/factors/totp");
  addApp = (
    ticket: string,
    code: string,
    label: string,
    password: string | null,
  ): Promise<MyFactors> =>
    this.#ask("POST", "/api/me/factors/totp/confirm", { ticket, code, label, password });
  newPasskey = (): Promise<PublicKey> => this.#ask("POST", "/api/me/factors/passkey/challenge");
  addPasskey = (credential: object, label: string, password: string | null): Promise<MyFactors> =>
    this.#ask("POST", "/api/me/factors/passkey", { credential, label, password });
  removeFactor = (id: string, password: string): Promise<MyFactors> =>
    this.#ask("POST", `/api/me/factors/${encodeURIComponent(id)}/remove`, { password });
  chooseSignInName = (name: string, password: string | null): Promise<MyFactors> =>
    this.#ask("PUT", "/api/me/sign-in-name", { name, password });

  limits = (): Promise<Protection> => this.#ask("GET", "/api/me/limits");
  setLimit = (kind: LimitKind, amount: number | null): Promise<Protection> =>
    this.#ask("PUT", "/api/me/limits", { kind, amount });
  /** For good, without `until`, with the password. */
  exclude = (until: number | null, password: string | null = null): Promise<Protection> =>
    this.#ask("POST", "/api/me/exclusion", { until, password });

  people = (): Promise<Known[]> => this.#ask("GET", "/api/people");
  makeKnown = (
    name: string,
    password: string,
    posts: Post[],
    reason: string,
  ): Promise<Known | Approval> =>
    this.#ask("POST", "/api/people", { name, password, posts, reason });
  changePosts = (name: string, posts: Post[], reason: string): Promise<Known | Approval> =>
    this.#ask("PUT", `${of(name)}/posts`, { posts, reason });
  setPassword = (name: string, fresh: string, reason: string): Promise<Approval> =>
    this.#ask("PUT", `${of(name)}/password`, { new: fresh, reason });
  resetFactors = (name: string, reason: string): Promise<Approval> =>
    this.#ask("POST", `${of(name)}/factors/reset`, { reason });
  signOutEverywhere = (name: string): Promise<unknown> =>
    this.#ask("DELETE", `${of(name)}/sessions`);

  wallet = (name: string): Promise<Wallet> => this.#ask("GET", desk(name));
  buyIn = (name: string, amount: number, id: string, reason: string): Promise<Wallet | Approval> =>
    this.#ask("POST", `${desk(name)}/in`, { amount, id, reason });
  cashOut = (name: string, amount: number, id: string): Promise<Wallet> =>
    this.#ask("POST", `${desk(name)}/out`, { amount, id });

  /** What waits for a second person. */
  approvals = (): Promise<Approval[]> => this.#ask("GET", "/api/approvals");
  decideApproval = (id: string, approve: boolean, reason: string): Promise<unknown> =>
    this.#ask("POST", `/api/approvals/${encodeURIComponent(id)}`, { approve, reason });

  register = (after: number, most = 1000): Promise<Entry[]> =>
    this.#ask("GET", `/api/register?after=${after}&most=${most}`);

  // Tables ------------------------------------------------------------------------------------

  tables = (): Promise<Summary[]> => this.#ask("GET", "/api/tables");
  setUp = (table: NewTable): Promise<Summary> => this.#ask("POST", "/api/tables", table);
  table = (table: string): Promise<TableView> => this.#ask("GET", at(table));
  coups = (table: string, most = 100): Promise<Coup[]> =>
    this.#ask("GET", `${at(table)}/coups?most=${most}`);
  /** One coup, or nothing if it has not ended or is no longer kept. */
  coup = async (table: string, coup: number): Promise<Coup | undefined> =>
    (await this.#ask<Coup[]>("GET", `${at(table)}/coups?coup=${coup}`))[0];
  /** What lay on the cloth in a coup; of others without names. */
  coupBets = (table: string, coup: number): Promise<CoupBets> =>
    this.#ask("GET", `${at(table)}/coups/${coup}/bets`);
  /** What one's own bets of a coup would have brought at the other houses. */
  elsewhere = (table: string, coup: number, language: string): Promise<Elsewhere> =>
    this.#ask("GET", `${at(table)}/coups/${coup}/elsewhere?language=${language}`);
  /** One's own results, summed up coup after coup, beside what the exact odds expected. */
  profit = (table: string): Promise<ProfitPoint[]> => this.#ask("GET", `${at(table)}/profit`);
  events = (table: string, after: number, most = 1000): Promise<TableEvent[]> =>
    this.#ask("GET", `${at(table)}/events?after=${after}&most=${most}`);
  why = (table: string, language: string, coup?: number): Promise<Why> =>
    this.#ask(
      "GET",
      `${at(table)}/why?language=${language}${coup === undefined ? "" : `&coup=${coup}`}`,
    );
  /** The decisions at a table, newest first; before a place in the log, or all. */
  decisions = (table: string, before?: number): Promise<Decided> =>
    this.#ask("GET", `${at(table)}/decisions${before === undefined ? "" : `?before=${before}`}`);
  /** Has the ball of this coup launched at once, while one plays alone; the rest may be quick. */
  spin = (table: string, quick: boolean): Promise<unknown> =>
    this.#ask("POST", `${at(table)}/spin`, { quick });
  /** The player's stakes that would be returned as too small if betting closed now. */
  short = (table: string): Promise<ShortStake[]> => this.#ask("GET", `${at(table)}/short`);

  rulebooks = (): Promise<BookTitle[]> => this.#ask("GET", "/api/rulebooks");
  rulebook = (id: string): Promise<Book> =>
    this.#ask("GET", `/api/rulebooks/${encodeURIComponent(id)}`);

  compare = (one: string, other: string, language: string): Promise<Comparison> =>
    this.#ask(
      "GET",
      `/api/rulebooks/${encodeURIComponent(one)}/compare/${encodeURIComponent(other)}?language=${language}`,
    );

  /** For requests without a method of their own here; the consoles make a few of them. */
  get = <Told>(path: string): Promise<Told> => this.#ask("GET", path);

  async #ask<Told>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<Told> {
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
    const { detail, why } = (told ?? {}) as { detail?: string; why?: ProblemWhy };
    throw new Problem(answer.status, detail ?? answer.statusText, why ?? null);
  }
}

const at = (table: string): string => `/api/tables/${encodeURIComponent(table)}`;
const of = (name: string): string => `/api/people/${encodeURIComponent(name)}`;
const desk = (name: string): string => `/api/desk/${encodeURIComponent(name)}`;

/** Whether the house answered that something waits for a second person, and has not done it yet. */
export function waits(told: unknown): told is Approval {
  return typeof told === "object" && told !== null && "act" in told && "expires" in told;
}
