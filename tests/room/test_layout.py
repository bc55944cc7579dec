"""The table at every size of screen: nothing is cut off, nothing overlaps, in any language.

The page measures itself. Its size and its language change while it stays open, so that one visit
to each kind of cloth sees them all.
"""

from __future__ import annotations

from typing import Any

import pytest

from novamas.rulebooks import HOUSES
from tests.promises.figures import SOAK
from tests.promises.running import Running
from tests.room.conftest import Deal, Visit
from tests.room.playing import Player

LANGUAGES = ["en", "fr", "it", "bg", "es"]
SIZES = ((1280, 720), (1366, 768), (1440, 900), (2560, 1300), (1024, 768), (844, 390), (390, 844))
USED = 0.5
"""The share of a very wide screen that the cloth takes."""
UNDER_SETTINGS = "dialog, dialog::backdrop { opacity: 0 }"
"""The settings stay open, so that a language is one click away; what is below them is measured."""
MEASURE = """async (languages) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const measured = {};
    while (document.querySelector("main").clientHeight !== innerHeight) await frame();
    for (const language of languages) {
        document.querySelector(`dialog[open] [lang="${language}"]`).click();
        while (document.documentElement.lang !== language) await frame();
        // The cloth takes a frame to learn its room, and another to be drawn for it.
        for (let waited = 0; waited < 3; waited++) await frame();
        measured[language] = measure();
    }
    return measured;

    function measure() {
        const found = [];
        const wide = document.documentElement.scrollWidth;
        if (wide > innerWidth) found.push(`the page is ${wide} px wide`);
        const parts = ["header", ".tabs", ".right .purse", ".rail", ".track", "nav.bar"];
        const watched = parts.flatMap((part) => [...document.querySelectorAll(`main ${part}`)]);
        // What is there for a screen reader alone is not drawn.
        const said = (node) => getComputedStyle(node).clipPath === "inset(50%)";
        const shown = (node) => {
            for (let each = node; each; each = each.parentElement) if (said(each)) return false;
            return node.checkVisibility();
        };
        const named = (node) => {
            const text = node.textContent.trim() || node.getAttribute?.("aria-label");
            const near = node.closest ? node : node.parentElement;
            const part = parts.find((each) => near.closest(each));
            return `“${(text || node.tagName).slice(0, 40)}” in ${part}`;
        };
        // How much of a rectangle is cut off by the screen, or by a box that hides what sticks out.
        const cut = (rect, node) => {
            let worst = 0;
            const within = (box) => {
                worst = Math.max(worst, box.left - rect.left, rect.right - box.right,
                    box.top - rect.top, rect.bottom - box.bottom);
            };
            within({left: 0, top: 0, right: innerWidth, bottom: innerHeight});
            for (let each = node; each && each !== document.body; each = each.parentElement) {
                const {overflowX, overflowY} = getComputedStyle(each);
                if (overflowX !== "visible" || overflowY !== "visible")
                    within(each.getBoundingClientRect());
            }
            return worst;
        };
        const texts = [];
        const boxes = [];
        for (const part of watched) {
            const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const node = walker.currentNode;
                const parent = node.parentElement;
                if (!node.data.trim() || !shown(parent) || parent.closest("svg")) continue;
                const range = document.createRange();
                range.selectNodeContents(node);
                for (const rect of range.getClientRects()) {
                    // The bar of a letter that reaches below its line is no text that is lost.
                    const slack = 3;
                    if (cut(rect, parent) > slack)
                        found.push(`${named(node)}: ${Math.round(cut(rect, parent))} px cut off`);
                    const box = parent.closest("button, .button, label, dd, a");
                    const own = box?.getBoundingClientRect();
                    if (own && (rect.left < own.left - 1 || rect.right > own.right + 1))
                        found.push(`${named(node)} sticks out of its box`);
                    texts.push({rect, node});
                }
            }
            for (const node of part.querySelectorAll("button, a, label, .strip, svg")) {
                const isDrawnOnIt = node.matches("svg") && node.closest("button, a, label");
                if (!shown(node) || isDrawnOnIt) continue;
                const rect = node.getBoundingClientRect();
                if (cut(rect, node) > 2)
                    found.push(`${named(node)}: ${Math.round(cut(rect, node))} px of it cut off`);
                // Beside the round ends of the racetrack its picture is empty.
                if (!node.matches("svg")) boxes.push({rect, node});
            }
        }
        const cloth = document.querySelector("main .cloth");
        const lying = cloth.getBoundingClientRect();
        if (cut(lying, cloth) > 2)
            found.push(`the cloth: ${Math.round(cut(lying, cloth))} px cut off`);
        const overlaps = (one, other) =>
            Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1.5 &&
            Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3.5;
        const all = [...texts, ...boxes];
        all.forEach((one, at) => {
            for (const other of all.slice(at + 1))
                if (
                    !one.node.contains(other.node) && !other.node.contains(one.node) &&
                    overlaps(one.rect, other.rect)
                )
                    found.push(`${named(one.node)} overlaps ${named(other.node)}`);
        });
        return {found: [...new Set(found)], cloth: lying.width / innerWidth};
    }
}"""
"""What is wrong on the screen, in words, and how large what matters is."""


SAMPLE = ("es", "it", "fram", "bg")
"""The kinds of cloth; in the soak it is every house, and more sizes."""
BOOKS = tuple(HOUSES) if SOAK else SAMPLE
MORE_SIZES = ((1280, 800), (1920, 1080), (800, 1280), (667, 375), (360, 740)) if SOAK else ()


@pytest.mark.parametrize("rulebook", BOOKS)
def test_nothing_is_cut_off_or_overlaps_at_any_size_in_any_language(
    rulebook: str, house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, f"salle privée {rulebook}", rulebook)
    dealer.seat(f"Мария-Антоанета {rulebook}")
    ana = Player(visit(house), dealer.table)
    ana.be_seated(f"Maximiliano {rulebook}", 654_300)
    for on, amount in (("17", 1000), ("17/20", 1000), ("red", 5000), ("d2", 5000)):
        dealer.lay(ana.name, on, amount)
        ana.expect_stake(on)
    ana.page.get_by_role("button", name="Settings").click()
    ana.page.add_style_tag(content=UNDER_SETTINGS)
    wrong: list[str] = []
    for width, height in (*SIZES, *MORE_SIZES):
        ana.page.set_viewport_size({"width": width, "height": height})
        measured: dict[str, Any] = ana.page.evaluate(MEASURE, LANGUAGES)
        for language, told in measured.items():
            where = f"{language} {width}x{height}"
            wrong += [f"{where}: {each}" for each in told["found"]]
            if width > 2000 and told["cloth"] < USED:
                wrong.append(f"{where}: the cloth takes {told['cloth']:.0%} of the width")
        if rulebook == "it":
            ana.visitor.shoot(f"layout-{rulebook}-{width}x{height}")
    assert not wrong, "\n".join(wrong)
