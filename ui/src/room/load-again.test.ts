import { afterEach, expect, test, vi } from "vitest";
import { loadAgain } from "./load-again.ts";

function storage(): void {
  const kept = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
}

afterEach(() => vi.unstubAllGlobals());

test("the page is loaded again once in a while, and not for ever", () => {
  storage();
  const later = vi.fn();
  loadAgain(1_000, later);
  loadAgain(2_000, later);
  expect(later).toHaveBeenCalledTimes(1);
  loadAgain(60_000, later);
  expect(later).toHaveBeenCalledTimes(2);
});

test("a browser that stores nothing does not load the page again", () => {
  vi.stubGlobal("sessionStorage", undefined);
  const later = vi.fn();
  loadAgain(1_000, later);
  expect(later).not.toHaveBeenCalled();
});
