/**
 * The ball of a drawn table, with Web Crypto and nothing asked of the house:
 *
 *     secret(place - 1) = SHA-256("novamas chain 1", table, place, secret(place))
 *     hash of a text    = SHA-256("novamas nonce 1", table, spin, commitment, player, text)
 *     stream            = HMAC-SHA256(secret, "novamas draw 2", table, spin,
 *                                     player, "opened", text | player, "withheld", hash, …, block)
 *     pockets           = 0, 1, …, 36, then the further zeros of the wheel: "00", "000"
 *     n                 = how many pockets there are
 *     index             = the first byte of the stream below (256 div n) × n, modulo n
 *     number            = pockets[index]
 *
 * where every field has its length before it, in four bytes. `docs/explanation/fairness.md` has the rest.
 */
import type { Pocket } from "../api/types.ts";

/** The last whole number; every wheel has all from 0 to it. */
const LAST = 36;
const BYTES = 256;
const RANDOM_BYTES = 16;

/** How long the words of a player may be: a space and 32 digits follow them. */
export const LONGEST_WORDS = 95;
/** Characters that no text has: controls, line separators, changes of direction, halves. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;

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

const hex = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes of a hexadecimal text; anything else is an error. */
export function unhex(text: string): Uint8Array<ArrayBuffer> {
  if (text.length === 0 || text.length % 2 || !/^[0-9a-f]*$/.test(text))
    throw new Error("not hexadecimal");
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

const hashed = async (fields: (string | Uint8Array)[]): Promise<string> =>
  hex(await crypto.subtle.digest("SHA-256", framed(fields)));

/** The hash that a secret must have: the secret revealed before it, or the tip of the chain. */
export const committed = (table: string, place: number, secret: string): Promise<string> =>
  hashed(["novamas chain 1", table, String(place), unhex(secret)]);

/** The hash behind which a player hides a text. */
export const textHash = (
  table: string,
  spin: number,
  commitment: string,
  player: string,
  text: string,
): Promise<string> => hashed(["novamas nonce 1", table, String(spin), commitment, player, text]);

/** The pockets of a wheel with these zeros, as the draw counts them; an error if no wheel has them. */
export function pocketsOf(zeros: unknown): Pocket[] {
  if (!Array.isArray(zeros) || zeros.length > BYTES - LAST) throw new Error("no zeros of a wheel");
  const [first, ...further] = zeros as unknown[];
  if (first !== 0) throw new Error("the first zero is 0");
  let before = "0";
  for (const zero of further) {
    if (typeof zero !== "string" || !/^0+$/.test(zero) || zero.length <= before.length)
      throw new Error("a further zero is a text of more zeros");
    before = zero;
  }
  return [...Array.from({ length: LAST + 1 }, (_, number) => number), ...(further as string[])];
}

/** The number that a secret and the players' texts give on a wheel with these zeros. */
export async function drawn(
  table: string,
  spin: number,
  secret: string,
  opened: Map<string, string>,
  withheld: Map<string, string>,
  zeros: unknown = [0],
): Promise<Pocket> {
  const pockets = pocketsOf(zeros);
  const fair = Math.floor(BYTES / pockets.length) * pockets.length;
  const given = [
    ...Array.from(opened, ([player, text]) => [player, "opened", text]),
    ...Array.from(withheld, ([player, hash]) => [player, "withheld", hash]),
  ].sort((one, other) => byCodePoints(one[0]!, other[0]!));
  const message = framed(["novamas draw 2", table, String(spin), ...given.flat()]);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", unhex(secret), algorithm, false, ["sign"]);
  for (let block = 0; ; block += 1) {
    const counted = new Uint8Array(message.length + 4);
    counted.set(message);
    new DataView(counted.buffer).setUint32(message.length, block);
    for (const byte of new Uint8Array(await crypto.subtle.sign("HMAC", key, counted)))
      if (byte < fair) return pockets[byte % pockets.length]!;
  }
}

/** The words of a player as they can stand in a text: one line, and not too long. */
export const cleaned = (words: string): string =>
  Array.from(words.replace(UNSEEN, " ").trim()).slice(0, LONGEST_WORDS).join("").trim();

/** A text that nobody can guess, with words of the player before it. */
export function freshText(words: string): string {
  const random = hex(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
  return `${words} ${random}`.trim();
}
