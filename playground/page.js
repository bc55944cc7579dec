// The playground: a form, a worker that runs the game in Python, and what it answers.
// What is in the form is in the address too, after the #, so that a link shows the same.
import { bar, drawing, fraction, linking, make, sentences, table } from "./show.js";

const here = (name) => new URL(name, import.meta.url);
const read = async (name) => (await fetch(here(name))).json();
const [WORDS, { houses: HOUSES }] = await Promise.all([read("./words.json"), read("./houses.json")]);
const houses = new Map(HOUSES.map((each) => [each.id, each]));

const find = (name) => document.getElementById(`pg-${name}`);
const FIELDS = ["house", "number", "stakes", "chip", "winning", "last", "player", "choice", "language"];
const EXAMPLES = {
  reduced: { house: "ar", number: "17", stakes: "ana 17:5 14/17:10 red:50\nluis 17/20:4" },
  prison: { house: "es", number: "0 12", stakes: "ana rojo:50\npaz falta:20 17:5" },
  divided: { house: "it", number: "0", stakes: "anna rosso:7" },
  called: { house: "it", number: "22", stakes: "anna voisins:9 tiers:6\nluca 22:10" },
  zeros: { house: "sd", number: "00", stakes: "joe 00:2 red:10" },
};
const ASIDE = { chip: "1", winning: "hand", last: "", player: "", choice: "prison" };
const FIRST = { ...ASIDE, ...EXAMPLES.reduced };
const LAID = 10; // What a click on the cloth lays.
const NARROW = matchMedia("(max-width: 40rem)");

// The worker ---------------------------------------------------------------------------------------

const worker = new Worker(here("./worker.js"), { type: "module" });
const waiting = new Map();
let questions = 0;

worker.addEventListener("message", ({ data }) => {
  if (data.stage) return loading(data);
  const { settle, fail } = waiting.get(data.id);
  waiting.delete(data.id);
  if ("failed" in data) fail(new Error(data.failed));
  else settle(data.answer);
});
worker.addEventListener("error", (event) => loading({ stage: "failed", told: event.message ?? "" }));

function ask(kind, more) {
  const id = (questions += 1);
  const question = { ask: kind, language: now.language, ...more };
  return new Promise((settle, fail) => {
    waiting.set(id, { settle, fail });
    worker.postMessage({ id, question });
  });
}

function loading({ stage, told = "" }) {
  tell(say(stage, { told }));
}

// Words --------------------------------------------------------------------------------------------

const now = { ...FIRST, language: "en" };

function say(key, facts = {}) {
  return WORDS[now.language][key].replace(/\{(\w+)\}/g, (_, name) => facts[name]);
}

function tell(text) {
  find("status").textContent = text;
}

const titled = ({ titles }) => titles[now.language] ?? titles.en;

function fill(select, options, chosen) {
  select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
  select.value = chosen;
}

function speak() {
  find("language").value = now.language;
  find("root").lang = now.language;
  for (const each of document.querySelectorAll("#pg-root [data-say]")) {
    each.textContent = say(each.dataset.say);
  }
  fill(find("house"), HOUSES.map((each) => [each.id, titled(each)]), now.house);
  const examples = Object.keys(EXAMPLES).map((name) => [name, say(`example_${name}`)]);
  fill(find("example"), [["", say("example_choose")], ...examples], "");
}

// The form and the address -------------------------------------------------------------------------

function show() {
  for (const name of FIELDS) {
    const field = find(name);
    if (field.type === "checkbox") field.checked = now[name] === "1";
    else field.value = now[name];
  }
}

function takeForm() {
  for (const name of FIELDS) {
    const field = find(name);
    now[name] = field.type === "checkbox" ? (field.checked ? "1" : "") : field.value;
  }
}

function address() {
  const said = FIELDS.filter((name) => now[name] !== (ASIDE[name] ?? ""));
  return `#${new URLSearchParams(said.map((name) => [name, now[name]]))}`;
}

function takeAddress() {
  const said = new URLSearchParams(location.hash.slice(1));
  if (!said.has("stakes") && !said.has("house")) return false;
  Object.assign(now, ASIDE);
  for (const name of FIELDS) if (said.has(name)) now[name] = said.get(name);
  if (!Object.hasOwn(WORDS, now.language)) now.language = "en";
  return true;
}

// Faults -------------------------------------------------------------------------------------------

function forgive() {
  for (const each of document.querySelectorAll("#pg-root .pg-fault")) each.textContent = "";
  for (const each of document.querySelectorAll("#pg-root [aria-invalid]")) each.removeAttribute("aria-invalid");
}

