"""People in the room: each has a browser of their own, and every error in it is noted."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    sync_playwright,
)

ROOT = Path(__file__).parents[2]
SCREENS = ROOT / "build" / "screens"
AXE = ROOT / "ui" / "node_modules" / "axe-core" / "axe.min.js"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
SIZES = {"wide": WIDE, "phone": PHONE}
PATIENCE = 60_000
"""Milliseconds that anything on a screen may take, on a machine that is busy or stalls."""
GRAVE = ["serious", "critical"]
GRAVE_FINDINGS = """async (grave) => {
    const light = axe._audit.rules.filter(({impact}) => impact && !grave.includes(impact));
    const rules = Object.fromEntries(light.map(({id}) => [id, {enabled: false}]));
    const told = await axe.run(document, {resultTypes: ["violations"], rules});
    return told.violations
        .filter((each) => grave.includes(each.impact))
        .map(({impact, id, help, nodes}) => ({
            impact, id, help,
            nodes: nodes.slice(0, 5).map(({target, html}) => ({target: String(target), html})),
        }));
}"""
"""What axe finds. To hand over all that it looked at takes as long again as to look.

Rules whose violations are never grave are not run: they would be left out of what is found."""


@cache
def _axe() -> str:
    """The program that looks at a screen as somebody does who cannot see it well."""
    return AXE.read_text("utf-8")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium."""
    found = shutil.which("chromium")
    if found is None:
        raise RuntimeError("chromium is not installed")
    playing: Playwright
    with sync_playwright() as playing:
        browser = playing.chromium.launch(executable_path=found, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visitor:
    """Somebody at a screen."""

    context: BrowserContext
    page: Page
    url: str
    size: str
    complaints: list[str] = field(default_factory=list)
    """What the browser's console said that should not be there."""
    expected: list[re.Pattern[str]] = field(default_factory=list)
    """Complaints that belong to what a test does, such as taking the house away."""

    @cached_property
    def http(self) -> httpx.Client:
        """For what a test asks the house itself, beside the screen."""
        return httpx.Client(base_url=self.url, timeout=PATIENCE / 1000)

    def listen(self) -> None:
        """Hears every error, whoever makes it."""
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("requestfailed", self._failed)
        self.page.on("crash", lambda _: self.complaints.append("the page crashed"))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def _failed(self, request: Request) -> None:
        # A page that is left takes its requests with it.
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"{request.method} {request.url}: {request.failure}")

    def allow(self, *patterns: str) -> None:
        """From now on such a complaint is part of the test."""
        self.expected += [re.compile(pattern) for pattern in patterns]

    @property
    def unexpected(self) -> list[str]:
        """The complaints that no test asked for."""
        return [each for each in self.complaints if not any(p.search(each) for p in self.expected)]

    def go(self, path: str = "/") -> Page:
        """Opens an address of the house."""
        self.page.goto(f"{self.url}{path}")
        return self.page

    def shoot(self, name: str) -> Path:
        """Leaves a picture of the screen, once there is something on it."""
        self.page.locator("main").wait_for()
        return self.shoot_as_it_is(name)

    def shoot_as_it_is(self, name: str) -> Path:
        """Leaves a picture of the screen, whatever is on it."""
        path = SCREENS / f"{name}-{self.size}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        # A PNG takes the browser three times as long, and nobody measures these pictures.
        self.page.screenshot(
            path=path, type="jpeg", quality=90, animations="disabled", caret="hide"
        )
        return path

    def check_access(self, *, where: str) -> None:
        """Has axe look at the screen: no finding is serious or critical."""
        found = self.findings()
        assert not found, f"{where}:\n" + "\n".join(found)

    def findings(self) -> list[str]:
        """What axe finds that would shut somebody out; an empty screen shuts nobody out."""
        self.page.locator("main").wait_for()
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(_axe())
        told: list[dict[str, Any]] = self.page.evaluate(GRAVE_FINDINGS, GRAVE)
        return [
            f"{each['impact']} {each['id']}: {each['help']}\n    "
            + "\n    ".join(f"{node['target']} {node['html'][:160]}" for node in each["nodes"])
            for each in told
        ]

    def kept_token(self) -> str:
        """The player's token, as their browser keeps it."""
        kept: str = self.page.evaluate("() => localStorage.getItem('novamas.player')")
        return str(json.loads(kept)["token"])

    def keep_token(self, token: str, name: str) -> None:
        """Has the browser keep a player's token from the next page on, unless it keeps one."""
        kept = json.dumps({"token": token, "name": name})
        self.context.add_init_script(f"localStorage['novamas.player'] ??= {json.dumps(kept)};")

    def leave(self) -> None:
        """Closes the browser's window."""
        if "http" in vars(self):
            self.http.close()
        self.context.close()
