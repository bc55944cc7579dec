/** The sentence for what somebody asked that a second person approves. */
import type { Approval, Post } from "../api/types.ts";
import { t, words } from "../i18n/words.svelte.ts";

export type Asked = Pick<Approval, "act" | "subject" | "details">;

/** What was asked for, and of whom. */
export function askedFor({ act, subject, details }: Asked): string {
  const amount = (name: string): string => words.amount(Number(details[name] ?? 0));
  const posts = Array.isArray(details["posts"]) ? (details["posts"] as Post[]) : [];
  const named = posts.map((post) => t(`people.posts.${post}`)).join(", ");
  switch (act) {
    case "register_staff":
      return t("people.approvals.acts.register_staff", { name: subject, posts: named });
    case "change_posts":
      return t("people.approvals.acts.change_posts", {
        name: subject,
        posts: named || t("people.approvals.noPosts"),
      });
    case "set_password":
      return t("people.approvals.acts.set_password", { name: subject });
    case "reset_second_factor":
      return t("people.approvals.acts.reset_second_factor", { name: subject });
    case "credit_desk":
      return t("people.approvals.acts.credit_desk", { name: subject, amount: amount("amount") });
    case "set_alone_limits":
      return t("people.approvals.acts.set_alone_limits", {
        desk: amount("desk"),
        table: amount("table"),
      });
  }
}
