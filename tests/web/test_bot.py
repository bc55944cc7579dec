"""`nv.connect`: a seat at a running house, without a line of asyncio."""

from __future__ import annotations

import asyncio
import itertools
import sys
import threading
from collections.abc import Iterator

import pytest

import novamas as nv
from novamas.table.refusals import RefusalReason
from scripts.ledger import ROOT
from tests.web.serving import Served, opened_by

pytestmark = pytest.mark.slow
HURRIED = ROOT / "tests" / "web" / "hurried_house.py"


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    """A local house that deals quickly."""
    with opened_by([sys.executable, str(HURRIED)]) as opened:
        yield opened


def test_a_bot_plays_by_a_function_and_leaves_no_thread_behind(house: Served) -> None:
    before = threading.active_count()
    asked: list[nv.Seat] = []

    def strategy(seat: nv.Seat) -> str | None:
        asked.append(seat)
        return "rojo:200" if len(asked) == 1 else None

    with nv.connect(house.url, "es", "bea") as seat:
        seat.buy(10_000)
        first, second = seat.play(strategy, coups=2)
    assert (first.net in (-200, 0, 200), second.coup) == (True, first.coup + 1)
    assert asked == [seat, seat]
    assert threading.active_count() == before


def test_what_the_house_refuses_is_raised_with_its_rule(house: Served) -> None:
    with nv.connect(house.url, "bg", "carla") as seat:
        with pytest.raises(nv.TableRefusedError, match=r"^amount: 150: not whole chips") as raised:
            seat.buy(150)
        assert raised.value.refusal.why.value == "not_whole_chips"
        with pytest.raises(nv.NotationError):
            seat.stake("rad:100")


def test_a_table_that_is_not_there_is_told_and_leaves_no_thread_behind(house: Served) -> None:
    before = threading.active_count()
    with (
        pytest.raises(nv.NovamasError, match="refuses the connection"),
        nv.connect(house.url, "nowhere", "dora"),
    ):
        pass
    assert threading.active_count() == before


def test_a_token_of_nobody_is_told(house: Served) -> None:
    with (
        pytest.raises(nv.NovamasError, match="refuses the connection"),
        nv.connect(house.url, "es", "eva", token="nobody's"),  # noqa: S106 - it opens nothing
    ):
        pass


def test_a_house_that_does_not_answer_in_time_is_told(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never() -> int:
        forever: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        return await forever

    with nv.connect(house.url, "it", "fina") as seat:
        monkeypatch.setattr(seat, "_ended", never)
        monkeypatch.setattr(seat, "_patience", 0.01)
        with pytest.raises(nv.NovamasError, match=r"did not answer within 0\.01 seconds"):
            seat.wait()
        monkeypatch.undo()


def test_a_bet_that_comes_too_late_is_laid_in_the_next_coup(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Coups for which all bets came too late do not count."""
    late = nv.TableRefusedError(nv.Refusal(RefusalReason.BETTING_IS_CLOSED))
    with nv.connect(house.url, "ar", "gala") as seat:
        seat.buy(1_000)
        stake, tries = seat.stake, itertools.count()

        def hesitating(bets: str) -> None:
            if next(tries) < 2:
                raise late
            stake(bets)

        monkeypatch.setattr(seat, "stake", hesitating)
        (coup,) = seat.play("red:200", coups=1)
    assert coup.net in (-200, 200)
    assert next(tries) >= 3
