// The widget that shows coups in a notebook: a slider goes through them. It shows what Python has made:
// the cloths and explanations are escaped there, and nothing is fetched.

function element(name, className, parent) {
  const made = document.createElement(name);
  made.className = className;
  parent.append(made);
  return made;
}

function signed(amount) {
  return amount > 0 ? `+${amount}` : String(amount);
}

function render({ model, el }) {
  const coups = model.get("coups");
  const root = element("section", "novamas-coups", el);
  root.setAttribute("aria-label", "coups");
  const bar = element("div", "novamas-bar", root);
  const back = element("button", "novamas-back", bar);
  back.textContent = "◀";
  back.setAttribute("aria-label", "coup before");
  const slider = element("input", "novamas-slider", bar);
  Object.assign(slider, { type: "range", min: 0, max: coups.length - 1, step: 1 });
  slider.setAttribute("aria-label", "coup");
  const on = element("button", "novamas-on", bar);
  on.textContent = "▶";
  on.setAttribute("aria-label", "next coup");
  const where = element("output", "novamas-where", bar);
  const head = element("p", "novamas-head", root);
  head.setAttribute("aria-live", "polite");
  const cloth = element("div", "novamas-cloth", root);
  const net = element("p", "novamas-net", root);
  const why = element("div", "novamas-why", root);

  function go(place) {
    model.set("place", Math.max(0, Math.min(place, coups.length - 1)));
    model.save_changes();
  }

  function show() {
    const place = model.get("place");
    const coup = coups[place];
    slider.value = place;
    slider.setAttribute("aria-valuetext", `${place + 1}: ${coup.number}`);
    where.textContent = `${place + 1} / ${coups.length}`;
    head.replaceChildren();
    element("b", "novamas-number", head).textContent = coup.number;
    element("span", "novamas-call", head).textContent = coup.call;
    cloth.innerHTML = coup.cloth;
    net.textContent = coup.net.map(([player, won]) => `${player} ${signed(won)}`).join(", ");
    why.innerHTML = coup.why.join("");
    back.disabled = place === 0;
    on.disabled = place === coups.length - 1;
  }

  slider.addEventListener("input", () => go(Number(slider.value)));
  back.addEventListener("click", () => go(model.get("place") - 1));
  on.addEventListener("click", () => go(model.get("place") + 1));
  model.on("change:place", show);
  show();
  return () => model.off("change:place", show);
}

export default { render };
