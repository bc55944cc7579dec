"""The widget that shows coups, in a browser as in a notebook; nothing is served for it."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Browser, expect

import novamas as nv
from novamas.api import widget_class
from tests.room.people import PATIENCE

SOURCES = Path(widget_class.__file__).parent
PAGE = """<!doctype html><style>{css}</style><div id="here"></div><script type="module">
const state = {{ coups: {coups}, place: 0 }}, heard = [];
const model = {{
  get: (name) => state[name],
  set: (name, value) => {{ state[name] = value; for (const each of heard) each(); }},
  save_changes: () => {{ window.saved = state.place; }},
  on: (_, each) => heard.push(each), off: () => {{}},
}};
{script}
render({{ model, el: document.getElementById("here") }});
</script>"""


def test_slider_and_buttons_go_from_coup_to_coup(browser: Browser, tmp_path: Path) -> None:
    table = nv.Table("es", players={"ana": 100, "luis": 100})
    list(table.play({"ana": "red:10", "luis": "17:5"}, numbers=[0, 17, 4]))
    script = (SOURCES / "widget.js").read_text("utf-8").replace("export default { render };", "")
    page_file = tmp_path / "coups.html"
    coups = json.dumps(nv.widget(table).coups).replace("<", "\\u003c")
    css = (SOURCES / "widget.css").read_text("utf-8")
    page_file.write_text(PAGE.format(css=css, coups=coups, script=script), "utf-8")
    page = browser.new_page()
    try:
        page.set_default_timeout(PATIENCE)
        page.goto(page_file.as_uri())
        where, number = page.locator(".novamas-where"), page.locator(".novamas-number")
        expect(where).to_have_text("1 / 3", timeout=PATIENCE)
        expect(number).to_have_text("0")
        expect(page.get_by_role("button", name="coup before")).to_be_disabled()
        page.get_by_role("button", name="next coup").click()
        expect(number).to_have_text("17", timeout=PATIENCE)
        expect(page.locator(".novamas-net")).to_have_text("ana -20, luis +175")
        expect(page.locator(".novamas-cloth svg")).to_be_visible()
        page.get_by_role("slider", name="coup").press("ArrowRight")
        expect(where).to_have_text("3 / 3", timeout=PATIENCE)
        expect(page.get_by_role("button", name="next coup")).to_be_disabled()
        assert page.evaluate("window.saved") == 2
    finally:
        page.close()
