"""The playground of the documentation: Python runs in the page, and no other host is asked.

The page is built by Sphinx as `make docs` builds it, without the other pages, and served by
Python's own web server. Python is loaded once for all tests here.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import novamas as nv
from novamas.drawing.layout import layout
from novamas.drawing.svg import view_of
from scripts.playground import PYODIDE
from tests.room.people import AXE, PATIENCE, ROOT, SCREENS, SIZES

STAKES = "ana 17:5 14/17:10 red:50\nluis 17/20:4"
FINDINGS = """async () => {
    const told = await axe.run(document, {resultTypes: ["violations"]});
    const ours = document.querySelector("[role=main]");
    return told.violations.flatMap(({impact, id, nodes}) => nodes
        .map(({target, html}) => ({html, inside: ours.contains(document.querySelector(target[0]))}))
        .filter(({inside}) => inside || ["serious", "critical"].includes(impact))
        .map(({html}) => `${impact} ${id}: ${html.slice(0, 160)}`));
}"""
"""What axe finds on the page, however slight; around it, in what the theme makes, what is grave."""


class Quiet(SimpleHTTPRequestHandler):
    """Files, without a line for each."""

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002 - its name there.


class Server(ThreadingHTTPServer):
    """A server that a browser may leave in the middle of a file."""

    def handle_error(self, request: object, client_address: object) -> None: ...


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page and what it loads, as the site has them."""
    if not PYODIDE.is_dir():
        pytest.fail("Pyodide is not installed: scripts/site tools")
    folder = tmp_path_factory.mktemp("site")
    (folder / "docs").mkdir()
    (folder / "playground").symlink_to(ROOT / "playground")
    shutil.copyfile(ROOT / "docs" / "playground.md", folder / "docs" / "playground.md")
    (folder / "docs" / "index.md").write_text(
        "# Site\n\n```{toctree}\n:caption: Tutorial\n\nplayground\n```\n", "utf-8"
    )
    # Links to the pages that are left out are not resolved, and that is all that it says.
    subprocess.run(
        [
            *(sys.executable, "-m", "sphinx", "-Q", "-b", "html", "-c", str(ROOT / "docs")),
            *(str(folder / "docs"), str(folder / "html")),
        ],
        check=True,
        cwd=ROOT,
        timeout=300,
    )
    return folder / "html"


