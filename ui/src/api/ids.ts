/** A name that nobody has used or could guess, for commands and stakes. */
export function freshId(kind: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const text = Array.from(bytes, (byte) => byte.toString(36).padStart(2, "0")).join("");
  return `${kind}-${text}`;
}