function blame({ field, told, start, end }, { focus }) {
  const wrong = find(field) ?? find("stakes");
  wrong.setAttribute("aria-invalid", "true");
  (find(`${field}-fault`) ?? find("stakes-fault")).textContent = told;
  if (focus) {
    wrong.focus();
    if (start >= 0) wrong.setSelectionRange(start, end);
  }
  tell(say("fault", { told }));
}

// Answers ------------------------------------------------------------------------------------------

let turn = 0;

/** Asks everything about what the form says; an answer that comes after another question is dropped. */
async function settle({ focus = false } = {}) {
  const mine = (turn += 1);
  history.replaceState(null, "", address());
  tell(say("working"));
  forgive();
  const orientation = NARROW.matches ? "portrait" : "landscape";
  const asked = { ...now, last: now.last === "1", orientation };
  try {
    const coup = await ask("coup", asked);
    if (mine !== turn) return;
    find("answer").hidden = Boolean(coup.fault);
    if (coup.fault) return blame(coup.fault, { focus });
    showCoups(coup);
    await price(mine, asked);
    const there = await ask("elsewhere", asked);
    if (mine !== turn) return;
    showElsewhere(there);
    tell(coup.coups.map(({ number, call, summary }) => say("told", { number, call, summary })).join(" "));
  } catch (error) {
    if (mine === turn) tell(say("failed", { told: error.message }));
  }
}

async function price(mine, asked) {
  const worth = await ask("odds", asked);
  if (mine !== turn) return;
  find("worth-fault").textContent = worth.fault?.told ?? "";
  find("worth").replaceChildren(...(worth.fault || !worth.player ? [] : pricesOf(worth)));
}

const links = new Map();

function linkedAt(house) {
  if (!links.has(house)) links.set(house, linking(house, houses.get(house).articles, openArticle));
  return links.get(house);
}

function showCoups({ house, players, spots, coups }) {
  const linked = linkedAt(house);
  fill(find("player"), players.map((each) => [each, each]), players.includes(now.player) ? now.player : players[0]);
  find("whose").hidden = players.length < 2;
  find("coups").replaceChildren(...coups.map((coup) => coupOf(coup, spots, linked)));
}

/** Lays a bet for the player of the last line, on top of what is there. */
function lay(spot) {
  takeForm();
  const lines = now.stakes.trimEnd().split("\n");
  const [player = "ana", ...bets] = lines.pop().split(/\s+/).filter(Boolean);
  const place = bets.findIndex((bet) => bet.startsWith(`${spot}:`));
  const before = place < 0 ? 0 : Number(bets[place].slice(spot.length + 1));
  bets.splice(place < 0 ? bets.length : place, place < 0 ? 0 : 1, `${spot}:${before + LAID}`);
  now.stakes = [...lines, [player, ...bets].join(" ")].join("\n");
  show();
  settle();
}

function coupOf(coup, spots, linked) {
  const paid = coup.paid.rows.length ? [table(coup.paid.title || say("paid"), coup.paid, linked)] : [];
  const lines = coup.lines.rows.length ? [table(say("lines"), coup.lines, linked)] : [make("p", {}, say("none"))];
  return make(
    "article",
    { className: "pg-coup" },
    make("h3", {}, `${coup.number} · «${coup.call}»`),
    drawing(coup.cloth, spots, lay),
    sentences(say("sent_back"), coup.sent_back, linked),
    lines,
    sentences(coup.reduced_title, coup.reduced, linked),
    paid,
    table(say("sums"), coup.sums, linked),
    sentences(say("choice_title"), coup.choices, linked),
    coup.held ? make("p", {}, say("prison_waits", { held: coup.held })) : "",
    whyOf(coup.why, linked),
  );
}

function whyOf(why, linked) {
  if (!why.length) return [];
  const texts = why.map(({ player, told, articles }) => `${player}: ${told} (${articles.join(", ")})`);
  return sentences(say("why"), texts, linked);
}

function showElsewhere({ players, head, rows }) {
  // A column that says nothing of any house is left out.
  const further = [
    ["held", head.held, (row) => row.held],
    ["back", say("sent_back"), (row) => row.back],
    ["refused", say("refused"), (row) => (row.refused ? refusedAt(row) : "")],
  ].filter(([name]) => rows.some((row) => row[name] && row[name] !== "-"));
  const shown = table(say("elsewhere_caption"), {
    head: [head.house, ...players, ...further.map(([, named]) => named)],
    keys: ["house", ...players.map(() => "net"), ...further.map(([name]) => name)],
    rows: rows.map((row) => [
      titled(houses.get(row.house)),
      ...(row.refused ? players.map(() => "") : row.net),
      ...further.map(([, , of]) => of(row)),
    ]),
  });
  find("elsewhere").replaceChildren(shown);
}

