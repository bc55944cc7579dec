/** Why a request about people failed, in the chosen language. */
import { Problem } from "../api/http.ts";
import type { ProblemWhy } from "../api/types.ts";
import { t, words } from "../i18n/words.svelte.ts";

/** Why a request failed; `here` replaces texts in a particular place. */
export function problemText(
  wrong: unknown,
  here: Partial<Record<ProblemWhy, string>> = {},
): string {
  if (!(wrong instanceof Problem)) return t("people.account.failed");
  if (wrong.status === 0) return t("people.signIn.unreachable");
  if (wrong.why === null) return t("people.account.failed");
  return here[wrong.why] ?? words.reason(wrong.why) ?? t("people.account.failed");
}