@pytest.fixture(scope="module")
def url(built: Path) -> Iterator[str]:
    server = Server(("127.0.0.1", 0), partial(Quiet, directory=str(built)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/playground.html"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def page(browser: Browser, url: str) -> Iterator[Page]:
    """The page with its first coup, which came with the link; what leaves the site is stopped."""
    left: list[str] = []
    wrong: list[str] = []
    context = browser.new_context(
        viewport=SIZES["wide"],  # type: ignore[arg-type]
        locale="en-GB",
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)

    def guard(route: Route) -> None:
        if route.request.url.startswith(url.rpartition("/")[0]):
            route.continue_()
        else:
            left.append(route.request.url)
            route.abort()

    context.route("**/*", guard)
    opened = context.new_page()
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.goto(f"{url}#house=ar&number=17&stakes={quote(STAKES)}&language=en")
    # The form can be written in while Python is on its way.
    expect(opened.get_by_label("Stakes, a line")).to_have_value(STAKES)
    expect(opened.locator("#pg-status")).to_be_visible()
    # Python takes seconds of a processor's time, and a busy machine has few to give.
    first = "17: Negro el diecisiete. ana +295, luis +68."
    expect(opened.locator("#pg-status")).to_have_text(first, timeout=3 * PATIENCE)
    yield opened
    context.close()
    assert left == []
    assert wrong == []


def play(page: Page, **fields: str) -> None:
    """Opens what a link says, in the page that is there."""
    said = {"house": "ar", "number": "17", "stakes": STAKES, "language": "en", **fields}
    address = "&".join(f"{name}={quote(value)}" for name, value in said.items())
    page.evaluate(
        "(to) => { document.getElementById('pg-status').textContent = ''; location.hash = to; }",
        address,
    )


def told(page: Page, text: str) -> None:
    expect(page.locator("#pg-status")).to_contain_text(text)


def test_a_coup_is_settled_with_its_articles_one_click_away(page: Page) -> None:
    play(page, number="0 17")
    told(page, "17: Negro el diecisiete")
    play(page)
    told(page, "ana +295, luis +68")
    coups = page.locator("#pg-coups")
    expect(coups.get_by_role("heading", name="17 · «Negro el diecisiete»")).to_be_visible()
    expect(coups.locator("svg[role=img]")).to_have_count(1)
    expect(coups.locator("svg[role=img]")).to_be_visible()
    paid = coups.get_by_role("group", name="Paid from the spool, in this order")
    expect(paid.get_by_role("row").nth(2)).to_contain_text("350 = 10 × 35; 10 chips stay")
    expect(coups).to_contain_text(
        "ana: 10 × semipleno → 5 × pleno, 5 to the bank (AR-24.b, AR-27.a)"
    )
    expect(coups).to_contain_text(
        "10 on semipleno 14/17; 17 came up. It covers 17 and pays 17 to 1"
    )

    article = coups.get_by_role("button", name="AR-24.b")
    article.click()
    dialog = page.get_by_role("dialog", name="AR-24.b · Argentina")
    summary = nv.load("ar").article("AR-24.b").summary
    expect(dialog.locator("[lang=en]")).to_have_text(summary["en"])
    expect(dialog.locator("[lang=es]")).to_have_text(summary["es"])
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(article).to_be_focused()


def test_a_click_on_the_cloth_lays_a_bet_there(page: Page) -> None:
    play(page, stakes="ana red:10")
    told(page, "ana -10")
    cloth = page.locator("#pg-coups svg[role=img]")
    drawn = layout(nv.load("ar"))
    view = view_of(drawn, "landscape")
    stakes = page.get_by_label("Stakes, a line")
    for spot, laid in (("17", "17:10"), ("17/20", "17:10 17/20:10"), ("17", "17:20 17/20:10")):
        point = view.point(drawn.points(nv.spot(spot))[0])
        box = cloth.bounding_box()
        assert box is not None
        scale = box["width"] / float((cloth.get_attribute("viewBox") or "").split()[2])
        cloth.click(position={"x": point.x * scale, "y": point.y * scale})
        expect(stakes).to_have_value(f"ana red:10 {laid}")
        number = nv.settle("ar", 17, f"ana red:10 {laid}").net["ana"]
        told(page, f"ana +{number:,}")


def test_all_houses_are_compared_and_the_odds_are_fractions(page: Page) -> None:
    play(page, house="es", number="00", stakes="joe 00:2 red:10")
    told(page, "expected a whole number from 0 to 36, not '00'")
    play(page, house="fram", number="00", stakes="joe 00:2 red:10")
    told(page, "joe +60")
    expect(page.get_by_label("Player", exact=True)).to_be_hidden()
    rows = page.locator("#pg-elsewhere tbody tr")
    expect(rows).to_have_count(len(nv.houses()))
    expect(rows.filter(has_text="South Dakota")).to_contain_text("+60")
    expect(rows.filter(has_text="Bulgaria")).to_contain_text("expected a whole number from 0 to 36")
    worth = page.locator("#pg-worth")
    expect(worth).to_contain_text("1/19")
    expect(worth.get_by_role("row").filter(has_text="Bulgaria")).to_contain_text(
        "does not offer 00"
    )

    play(page, house="es", number="0", stakes="ana 17:5\nbea red:10")
    told(page, "bea 0")
    page.get_by_label("Player", exact=True).select_option("bea")
    page.get_by_label("After zero").select_option("half")
    expect(worth.get_by_role("row").filter(has_text="the house keeps").first).to_contain_text(
        "1/74"
    )
    page.get_by_label("After zero").select_option("prison")
    expect(worth).to_contain_text(str(nv.odds("es", "red:10").edge))


def test_the_page_and_its_answers_speak_five_languages(page: Page) -> None:
    play(page, house="es", number="0", stakes="ana rojo:50")
    told(page, "ana 0")
    for language in ("es", "it", "fr", "bg", "en"):
        page.locator("#pg-language").select_option(language)
        why = nv.settle("es", 0, "ana rojo:50").explanations(language=language)[0][1]
        expect(page.locator("#pg-coups")).to_contain_text(" ".join(why.sentences))
        expect(page.locator("#pg-root")).to_have_attribute("lang", language)
    expect(page.get_by_role("button", name="Settle")).to_be_visible()


def test_a_fault_is_told_where_it_is_and_the_keyboard_is_enough(page: Page) -> None:
    play(page)
    told(page, "ana +295, luis +68")
    stakes = page.get_by_label("Stakes, a line")
    stakes.fill("ana red:5\nluis 17/22:4")
    stakes.press("Control+Enter")
    expect(stakes).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#pg-stakes-fault")).to_contain_text("17 and 22 do not touch")
    expect(stakes).to_be_focused()
    chosen = "(field) => field.value.slice(field.selectionStart, field.selectionEnd)"
    assert stakes.evaluate(chosen) == "22"
    told(page, "That cannot be played")
    expect(page.locator("#pg-answer")).to_be_hidden()

    page.keyboard.type("20")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#pg-answer")).to_be_visible()
    expect(stakes).not_to_have_attribute("aria-invalid", "true")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Number", exact=True)).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("99")
    page.keyboard.press("Enter")
    expect(page.locator("#pg-number-fault")).to_contain_text("not 99")
    expect(page.get_by_label("Number", exact=True)).to_be_focused()


def test_a_link_from_anywhere_is_a_text_and_nothing_else(page: Page) -> None:
    hostile = "<img src=x onerror=window.hurt=1>"
    play(page, stakes=f"{hostile}:5", language="constructor")
    told(page, "That cannot be played: expected a player's name")
    play(page, house=hostile, number=hostile, winning=hostile, choice=hostile, player=hostile)
    told(page, "That cannot be played: expected one of ar, es")
    assert page.locator("#pg-root img").count() == 0
    assert page.evaluate("window.hurt") is None


def test_a_link_holds_everything_and_the_page_works_without_a_network(page: Page) -> None:
    page.context.set_offline(True)
    try:
        play(page, house="es", number="0 12", stakes="ana rojo:50", winning="cloth", chip="5")
        told(page, "12: doce, rojo, par y falta. ana 0")
        expect(page.get_by_role("heading", name="0 · «cero»")).to_be_visible()
        expect(page.get_by_label("What a chip is worth")).to_have_value("5")
        page.get_by_role("button", name="Spin").click()
        expect(page.locator("#pg-coups h3")).to_have_count(1)
        drawn = int(page.get_by_label("Number", exact=True).input_value())
        assert drawn in nv.load("es").wheel.pockets
        assert page.evaluate("new URLSearchParams(location.hash.slice(1)).get('number')") == str(
            drawn
        )
    finally:
        page.context.set_offline(False)


@pytest.mark.parametrize(("size", "scheme"), [("wide", "light"), ("phone", "dark")])
def test_nothing_shuts_anybody_out(page: Page, size: str, scheme: str) -> None:
    page.set_viewport_size(SIZES[size])  # type: ignore[arg-type]
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    play(page, house="es", number="0 12", stakes="ana rojo:50 17:5\nbea falta:10")
    told(page, "12: doce")
    page.evaluate(AXE.read_text("utf-8"))
    assert page.evaluate(FINDINGS) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    SCREENS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENS / f"playground-{size}.jpg", type="jpeg", full_page=True)


def test_python_that_cannot_be_loaded_is_told(browser: Browser, url: str) -> None:
    opened = browser.new_page()
    try:
        opened.set_default_timeout(PATIENCE)
        opened.route("**/pyodide.asm.mjs", lambda route: route.abort())
        opened.goto(f"{url}#house=ar&stakes=ana+17:5&language=en")
        told(opened, "Something went wrong")
        expect(opened.locator("#pg-answer")).to_be_hidden()
        expect(opened.get_by_label("Stakes, a line")).to_have_value("ana 17:5")
    finally:
        opened.close()


def test_the_page_says_how_much_is_loaded(built: Path) -> None:
    loaded = sum(
        path.stat().st_size for path in (built / "playground").rglob("*") if path.is_file()
    )
    words = json.loads((built / "playground" / "words.json").read_text("utf-8"))
    size = f"{loaded / 1e6:.0f} M"
    assert all(size in said["loading_python"].replace("\u00a0", " ") for said in words.values())


def test_opened_as_a_file_the_page_says_how_to_serve_it(browser: Browser, built: Path) -> None:
    opened = browser.new_page()
    try:
        opened.goto((built / "playground.html").as_uri())
        expect(opened.get_by_text("This page was opened as a file")).to_be_visible()
        expect(opened.get_by_role("button", name="Settle")).to_be_hidden()
    finally:
        opened.close()
