/** Short notices: what the house refused and why, and what is good to know. */
import type { Refusal } from "../table/slip.ts";

export interface Notice {
  id: number;
  kind: "refused" | "good" | "plain";
  text: string;
  articles: string[];
}

const LASTS = 7000;
const MOST = 3;

export class Toasts {
  all = $state<Notice[]>([]);
  #count = 0;

  show(kind: Notice["kind"], text: string, articles: string[] = []): void {
    const same = this.all.find((each) => each.text === text);
    if (same) this.drop(same.id);
    this.#count += 1;
    const id = this.#count;
    this.all = [...this.all.slice(1 - MOST), { id, kind, text, articles }];
    setTimeout(() => this.drop(id), articles.length > 0 ? LASTS * 1.5 : LASTS);
  }

  /** Shows a refusal; the same reason is shown once. */
  refused(refusals: Refusal[], words: (why: string, detail: string) => string): void {
    const told = new Set<string>();
    for (const each of refusals) {
      const text = words(each.why, each.kind === "refused" ? each.detail : each.problem);
      if (told.has(text)) continue;
      told.add(text);
      this.show("refused", text, each.kind === "refused" ? each.articles : []);
    }
  }

  drop(id: number): void {
    this.all = this.all.filter((each) => each.id !== id);
  }
}
