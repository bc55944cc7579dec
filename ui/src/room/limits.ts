/** The limits of a spot, and in words. */
import type { Book, Limits, TableView } from "../api/types.ts";
import { t, words } from "../i18n/words.svelte.ts";

type Limit = Limits[string];

/** What a table takes on a spot: what the house says of it alone, or else of its class. */
export const limitOf = (
  table: Pick<TableView, "limits" | "limits_apart">,
  book: Pick<Book, "spots">,
  spot: string,
): Limit | undefined =>
  table.limits_apart[spot] ?? table.limits[book.spots[spot]?.class ?? ""];

/** What a bet must have at least, wherever it lies; 0 where a spot has no minimum. */
export const leastOf = (
  table: Pick<TableView, "limits" | "limits_apart">,
  book: Pick<Book, "spots">,
): number =>
  Math.min(...Object.keys(book.spots).map((spot) => limitOf(table, book, spot)?.min ?? 0));

/** Which of the house's least numbers of chips counts for a spot. */
export type Least = "on_numbers" | "on_chance" | "value_on_simple" | "value_elsewhere";

const NUMBERS: readonly string[] = ["straight", "split", "street", "corner", "five", "sixline"];

/** How many chips a bet on a spot takes at least, in the chips that one holds; null where one will do. */
export function leastChips(
  book: Pick<Book, "pieces" | "spots">,
  spot: string,
  holdsValueChips: boolean,
): { of: Least; least: number; articles: readonly string[] } | null {
  const kind = book.spots[spot]?.class ?? "";
  const of: Least = holdsValueChips
    ? kind === "simple"
      ? "value_on_simple"
      : "value_elsewhere"
    : NUMBERS.includes(kind)
      ? "on_numbers"
      : "on_chance";
  const least = book.pieces?.[of] ?? 1;
  return least > 1 ? { of, least, articles: book.pieces?.[`${of}_articles`] ?? [] } : null;
}

/** The same in words. */
export const leastText = ({ of, least }: { of: Least; least: number }): string =>
  t(of === "on_numbers" ? "room.spot.chipsOnNumbers" : "room.spot.chipsHere", {
    least: words.amount(least),
  });

export function limitsText(limit: Limit | undefined): string {
  const { min, max } = limit ?? {};
  if (min !== undefined && max !== undefined)
    return `${words.amount(min)} – ${words.amount(max)}`;
  if (min !== undefined) return t("room.spot.least", { amount: words.amount(min) });
  if (max !== undefined) return t("room.spot.most", { amount: words.amount(max) });
  return t("room.spot.noLimits");
}
