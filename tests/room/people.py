"""Whoever comes into the room: a browser of his own, whose every complaint is heard."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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
PATIENCE = 15_000
"""Milliseconds that anything on a screen may take on a busy machine."""
GRAVE = ("serious", "critical")


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
        """Leaves a picture of the screen as it is, once there is something on it."""
        self.page.locator("main").wait_for()
        path = SCREENS / f"{name}-{self.size}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=path, animations="disabled", caret="hide")
        return path

    def check_access(self, *, where: str) -> None:
        """Has axe look at the screen: no finding is serious or critical."""
        found = self.findings()
        assert not found, f"{where}:\n" + "\n".join(found)

    def findings(self) -> list[str]:
        """What axe finds that would shut somebody out; an empty screen shuts nobody out."""
        self.page.locator("main").wait_for()
        self.page.evaluate(AXE.read_text("utf-8"))
        told: dict[str, Any] = self.page.evaluate(
            "() => axe.run(document, {resultTypes: ['violations']})"
        )
        return [
            f"{each['impact']} {each['id']}: {each['help']}\n    "
            + "\n    ".join(f"{node['target']} {node['html'][:160]}" for node in each["nodes"][:5])
            for each in told["violations"]
            if each["impact"] in GRAVE
        ]

    def kept_token(self) -> str:
        """The player's token, as his browser keeps it."""
        kept: str = self.page.evaluate("() => localStorage.getItem('novamas.player')")
        return str(json.loads(kept)["token"])

    def leave(self) -> None:
        """Closes the browser's window."""
        self.context.close()
