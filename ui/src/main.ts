import { mount } from "svelte";
import App from "./room/App.svelte";
import "./font.css";
import "./theme.css";

const room = document.getElementById("room");
if (!room) throw new Error("the page has no place for the room");
mount(App, { target: room });
