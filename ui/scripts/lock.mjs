// Takes the addresses out of the lock: where packages come from is a matter of the machine,
// that they are the right ones is a matter of the hash. Another lock than the room's is an argument.
import { readFileSync, writeFileSync } from "node:fs";

const path = process.argv[2] ?? new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(path, "utf8"));
for (const each of Object.values(lock.packages)) {
  delete each.funding;
  delete each.resolved;
}
const text = `${JSON.stringify(lock, null, 2)}\n`;
if (/https?:\/\//.test(text)) throw new Error("an address is left in package-lock.json");
writeFileSync(path, text);
