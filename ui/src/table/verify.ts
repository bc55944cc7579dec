/**
 * Checks a drawn number in the browser, with Web Crypto and nothing asked of the house:
 *
 *     commitment = SHA-256("novamas ball 1", table, spin, secret)
 *     stream     = HMAC-SHA256(secret, "novamas draw 1", table, spin, player, nonce, …, block)
 *     number     = the first byte of the stream below 222, modulo 37
 *
 * where every text has its length before it, in four bytes.
 */
import type { Coup } from "../api/types.ts";

const POCKETS = 37;
const FAIR = Math.floor(256 / POCKETS) * POCKETS;
const COMMITMENT_TAG = "novamas ball 1";
const DRAW_TAG = "novamas draw 1";

const encoder = new TextEncoder();

function framed(fields: (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const parts = fields.map((each) => (typeof each === "string" ? encoder.encode(each) : each));
  const length = parts.reduce((sum, part) => sum + 4 + part.length, 0);
  const bytes = new Uint8Array(length);
  const lengths = new DataView(bytes.buffer);
  let at = 0;
  for (const part of parts) {
    lengths.setUint32(at, part.length);
    bytes.set(part, at + 4);
    at += 4 + part.length;
  }
  return bytes;
}

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes of a secret, or null where it is no hexadecimal text. */
export function unhex(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 2 || !/^[0-9a-f]*$/.test(text)) return null;
  const bytes = new Uint8Array(text.length / 2);
  for (let n = 0; n < bytes.length; n += 1) bytes[n] = parseInt(text.slice(2 * n, 2 * n + 2), 16);
  return bytes;
}

/** By code points, as the house sorts names; JavaScript alone would sort by halves of them. */
function byCodePoints(one: string, other: string): number {
  const left = Array.from(one, (letter) => letter.codePointAt(0)!);
  const right = Array.from(other, (letter) => letter.codePointAt(0)!);
  for (let n = 0; n < Math.min(left.length, right.length); n += 1)
    if (left[n] !== right[n]) return left[n]! - right[n]!;
  return left.length - right.length;
}

/** The hash by which the house bound itself before betting opened. */
export async function commitment(
  table: string,
  spin: number,
  secret: Uint8Array,
): Promise<string> {
  const message = framed([COMMITMENT_TAG, table, String(spin), secret]);
  return hex(await crypto.subtle.digest("SHA-256", message));
}

/** The number that a secret and the nonces draw. */
export async function draw(
  table: string,
  spin: number,
  secret: Uint8Array<ArrayBuffer>,
  nonces: Record<string, string>,
): Promise<number> {
  const fields: string[] = [DRAW_TAG, table, String(spin)];
  for (const player of Object.keys(nonces).sort(byCodePoints)) fields.push(player, nonces[player]!);
  const message = framed(fields);
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  for (let block = 0; ; block += 1) {
    const counted = new Uint8Array(message.length + 4);
    counted.set(message);
    new DataView(counted.buffer).setUint32(message.length, block);
    for (const byte of new Uint8Array(await crypto.subtle.sign("HMAC", key, counted)))
      if (byte < FAIR) return byte % POCKETS;
  }
}

/** What the check of a coup found. */
export interface Checked {
  /** The secret hashes to what was published before betting opened. */
  bound: boolean;
  /** The commitment is the one that this browser saw published; null if it saw none. */
  seen: boolean | null;
  /** The number that comes out here. */
  drawn: number;
  /** The number that was played. */
  played: number | null;
  /** All of it is right. */
  good: boolean;
}

/** Checks a coup; null if it has no ball to check, as at a table with a physical wheel. */
export async function check(
  table: string,
  coup: Coup,
  published: Record<number, string> = {},
): Promise<Checked | null> {
  const ball = coup.ball;
  if (!ball) return null;
  const secret = unhex(ball.secret);
  if (!secret || secret.length === 0)
    return { bound: false, seen: null, drawn: -1, played: coup.number, good: false };
  const bound = (await commitment(table, ball.spin, secret)) === ball.commitment;
  const drawn = await draw(table, ball.spin, secret, ball.nonces);
  const known = published[ball.spin];
  const seen = known === undefined ? null : known === ball.commitment;
  const good = bound && seen !== false && drawn === coup.number;
  return { bound, seen, drawn, played: coup.number, good };
}
