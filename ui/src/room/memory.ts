/** What a browser remembers of a table: what was laid last. */
import type { Layout } from "../table/layout.ts";
import { shelf } from "./shelf.ts";

export class Memory {
  readonly #table: string;

  constructor(table: string) {
    this.#table = table;
  }

  get earlier(): Layout {
    return shelf.read<Layout>(`novamas.earlier.${this.#table}`) ?? [];
  }

  set earlier(layout: Layout) {
    shelf.write(`novamas.earlier.${this.#table}`, layout);
  }
}
