"""The room as it is served: one page for every address, what it loads, and nothing besides."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from novamas.drawing.picture import picture
from novamas.house.people.events import Post as Role
from novamas.web.app import SAFE_HEADERS
from novamas.web.static_files import FOR_EVER, KINDS, Preview, StaticFiles
from tests.web.coups import lay, seat, spin
from tests.web.door import Door, open_door, run

PAGE = '<!doctype html><script type="module" src="/room/assets/index-AbC_12-9.js"></script>'


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A room as Vite builds one, with a secret beside it."""
    folder = tmp_path / "room"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "assets" / "index-AbC_12-9.js").write_text("export {};")
    (folder / "assets" / "noto-Zx9_12-a.woff2").write_bytes(b"wOF2")
    (folder / "icon.svg").write_text("<svg/>")
    (folder / "notes.py").write_text("secret = 1")
    (tmp_path / "secret.txt").write_text("secret")
    return folder


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/t/es",
        "/t/nothing",
        "/t/the%20first",
        "/t/es/coup/3",
        "/book/it",
        "/compare/fr/es",
        "/console?key=x",
    ],
)
@run
async def test_every_address_of_a_person_is_the_one_page(path: str, room: Path) -> None:
    async with open_door(room=room) as door:
        answer = await door.http.get(path)
        assert answer.status_code == 200
        assert answer.text == PAGE
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        check_policy(answer.headers["content-security-policy"])


@run
async def test_the_page_of_a_coup_tells_its_number_and_its_call_to_whoever_previews_the_link(
    room: Path,
) -> None:
    head = "<!doctype html><head><title>novamas</title></head>"
    (room / "index.html").write_text(head)
    async with open_door(room=room) as door:
        await door.set_up("t", "it")
        await seat(door, "ana")
        await lay(door, "ana", n17=100)
        await spin(door, 32)
        shared = (await door.http.get("/t/t/coup/1")).text
        assert "<title>32 · Casinò di Venezia · novamas</title>" in shared
        assert 'property="og:title" content="32 · Casinò di Venezia · novamas"' in shared
        for name in ('name="description"', 'property="og:description"'):
            assert f'<meta {name} content="trente-deux, rouge, pair et passe.">' in shared
        assert "ana" not in shared
        image = re.search(r'property="og:image" content="([^"]+)"', shared)
        assert image is not None
        assert image[1] == f"{str(door.http.base_url).rstrip('/')}/t/t/coup/1/picture.png"
        drawn = await door.http.get(image[1])
        assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/png")
        assert drawn.content == picture((0,), 32)
        missing = await door.http.get("/t/t/coup/2/picture.png")
        assert (missing.status_code, missing.json()["why"]) == (404, "number_not_called")
        for path in ("/t/t/coup/2", "/t/t/coup/x", "/t/none/coup/1", f"/t/t/coup/{10**20}"):
            assert (await door.http.get(path)).text == head


@run
async def test_the_lobby_and_every_table_have_a_title_and_a_picture_for_whoever_previews_the_link(
    room: Path,
) -> None:
    head = "<!doctype html><head><title>novamas</title></head>"
    (room / "index.html").write_text(head)
    async with open_door(room=room) as door:
        await door.set_up("the first", "fram")
        await door.set_up("it", "it")
        for path, title, told, drawn, zeros in (
            ("/", "novamas", "every table plays by its own rulebook", "/picture.png", (0,)),
            (
                "/t/the%20first",
                "the first · France, American roulette · novamas",
                "with 38 pockets",
                "/t/the%20first/picture.png",
                (0, "00"),
            ),
            ("/t/it", "Casinò di Venezia · novamas", "37 pockets", "/t/it/picture.png", (0,)),
        ):
            shown = (await door.http.get(path)).text
            assert f"<title>{title}</title>" in shown
            assert f'property="og:title" content="{title}"' in shown
            assert re.search(f'property="og:description" content="[^"]*{told}', shown)
            address = str(door.http.base_url).rstrip("/") + drawn
            assert f'property="og:image" content="{address}"' in shown
            answer = await door.http.get(drawn)
            assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
            assert answer.content == picture(zeros)
        assert (await door.http.get("/t/none")).text == head
        missing = await door.http.get("/t/none/picture.png")
        assert (missing.status_code, missing.json()["why"]) == (404, "no_such_thing")


def test_a_preview_cannot_carry_markup_into_the_page() -> None:
    told = Preview('"><script>', "<b>\\1 & more").head()
    assert "<script>" not in told
    assert 'content="&quot;&gt;&lt;script&gt;"' in told
    assert 'content="&lt;b&gt;\\1 &amp; more"' in told


