/**
 * Loads the page again when a part of it did not come: the line broke, or the house has a newer room.
 *
 * A browser does not ask a second time for a module that failed, so the whole page is loaded. It does so
 * once in a while: a part that never comes must not keep the page loading for ever.
 */
const STORED = "novamas.loaded-again";
const BETWEEN = 10_000;
const SOON = 500;

export function loadAgain(now = Date.now(), later: (load: () => void) => void = soon): void {
  let before: string | null = null;
  try {
    before = sessionStorage.getItem(STORED);
    sessionStorage.setItem(STORED, String(now));
  } catch {
    // A browser that stores nothing could load for ever.
    return;
  }
  if (before === null || now - Number(before) >= BETWEEN) later(() => location.reload());
}

function soon(load: () => void): void {
  setTimeout(load, SOON);
}
