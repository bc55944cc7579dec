"""Draws the pictures of the documentation: cloths in the middle of a coup, charts, the layers.

    python -m scripts.pictures      write docs/pictures/*.svg

Each picture is a coup in the notation, or a question of the odds or the simulator, with its seed.
The drawing is a function of that alone, so a picture that differs from what is drawn now is out of
date, and a test says so.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from novamas.drawing.svg import Pile, cloth_svg
from novamas.game.announcements import call_of
from novamas.game.limits import Limits
from novamas.game.notation import Announced, parse_coup
from novamas.game.rulebook.model import Call, Rulebook
from novamas.odds import charts
from novamas.odds.compare import compare
from novamas.odds.many_coups import after_coups
from novamas.odds.one_coup import odds_of
from novamas.odds.systems import System, first_wanted
from novamas.rulebooks import load
from novamas.simulation import charts as simulated
from novamas.simulation.rng import numbers
from novamas.simulation.run import simulate
from scripts.layers import layers_svg
from scripts.ledger import ROOT

FOLDER = ROOT / "docs" / "pictures"
REFRESH = "make pictures"


@dataclass(frozen=True)
class Picture:
    """A cloth to be drawn: a coup, what each player's chips are worth, and who is in prison."""

    coup: str
    chips: dict[str, int] = field(default_factory=dict)
    prison: str | None = None
    """A coup whose hands lie in prison."""


@dataclass(frozen=True)
class Law:
    """A chart of what a layout comes to after so many coups."""

    house: str
    layout: str
    coups: int


@dataclass(frozen=True)
class Houses:
    """A chart of what each house keeps of a layout."""

    layout: str
    choice: str


@dataclass(frozen=True)
class Choices:
    """A chart of what a house keeps of a layout for each choice after zero."""

    house: str
    layout: str
    choices: tuple[str, ...]


@dataclass(frozen=True)
class Played:
    """A chart of what a simulation of a layout came to."""

    house: str
    layout: str
    terms: dict[str, Any]
    recorded: int = 0
    """How many recorded numbers are played, which come from a seed."""


@dataclass(frozen=True)
class Layers:
    """The layers of the code, as the contract of import-linter has them."""


def two_after_two(state: tuple[int, int], laid: int, net: int, unit: int) -> tuple[int, int]:  # noqa: ARG001
    """Two after two losses in a row; otherwise one. The documentation shows it."""
    losses = state[1] + 1 if net < 0 else 0
    return (2 if losses >= 2 else 1), losses


MINE = System("mine", "two after two losses", (1, 0), first_wanted, two_after_two)
TO_500 = Limits.of({"simple": {"min": 10, "max": 500}})

Drawable = Picture | Law | Houses | Choices | Played | Layers