@run
async def test_a_browser_at_an_unknown_address_gets_the_page_and_a_program_the_reason(
    room: Path,
) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    async with open_door(room=room) as door:
        answer = await door.http.get("/somewhere/else", headers=browser)
        assert (answer.status_code, answer.text) == (404, PAGE)
        check_policy(answer.headers["content-security-policy"])
        for path, headers in (
            ("/somewhere/else", {}),
            ("/api/nothing", browser),
            ("/room/nothing.js", browser),
        ):
            answer = await door.http.get(path, headers=headers)
            assert (answer.status_code, answer.json()["why"]) == (404, "no_such_thing")
        answer = await door.http.post("/somewhere/else", headers=browser)
        assert answer.json()["why"] == "no_such_thing"


def check_policy(policy: str) -> None:
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }


@pytest.mark.parametrize(
    ("name", "kind", "keeps"),
    [
        ("assets/index-AbC_12-9.js", "text/javascript; charset=utf-8", FOR_EVER),
        ("assets/noto-Zx9_12-a.woff2", "font/woff2", FOR_EVER),
        ("icon.svg", "image/svg+xml; charset=utf-8", "no-store"),
        ("index.html", "text/html; charset=utf-8", "no-store"),
    ],
)
@run
async def test_what_the_page_loads(name: str, kind: str, keeps: str, room: Path) -> None:
    async with open_door(room=room) as door:
        answer = await door.http.get(f"/room/{name}")
        assert answer.status_code == 200
        assert answer.content == (room / name).read_bytes()
        assert answer.headers["content-type"] == kind
        assert answer.headers["cache-control"] == keeps
        assert answer.headers["x-content-type-options"] == "nosniff"
        check_policy(answer.headers["content-security-policy"])


@pytest.mark.parametrize(
    "path",
    [
        "",
        "nothing.js",
        "notes.py",
        "assets",
        "assets/",
        "../secret.txt",
        "..%2fsecret.txt",
        "%2e%2e/secret.txt",
        "%2e%2e%2fsecret.txt",
        "assets/..%2f..%2fsecret.txt",
        "..%5csecret.txt",
        "%2fetc/passwd",
        "//etc/passwd",
        "assets/index-AbC_12-9.js%00",
        "assets/index-AbC_12-9.js/",
        "./icon.svg%2f..",
    ],
)
@run
async def test_nothing_else_can_be_asked_for(path: str, room: Path) -> None:
    async with open_door(room=room) as door:
        for asked in (path, unquote(path)):
            status, body = await raw_get(door, f"/room/{asked}")
            assert status == 404
            assert b"secret" not in body
            assert b"root:" not in body


async def raw_get(door: Door, path: str) -> tuple[int, bytes]:
    """Asks for a path as it is; a client of good manners would straighten it first."""
    said: list[dict[str, object]] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, object]) -> None:
        said.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1")],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1),
    }
    await door.app(scope, receive, send)  # type: ignore[arg-type]
    status, body = said[0]["status"], said[1]["body"]
    assert isinstance(status, int)
    assert isinstance(body, bytes)
    return status, body


@run
async def test_the_room_opens_no_table_that_is_not_there_to_programs(room: Path) -> None:
    async with open_door(room=room) as door:
        key = door.people.issue_key("chief", Role.CHIEF)
        shown = await door.http.get("/console", params={"key": key})
        assert key not in shown.text
        assert (await door.http.post("/api/sessions", json={"key": key})).status_code == 201
        assert (await door.http.get("/api/tables/nothing")).status_code == 404
        assert "/room/{name}" not in (await door.http.get("/openapi.json")).text


@run
async def test_where_it_is_not_built_the_plain_pages_say_how_it_is(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    async with open_door(room=tmp_path) as door:
        await door.set_up("t", "bg")
        for path in ("/", "/t/t", "/console"):
            answer = await door.http.get(path)
            assert answer.status_code == 200
            assert "<code>make play</code> builds it" in answer.text
            policy = answer.headers["content-security-policy"]
            assert policy == SAFE_HEADERS["Content-Security-Policy"]
        assert (await door.http.get("/t/nothing")).status_code == 404
        assert (await door.http.get("/room/index.html")).status_code == 404


def test_the_built_room_needs_no_other_kind_of_file() -> None:
    """Where the room is built here, all of it can be served and its page has no script in it."""
    from novamas.web.static_files import BUILT

    screens = StaticFiles.built(BUILT)
    if screens is None:
        pytest.skip("the room has not been built")
    files = [path for path in BUILT.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} <= KINDS.keys()
    page = (BUILT / "index.html").read_text("utf-8")
    assert re.findall(r"<script\b[^>]*>", page)
    for tag in re.findall(r"<script\b[^>]*>[^<]", page):
        assert "src=" in tag
    assert not re.search(r"\son\w+=", page)
