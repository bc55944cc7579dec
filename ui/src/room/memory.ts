/** What a browser remembers of a table: the commitments it saw, and what was laid last. */
import type { Layout } from "../table/layout.ts";
import { shelf } from "./shelf.ts";

export class Memory {
  /** Spin → the commitment that was published before betting opened, since the page was opened. */
  readonly published: Record<number, string> = {};
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

  /** The first commitment that was seen counts: a second one of the same spin would be a fraud. */
  publish(spin: number, commitment: string): void {
    this.published[spin] ??= commitment;
  }

  /** The log is another one than before: what was seen says nothing any more. */
  forget(): void {
    for (const spin of Object.keys(this.published)) delete this.published[Number(spin)];
  }
}