const refusedAt = ({ house, refused }) => make("span", { lang: "en" }, linkedAt(house)(refused));

function pricesOf({ layout, facts, outcomes, others, houses: rows, head }) {
  const figures = table(layout, {
    head: [say("fact"), head.exact, say("figure")],
    keys: ["name", "exact", "figure"],
    rows: facts.map(([name, whole, figure]) => [name, fraction(whole), figure]),
  });
  const results = table(say("results"), {
    head: [say("result"), head.exact, say("probability"), ""],
    keys: ["result", "exact", "figure", "bar"],
    rows: outcomes.map(([net, whole, percent, share]) => [net, fraction(whole), percent, bar(share)]),
  });
  const anyRefused = rows.some((row) => row[5]);
  const compared = table(say("compared"), {
    head: [head.house, head.house_keeps, "%", head.deviation, head.gains, ...(anyRefused ? [say("refused")] : [])],
    keys: ["house", "exact", "figure", "figure", "figure", ...(anyRefused ? ["refused"] : [])],
    rows: rows.map(([house, edge, percent, deviation, gain, refused]) => [
      titled(houses.get(house)),
      fraction(edge),
      percent,
      deviation,
      gain,
      ...(anyRefused ? [refusedAt({ house, refused })] : []),
    ]),
  });
  return [figures, results, ...(others ? [make("p", {}, others)] : []), compared];
}

async function openArticle(house, id) {
  const found = await ask("article", { house, article: id });
  if (found.fault) return tell(say("fault", { told: found.fault.told }));
  find("article-title").textContent = `${found.id} · ${titled(houses.get(house))}`;
  const texts = found.texts.map(({ language, text }) => make("p", { lang: language }, text));
  const chosen = found.chosen.map(({ section, name, value }) => make("li", {}, `${section}: ${name}: ${value}`));
  find("article-text").replaceChildren(
    ...texts,
    ...(found.reading ? [make("p", {}, say("reading"))] : []),
    ...(chosen.length ? [make("h3", {}, say("chosen")), make("ul", {}, chosen)] : []),
  );
  find("article").showModal();
}

// What people do -----------------------------------------------------------------------------------

find("form").addEventListener("submit", (event) => {
  event.preventDefault();
  takeForm();
  settle({ focus: true });
});
find("stakes").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) find("form").requestSubmit();
});
for (const name of ["house", "winning", "last", "player", "choice"]) {
  find(name).addEventListener("change", () => {
    takeForm();
    settle();
  });
}
find("language").addEventListener("change", () => {
  takeForm();
  speak();
  settle();
});
find("example").addEventListener("change", ({ target }) => {
  if (!target.value) return;
  takeForm();
  Object.assign(now, ASIDE, EXAMPLES[target.value]);
  show();
  settle();
});
find("ball").addEventListener("click", () => {
  const { pockets } = houses.get(find("house").value) ?? HOUSES[0];
  find("number").value = pockets[chance(pockets.length)];
  takeForm();
  settle();
});
find("share").addEventListener("click", async () => {
  takeForm();
  history.replaceState(null, "", address());
  try {
    await navigator.clipboard.writeText(location.href);
    find("shared").textContent = say("copied");
  } catch {
    find("shared").textContent = say("not_copied");
  }
});
find("article-close").addEventListener("click", () => find("article").close());
NARROW.addEventListener("change", () => settle());
addEventListener("hashchange", () => {
  if (location.hash !== address() && takeAddress()) {
    speak();
    show();
    settle();
  }
});

/** A whole number below another, each as likely as the others. */
function chance(below) {
  const drawn = new Uint32Array(1);
  const fair = 2 ** 32 - (2 ** 32 % below);
  do crypto.getRandomValues(drawn);
  while (drawn[0] >= fair);
  return drawn[0] % below;
}

const spoken = navigator.languages.map((each) => each.slice(0, 2)).find((each) => Object.hasOwn(WORDS, each));
now.language = spoken ?? "en";
fill(find("language"), Object.entries(WORDS).map(([code, { itself }]) => [code, itself]), now.language);
takeAddress();
speak();
show();
settle();
