// Shows what was answered. Everything that comes from a person's text is set as text, never as HTML.

/** An element with its properties and its children; a child is an element or a text. */
export function make(tag, about = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(about)) {
    if (name in made && name !== "lang") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((each) => each !== ""));
  return made;
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** A function that turns the ids of a house's articles in a text into buttons that open them. */
export function linking(house, articles, open) {
  const longestFirst = [...articles].sort((a, b) => b.length - a.length).map(escaped);
  const known = new RegExp(`(?<![\\w.-])(${longestFirst.join("|")})(?![\\w-])`, "gu");
  return (text) =>
    text.split(known).map((part, place) =>
      place % 2 === 0
        ? part
        : make("button", { type: "button", className: "pg-link", onclick: () => open(house, part) }, part),
    );
}

const TEXTS = new Set(["player", "stake", "of", "articles", "paid", "house", "refused", "name", "exact"]);
let tables = 0;

/** A table with its caption, in a box that scrolls by itself where the screen is narrow. */
export function table(caption, { head, keys, rows }, linked = (text) => [text]) {
  const id = `pg-table-${(tables += 1)}`;
  const align = (place) => (TEXTS.has(keys[place]) ? "pg-text" : "pg-figure");
  const cell = (content, place) =>
    place === 0
      ? make("th", { scope: "row", className: align(0) }, content)
      : make("td", { className: `${align(place)} pg-${keys[place]}` }, content);
  const shown = make(
    "table",
    {},
    make("caption", { id }, linked(caption)),
    make(
      "thead",
      {},
      make("tr", {}, head.map((name, place) => (name ? make("th", { scope: "col", className: align(place) }, name) : make("td")))),
    ),
    make(
      "tbody",
      {},
      rows.map((row) =>
        make("tr", {}, row.map((each, place) => cell(typeof each === "string" ? linked(each) : each, place))),
      ),
    ),
  );
  return make("div", { className: "pg-table", role: "group", tabIndex: 0, "aria-labelledby": id }, shown);
}

/** A list of sentences under a title; nothing if there are none. */
export function sentences(title, texts, linked) {
  if (!texts.length) return [];
  return [make("h4", {}, linked(title)), make("ul", {}, texts.map((text) => make("li", {}, linked(text))))];
}

/**
 * A drawing of the cloth. It is read as XML, where a text can only be a text.
 * A click is on the spot that lies nearest; the notation says the same from the keyboard.
 */
export function drawing(svg, spots, onSpot) {
  const read = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const cloth = document.importNode(read, true);
  cloth.addEventListener("click", (event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(cloth.getScreenCTM().inverse());
    const apart = ([, left, top]) => Math.hypot(left - x, top - y);
    const [name] = spots.reduce((best, each) => (apart(each) < apart(best) ? each : best));
    onSpot(name);
  });
  return make("figure", { className: "pg-cloth" }, cloth);
}

/** A fraction; a long one shows how it begins, and is opened on demand. */
export function fraction(text) {
  if (text.length <= 24) return text;
  const whole = make("span", { className: "pg-long" }, text);
  return make("details", {}, make("summary", {}, `${text.slice(0, 12)}…`), whole);
}

/** A share from 0 to 1 as a bar; the figure stands beside it. */
export function bar(share) {
  const width = `${Math.max(Number(share) * 100, 0.5).toFixed(2)}%`;
  const made = make("span", { className: "pg-bar", "aria-hidden": "true" });
  made.style.setProperty("--share", width);
  return made;
}
