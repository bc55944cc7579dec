"""The full screen as Textual draws it: keys, mouse and a new size reach the table."""

import asyncio
from collections.abc import Awaitable, Callable
from unittest import mock

import pytest
from textual.pilot import Pilot

from novamas.cli.fullscreen.app import TableApp
from novamas.cli.fullscreen.table_view import Phase, TableView
from novamas.game.cloth import SPOTS
from tests.cli.seated import lying, phase, seated

SIZES = [(60, 40), (80, 24), (120, 40), (200, 60)]
Scene = Callable[[TableApp, Pilot[None]], Awaitable[None]]


def played(view: TableView, size: tuple[int, int], scene: Scene, *, colour: bool = True) -> None:
    """Runs the full screen without a terminal while a scene is played."""

    async def run() -> None:
        app = TableApp(view, colour=colour)
        async with app.run_test(size=size) as pilot:
            await scene(app, pilot)

    asyncio.run(run())


def rows(app: TableApp, name: str) -> str:
    return app._rows[name].text


def is_shown(app: TableApp, name: str) -> bool:
    return app._rows[name].display


@pytest.mark.parametrize("size", SIZES)
def test_a_coup_is_played_with_keys_in_every_size(size: tuple[int, int]) -> None:
    view = seated("es", colour=True)

    async def scene(app: TableApp, pilot: Pilot[None]) -> None:
        assert app._cloth.size.height >= view.arrangement.cloth_rows
        assert rows(app, "beside").count("300") == (size[0] >= 120)
        await pilot.press("right", "3", "space")
        beside = "17/18" if view.arrangement.grid.size.upright else "17/20"
        assert lying(view) == {beside: 50}
        assert "●" in app._cloth.text
        await pilot.press(*"red", "colon", *"50", "enter")
        assert lying(view)["red"] == 50
        await pilot.press("enter")
        assert view.fallen is not None
        assert f"[{view.fallen.number}]" in app._cloth.text
        assert "You " in rows(app, "messages")

    played(view, size, scene)


def test_tab_completes_instead_of_leaving_the_line() -> None:
    view = seated("it")

    async def scene(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.press(*"vois", "tab", *"90", "space", *"red", "colon", *"50", "enter")
        assert lying(view) == {"voisins": 90, "red": 50}
        assert "vicini dello zero ●90" in rows(app, "waiting")

    played(view, (80, 24), scene, colour=False)


def test_a_new_size_turns_the_cloth() -> None:
    view = seated("sd")

    async def scene(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.press("space")
        await pilot.resize_terminal(60, 40)
        await pilot.pause()
        assert view.arrangement.grid.size.upright
        assert "17●10" in app._cloth.text
        assert not is_shown(app, "beside")
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert is_shown(app, "beside")
        assert "00" in rows(app, "beside")

    played(view, (80, 24), scene)


def test_the_mouse_lays_and_takes_back() -> None:
    view = seated("ar")

    async def scene(app: TableApp, pilot: Pilot[None]) -> None:
        row, column = view.arrangement.grid.anchors(SPOTS["17/20"])[0]
        at = (column + app._cloth.left, row)
        await pilot.hover("#cloth", offset=at)
        assert view.cursor.place.spot.name == "17/20"
        await pilot.click("#cloth", offset=at)
        assert lying(view) == {"17/20": 10}
        await pilot.click("#cloth", offset=at, button=3)
        assert lying(view) == {}

    played(view, (80, 24), scene)


def test_the_ball_runs_until_a_key_ends_it() -> None:
    view = seated("ar", waits=True)

    async def scene(app: TableApp, pilot: Pilot[None]) -> None:
        with mock.patch.object(app, "wait_for_ball"):
            await pilot.press("enter")
        assert phase(view) is Phase.BALL
        assert "▸" in rows(app, "spot")
        assert "skips the wait" in rows(app, "keys")
        await pilot.press(*"17", "colon")
        assert phase(view) is Phase.BETTING
        assert rows(app, "line").startswith("> 17:")
        assert len(view.numbers) == 1

    played(view, (80, 24), scene)


def test_the_ball_comes_to_rest_by_itself() -> None:
    view = seated("ar", waits=True)

    async def scene(app: TableApp, pilot: Pilot[None]) -> None:
        def at_once(_seconds: float) -> None:
            app.call_next(app._roll)

        with mock.patch.object(app, "wait_for_ball", at_once):
            await pilot.press("enter")
            while phase(view) is Phase.BALL:
                await pilot.pause()
        assert len(view.numbers) == 1
        assert f"[{view.numbers[0]}]" in app._cloth.text

    played(view, (80, 24), scene)


@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+q", "ctrl+d"])
def test_the_usual_keys_leave(key: str) -> None:
    async def scene(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        assert app._exit

    played(seated("ar"), (80, 24), scene)


def test_a_page_covers_the_cloth_until_it_is_closed() -> None:
    async def scene(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        assert not app._cloth.display
        assert "move over the spots" in rows(app, "over")
        await pilot.press("escape")
        assert app._cloth.display

    played(seated("ar"), (80, 24), scene)


@pytest.mark.parametrize("house", ["es", "sd"])
def test_the_cloth_is_drawn_without_colours_too(house: str) -> None:
    async def scene(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.pause()
        for strip in (app._cloth.render_line(row) for row in range(app._cloth.size.height)):
            for segment in strip:
                assert segment.style is None or segment.style.color is None
        assert "◆36" in app._cloth.text

    played(seated(house), (80, 24), scene, colour=False)