PICTURES: dict[str, Drawable] = {
    "ar": Picture(
        "ar 17 | ana 17:15 14/17:10 16/20:20 red:50 | luis 17/20:4 8/11:6 0/1/2/3:3 d1+d2:40"
        " | eva 32:20 25/30:30 black:100 c3:60",
        chips={"ana": 5, "eva": 10},
    ),
    "it": Picture(
        "it 17 | anna 17:25 14/17:10 red:25 | luca voisins:90 tiers:60 even:50"
        " | eva 26:4 31/34:6 1/3:8 17/18:10 d3:20",
        chips={"anna": 5, "luca": 10, "eva": 2},
    ),
    "es": Picture(
        "es 0 | eva 0:2 0/1/2/3:4 | ana 26:4",
        prison="es 0 | ana red:50 high:20 | eva even:30",
        chips={"ana": 10, "eva": 2},
    ),
    "bg": Picture(
        "bg 32 | мария 32:20 32/33:10 d3:50 | иван 0/3:10 26:10 12/15:10 32/35:10 red:100",
        chips={"мария": 5, "иван": 10},
    ),
    "fr": Picture(
        "fr 0 | jean 0:2 0/1/2/3:4 d1+d2:20 | lise 26:4",
        prison="fr 0 | lise red:50 high:20 | jean even:30",
        chips={"jean": 2, "lise": 10},
    ),
    "fram": Picture(
        "fram 00 | jean 00:5 0/00:10 0/00/1/2/3:15 | lise 00/2/3:6 26:4 red:40 d3:20",
        chips={"jean": 5, "lise": 2},
    ),
    "fran": Picture(
        "fran 17 | jean 17:15 14/17:10 c2:40 | lise 0/2/3:4 4/7:2 d1+d2:20 black:30",
        chips={"jean": 5, "lise": 2},
    ),
    "esam": Picture(
        "esam 8 | ana 8:10 7/11:20 d1:50 | luis 0/1/2:6 c2+c3:40 even:60",
        chips={"ana": 10, "luis": 2},
    ),
    "sd": Picture(
        "sd 2 | ann 2:10 0/00/2:15 0/00/1/2/3:25 | bob 1/6:20 low:100 c2:60 | eve 00:4 0/1:6",
        chips={"ann": 5, "bob": 10, "eve": 2},
    ),
    "law": Law("it", "red:10 17:5", coups=100),
    "houses": Houses("red:10", choice="half"),
    "choices": Choices("es", "red:10", choices=("half", "prison", "prison,half")),
    "million": Law("bg", "17:1", coups=1_000_000),
    "simulation": Played("it", "red:10", {"coups": 100, "players": 100_000, "seed": 3}),
    "martingale": Played(
        "ar",
        "red:10",
        {
            "system": "martingale",
            "bankroll": 500,
            "target": 1000,
            "limits": TO_500,
            "coups": 200,
            "players": 100_000,
        },
    ),
    "mine": Played(
        "es", "red:10", {"system": MINE, "bankroll": 1000, "coups": 500, "players": 20_000}
    ),
    "recorded": Played("es", "red:10 17:5", {"coups": 100}, recorded=50_000),
    "layers": Layers(),
}


def drawn(picture: Drawable) -> str:
    """The picture as SVG."""
    match picture:
        case Law():
            results = after_coups(load(picture.house), picture.layout, picture.coups)
            return charts.svg(charts.chart_of_results(results))
        case Houses():
            return charts.svg(
                charts.chart_of_houses(compare(picture.layout, choice=picture.choice))
            )
        case Choices():
            found = [
                (
                    choice,
                    odds_of(load(picture.house), picture.layout, choice=choice, divisible=True),
                )
                for choice in picture.choices
            ]
            bars = tuple(
                charts.Bar(name, float(odds.edge), str(odds.edge), -1) for name, odds in found
            )
            title = f"{picture.layout} ({picture.house}): what the house keeps"
            return charts.svg(charts.Chart(title, "chosen after zero", "edge", bars))
        case Played():
            book, spins = load(picture.house), None
            if picture.recorded:
                pockets = book.wheel.pockets.pockets
                drawn_numbers = numbers(1, 0, picture.recorded, pockets=len(pockets))
                spins = [pockets[index] for index in drawn_numbers]
            played = simulate(book, picture.layout, spins=spins, **picture.terms)
            return simulated.svg(played, simulated.law_of(played))
        case Layers():
            return layers_svg()
        case Picture():
            return _cloth(picture)


def _cloth(picture: Picture) -> str:
    coup = parse_coup(picture.coup)
    return cloth_svg(
        load(coup.house),
        _piles(picture.coup, picture.chips),
        dolly=coup.number,
        prison=_piles(picture.prison, picture.chips) if picture.prison else (),
        orientation="landscape",
    )


def _piles(text: str, chips: dict[str, int]) -> Iterator[Pile]:
    coup = parse_coup(text)
    book = load(coup.house)
    for hand in coup.hands:
        for bet in hand.bets:
            what = _call(book, bet.what) if isinstance(bet.what, Announced) else bet.what
            yield Pile(what, bet.amount, hand.player, chips.get(hand.player, 1))


def _call(book: Rulebook, announced: Announced) -> Call:
    call = call_of(book, announced.name)
    if call is None:
        raise SystemExit(f"{book.id} takes no {announced.name}")
    return call


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for name, picture in PICTURES.items():
        path = FOLDER / f"{name}.svg"
        path.write_text(drawn(picture), "utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
