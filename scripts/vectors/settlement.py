"""Writes docs/vectors/settlement: what every rule of every house does to the stakes of a coup.

    python -m scripts.vectors.settlement

Any program that settles roulette can be tried on these files; docs/reference/records.md describes
them. The coups are found by search: coups of every kind are drawn from a fixed seed, and one is
kept if one of its lines, payments or reductions cites articles in a way that no earlier coup does.
What comes out is worked out by the package; the tests of the rules say that this is right.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from novamas import rulebooks
from novamas.api.plain_data import line_data, plain, stake_data
from novamas.game.announcements import call_of, laid
from novamas.game.chips import kinds_for
from novamas.game.cloth import LIMITED, Spot, SpotClass
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.lines import Settlement
from novamas.game.payment import payments
from novamas.game.reduction import reductions
from novamas.game.rulebook.behaviours import ChipKind, Winning
from novamas.game.rulebook.model import Rulebook
from novamas.game.settlement import settle
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Pocket

TARGET: Final = Path(__file__).parents[2] / "docs" / "vectors" / "settlement"
FORMAT: Final = "settlement vectors 1"
TRIES: Final = 900
"""How many coups are drawn for each house, after those that show each spot."""
PLAYERS: Final = ("ana", "luis", "mia")
MOVED: Final = ("won", "returned", "lost", "held", "stays", "aside", "reduced", "freed")

Data = dict[str, Any]


class Coup:
    """The stakes of a coup and what else decides it."""

    def __init__(self, pocket: Pocket) -> None:
        self.pocket = pocket
        self.stakes: list[Stake] = []
        self.prison: list[Prisoner] = []
        self.limits = NO_LIMITS
        self.winning = Winning.HAND
        self.last = False

    def settled(self, book: Rulebook) -> Settlement:
        """What becomes of the stakes."""
        return settle(
            book,
            self.pocket,
            self.stakes,
            prison=self.prison,
            limits=self.limits,
            winning=self.winning,
            last=self.last,
        )

    def data(self, book: Rulebook) -> Data:
        """The vector: what is given, and what is expected."""
        found = self.settled(book)
        given: Data = {
            "pocket": self.pocket,
            "stakes": [stake_data(stake) for stake in self.stakes],
            "prison": [stake_data(prisoner) for prisoner in self.prison],
            "limits": self.limits.as_data(),
            "winning": self.winning.value,
            "last": self.last,
        }
        return {**given, "expect": expected(book, found)}


def expected(book: Rulebook, found: Settlement) -> Data:
    """What a settlement shows: lines, payments, reductions and the bank."""
    return {
        "bank": found.bank,
        "lines": [line_data(line) for line in found.lines],
        "payments": [
            {
                "player": each.player,
                "stakes": [line.stake.id for line in each.lines],
                "paid": each.paid,
                "stays": each.stays,
                "articles": list(each.articles),
            }
            for each in payments(book, found)
        ],
        "reductions": [
            {
                "player": each.player,
                "straights": each.straights,
                "left": plain(each.left),
                "freed": each.freed,
                "paid": each.paid,
                "articles": list(each.articles),
                "steps": [
                    {"kind": step.kind.value, "chips": step.chips, "articles": list(step.articles)}
                    for step in each.steps
                ],
            }
            for each in reductions(book, found)
        ],
    }


def cited_by(expect: Data) -> set[str]:
    """Every article that a settlement shows."""
    groups = [*expect["lines"], *expect["payments"], *expect["reductions"]]
    groups += [step for each in expect["reductions"] for step in each["steps"]]
    return {article for each in groups for article in each.get("articles", ())}


# The coups ----------------------------------------------------------------------------------------


def each_spot(book: Rulebook) -> Iterator[Coup]:
    """For each pocket a coup that shows every spot winning once, and every class losing."""
    shown: set[Spot] = set()
    for pocket in sorted(book.wheel.pockets, key=lambda each: (str(each) not in "00", str(each))):
        coup = Coup(pocket)
        new = [spot for spot in book.terms if pocket in spot.numbers and spot not in shown]
        shown.update(new)
        by_class = {spot.kind: spot for spot in book.terms if pocket not in spot.numbers}
        for place, spot in enumerate([*new, *by_class.values()], 1):
            kind = kinds_for(book, spot)[0]
            coup.stakes.append(Stake(f"b{place}", "ana", spot, 10, kind=kind))
        yield coup


def each_call(book: Rulebook) -> Iterator[Coup]:
    """For each announcement a coup for each pocket that it covers, and one that loses."""
    for name in book.announcements.calls:
        call = call_of(book, name)
        if call is None:
            continue
        pieces = laid(call, 10 * len(call.pieces)) or ()
        for pocket in book.wheel.pockets:
            coup = Coup(pocket)
            for place, (spot, amount) in enumerate(pieces, 1):
                kind = kinds_for(book, spot)[0]
                stake = Stake(f"b1/{place}", "ana", spot, amount, kind=kind)
                coup.stakes.append(replace(stake, announcement="b1", call=name))
            yield coup


def drawn(book: Rulebook, chance: random.Random) -> Coup:
    """A coup of any kind."""
    zeros = book.wheel.pockets.zeros
    pockets = book.wheel.pockets.pockets
    coup = Coup(chance.choice(zeros if chance.random() < 0.4 else pockets))
    winners = [spot for spot in book.terms if coup.pocket in spot.numbers]
    simple = [spot for spot in book.terms if spot.kind is SpotClass.SIMPLE]
    every = list(book.terms)
    policed = book.excess is not None
    if policed and chance.random() < 0.6:
        kinds = {kind.value: {"max": chance.randrange(2, 40)} for kind in LIMITED}
        if chance.random() < 0.5:
            for given in kinds.values():
                given["min"] = chance.randrange(1, given["max"] + 1)
        coup.limits = Limits.of(kinds)
    coup.winning = chance.choice(list(Winning))
    coup.last = chance.random() < 0.15
    few = chance.choice(winners) if winners else chance.choice(every)
    for place in range(1, chance.randrange(2, 7)):
        pool = chance.choice((winners or every, simple, every, [few]))
        stake = Stake(
            f"b{place}",
            chance.choice(PLAYERS[: chance.randrange(1, 4)]),
            chance.choice(pool),
            chance.randrange(1, 60),
        )
        coup.stakes.append(marked(book, stake, chance))
    for place in range(1, chance.randrange(3)):
        coup.prison.append(
            Prisoner(
                f"p{place}",
                chance.choice(PLAYERS),
                chance.choice(simple),
                chance.randrange(1, 30),
                zeros=chance.randrange(1, 4),
                away=chance.random() < 0.2,
            )
        )
    return coup


def marked(book: Rulebook, stake: Stake, chance: random.Random) -> Stake:
    """A stake with one thing about it that may matter."""
    chip = chance.choice((1, 1, 2, 5))
    kinds = kinds_for(book, stake.spot)
    stake = replace(stake, chip=chip, amount=stake.amount * chip, kind=chance.choice(kinds))
    match chance.randrange(10):
        case 0:
            return replace(stake, away=True, waited=chance.choice((None, 0, 1, 2, 3)))
        case 1:
            return replace(stake, unclear=True)
        case 2:
            return replace(stake, principal=chance.choice(PLAYERS))
        case 3:
            return replace(stake, kind=ChipKind.FOREIGN)
        case 4:
            return replace(stake, left=True)
        case 5:
            # A part of a chip, which zero does not divide.
            return replace(stake, amount=stake.amount + 1, chip=5)
        case _:
            return stake


def signatures(expect: Data, coup: Coup) -> Iterator[tuple[object, ...]]:
    """What a coup shows, without its amounts: which articles do what to which kind of stake."""
    held = {each.id for each in coup.prison}
    for line in expect["lines"]:
        moved = tuple(name for name in MOVED if name in line)
        yield ("line", line["id"] in held, moved, tuple(line["articles"]))
    for name in ("payments", "reductions"):
        for each in expect[name]:
            yield (name, tuple(each["articles"]))


def vectors_of(book: Rulebook) -> Iterator[Data]:
    """The vectors of a house: every coup that shows what no earlier one does."""
    # A fixed seed: the same coups every time, and nobody plays them.
    chance = random.Random(f"vectors of {book.id}")  # noqa: S311 # nosec B311
    seen: set[tuple[object, ...]] = set()
    fixed = [*each_spot(book), *each_call(book)]
    coups = [*fixed, *(drawn(book, chance) for _ in range(TRIES))]
    for coup in coups:
        vector = coup.data(book)
        new = {*signatures(vector["expect"], coup)} - seen
        if new:
            seen |= new
            yield vector


def written(book: Rulebook) -> str:
    """The file of a house: one vector a line."""
    head = json.dumps({"novamas": FORMAT, "house": book.id})[:-1]
    compact = {"ensure_ascii": False, "separators": (",", ":")}
    lines = ",\n".join(json.dumps(each, **compact) for each in vectors_of(book))  # type: ignore[arg-type]
    return f'{head}, "vectors": [\n{lines}\n]}}\n'


def files() -> dict[Path, str]:
    """Every file, with what belongs in it."""
    books = (rulebooks.load(house) for house in rulebooks.HOUSES)
    return {TARGET / f"{book.id}.json": written(book) for book in books}


if __name__ == "__main__":
    TARGET.mkdir(exist_ok=True)
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
