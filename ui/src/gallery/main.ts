import { mount } from "svelte";
import "../font.css";
import "../theme.css";
import Gallery from "./Gallery.svelte";

const target = document.getElementById("gallery");
if (target) mount(Gallery, { target });
