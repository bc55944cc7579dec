import { mount } from "svelte";
import "../font.css";
import { words } from "../i18n/words.svelte.ts";
import "../cloth/look.generated.css";
import "../theme.css";
import Gallery from "./Gallery.svelte";

const target = document.getElementById("gallery");
if (target) void words.ready().then(() => mount(Gallery, { target }));
