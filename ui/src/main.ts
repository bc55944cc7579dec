import { mount } from "svelte";
import { words } from "./i18n/words.svelte.ts";
import App from "./room/App.svelte";
import { loadAgain } from "./room/load-again.ts";
import "./font.css";
import "./cloth/look.generated.css";
import "./theme.css";

const room = document.getElementById("room");
if (!room) throw new Error("the page has no place for the room");
addEventListener("vite:preloadError", () => loadAgain());
void words.ready().then(() => mount(App, { target: room }));
