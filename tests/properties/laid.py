"""Coups drawn at random: what lies on a house's cloth and in its prison when a number comes out."""

from dataclasses import dataclass, fields
from typing import Any

from hypothesis import strategies as st

from novamas.game.announcements import call_of, laid, names
from novamas.game.chips import kinds_for
from novamas.game.cloth import LIMITED, SIMPLE_CHANCES, Spot, SpotClass, spot
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.lines import Settlement
from novamas.game.rulebook.behaviours import ChipKind, Winning
from novamas.game.rulebook.model import Rulebook
from novamas.game.settlement import settle
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Pocket
from novamas.rulebooks import HOUSES, load

PLAYERS = ("ana", "luis", "eva")


@dataclass(frozen=True, repr=False)
class Laid:
    """All that a settlement is made from."""

    book: Rulebook
    pocket: Pocket
    stakes: tuple[Stake, ...]
    prison: tuple[Prisoner, ...] = ()
    limits: Limits = NO_LIMITS
    winning: Winning = Winning.HAND
    last: bool = False

    def __repr__(self) -> str:
        # A rulebook is far too long to be shown with a coup that failed; its id is enough.
        shown = [f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.name != "book"]
        return f"Laid({self.book.id!r}, {', '.join(shown)})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: FBT001 - asked like this.
        printer.text("..." if cycle else repr(self))

    def settle(self) -> Settlement:
        """What becomes of it."""
        return settle(
            self.book,
            self.pocket,
            self.stakes,
            prison=self.prison,
            limits=self.limits,
            winning=self.winning,
            last=self.last,
        )


houses = st.sampled_from(HOUSES)


def pockets_of(book: Rulebook) -> st.SearchStrategy[Pocket]:
    """The pockets of the house's wheel, zero often."""
    return st.just(0) | st.sampled_from(list(book.wheel.pockets))


def holding(book: Rulebook, pocket: Pocket) -> list[Spot]:
    """The spots of the house that hold the number, and the chances, that it may make win."""
    return [s for s in book.terms if pocket in s.numbers or s.kind is SpotClass.SIMPLE]


@st.composite
def limits(draw: st.DrawFn, unit: int = 1) -> Limits:
    """A placard with low maxima, some classes left unbounded; amounts are multiples of `unit`."""
    table: dict[str, dict[str, int]] = {}
    for kind in draw(st.lists(st.sampled_from(LIMITED), unique=True)):
        table[kind.value] = {"max": draw(st.integers(1, 40)) * unit}
    return Limits.of(table)


@st.composite
def stakes(
    draw: st.DrawFn,
    house: str,
    pocket: Pocket,
    *,
    unit: int = 1,
    odd: bool = True,
    proxies: bool = True,
    absences: bool = True,
) -> tuple[Stake, ...]:
    """Stakes of a few players, so that they often meet on a spot and often win.

    `unit` is what every amount is a multiple of; without `odd`, every amount is even.
    """
    book = load(house)
    chips = {player: unit * draw(st.sampled_from((1, 2, 5))) for player in PLAYERS}
    anywhere = st.sampled_from(list(book.terms)) | st.sampled_from(holding(book, pocket))
    # Few places for many stakes, so that they meet.
    places = st.sampled_from(draw(st.lists(anywhere, min_size=1, max_size=4, unique=True)))
    found: list[Stake] = []
    for number in range(draw(st.integers(0, 8))):
        player = draw(st.sampled_from(PLAYERS))
        where = draw(places)
        kinds = list(kinds_for(book, where))
        if book.chips.foreign_paid:
            kinds.append(ChipKind.FOREIGN)
        kind = draw(st.sampled_from(kinds))
        # Colour chips are whole chips; the others come in any value.
        piece = chips[player] if kind is ChipKind.COLOUR else unit
        away = absences and draw(st.booleans())
        found.append(
            Stake(
                id=f"b{number}",
                player=player,
                spot=where,
                amount=draw(st.integers(1, 60)) * piece * (1 if odd else 2),
                chip=chips[player],
                kind=kind,
                principal=draw(st.none() | st.sampled_from(PLAYERS))
                if proxies and book.limits.third_parties
                else None,
                unclear=draw(st.booleans()),
                away=away,
                waited=draw(st.none() | st.integers(0, 4)) if away else None,
            )
        )
    calls = names(book)
    for number in range(draw(st.integers(0, 2)) if calls else 0):
        player = draw(st.sampled_from(PLAYERS))
        found.extend(
            pieces(
                book,
                draw(st.sampled_from(calls)),
                id=f"a{number}",
                player=player,
                piece=chips[player] * draw(st.integers(1, 5)) * (1 if odd else 2),
                chip=chips[player],
            )
        )
    return tuple(draw(st.permutations(found)))


def pieces(
    book: Rulebook, call: str, *, id: str, player: str, piece: int, chip: int = 1
) -> list[Stake]:
    """The stakes of an announcement."""
    announced = call_of(book, call)
    assert announced is not None
    on = laid(announced, piece * len(announced.pieces))
    assert on is not None
    return [
        Stake(f"{id}/{n}", player, where, amount, chip=chip, announcement=id, call=call)
        for n, (where, amount) in enumerate(on, start=1)
    ]


@st.composite
def prisons(draw: st.DrawFn, house: str) -> tuple[Prisoner, ...]:
    """Stakes in prison, where the house has one."""
    if not load(house).zero.simple.imprisons:
        return ()
    return tuple(
        Prisoner(
            id=f"p{number}",
            player=draw(st.sampled_from(PLAYERS)),
            spot=spot(draw(st.sampled_from(SIMPLE_CHANCES))),
            amount=draw(st.integers(1, 60)),
            zeros=draw(st.integers(1, 4)),
        )
        for number in range(draw(st.integers(0, 3)))
    )


@st.composite
def coups(
    draw: st.DrawFn, *, odd: bool = True, proxies: bool = True, absences: bool = True, unit: int = 1
) -> Laid:
    """A coup of any house."""
    house = draw(houses)
    pocket = draw(pockets_of(load(house)))
    return Laid(
        book=load(house),
        pocket=pocket,
        stakes=draw(stakes(house, pocket, odd=odd, proxies=proxies, absences=absences, unit=unit)),
        prison=draw(prisons(house)),
        limits=draw(limits(unit=unit)),
        winning=draw(st.sampled_from(Winning)),
        last=draw(st.booleans()),
    )
