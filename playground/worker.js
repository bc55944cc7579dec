// Runs Python beside the page, so that the page never waits: it is loaded once, with the game, and
// then answers one question after the other. Everything comes from the folder of this file.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = (name) => new URL(name, import.meta.url).href;

async function load() {
  postMessage({ stage: "loading_python" });
  const python = await loadPyodide({ indexURL: here("./pyodide/") });
  postMessage({ stage: "loading_books" });
  const packed = await fetch(here("./game.zip"));
  if (!packed.ok) throw new Error(`game.zip: ${packed.status}`);
  python.unpackArchive(await packed.arrayBuffer(), "zip", { extractDir: "/game" });
  python.runPython("import sys; sys.path.insert(0, '/game')");
  return python.pyimport("answers").answer;
}

const loaded = load();
loaded.catch((error) => postMessage({ stage: "failed", told: String(error.message ?? error) }));

addEventListener("message", async ({ data: { id, question } }) => {
  try {
    const answer = await loaded;
    postMessage({ id, answer: JSON.parse(answer(JSON.stringify(question))) });
  } catch (error) {
    postMessage({ id, failed: String(error.message ?? error) });
  }
});
