"""A layout as it is played: what every pocket does to it, and to what is in prison.

All money comes from `settle`, and a half that is taken after zero comes from the table's own
decision, so this module repeats no rule of a house. It only describes what the player does: their
layout, the multiple in which they lay it, and their choice at each zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from novamas.game.arguments import instance, listed, shown
from novamas.game.cloth import Spot
from novamas.game.errors import UsageError, has_type
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.lines import Line
from novamas.game.rulebook.behaviours import ZeroRule
from novamas.game.rulebook.model import Rulebook
from novamas.game.settlement import settle
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Pocket, Wheel
from novamas.odds.layout import PLAYER, Layout
from novamas.table.commands import Choice, ChooseAfterZero
from novamas.table.decide import decide
from novamas.table.events import ChoiceMade
from novamas.table.refusals import Refusal
from novamas.table.state import Phase, Player, Setup, State


class Held(NamedTuple):
    """A part of the layout in prison."""

    spot: Spot
    amount: int
    zeros: int
    """The zeros it has met, counted only as far as they make a difference."""


Prison: TypeAlias = tuple[Held, ...]

MOST_CHOICES: Final = 100
"""For how many zeros in a row a choice may be named."""


class Turn(NamedTuple):
    """What some of the pockets do, where all of them do the same."""

    pockets: int
    """How many pockets."""
    net: int
    """The player's winnings minus losses; what is in prison counts as neither."""
    prison: Prison
    """What is in prison afterwards."""
    hit: bool
    """Whether a stake of the layout is paid."""


def read_choices(text: str | Sequence[str]) -> tuple[Choice, ...]:
    """What the player chooses at the first zero, the second, and so on; the last repeats.

    >>> read_choices("prison,half") == (Choice.PRISON, Choice.HALF)
    True
    """
    said = text.split(",") if isinstance(text, str) else text
    said = listed(said, argument="choice", of="choices after zero", most=MOST_CHOICES)
    known = [choice.value for choice in Choice]
    for word in said:
        if not has_type(word, str) or word not in known:
            expected = f"expected {' or '.join(known)}"
            raise UsageError(f"choice: {shown(word)} is no choice after zero: {expected}")
    if not said:
        raise UsageError("choice: expected a choice after zero")
    return tuple(Choice(word) for word in said)


@dataclass(frozen=True, slots=True)
class Play:
    """A layout with its owner's choices after zero, at a table with these limits."""

    layout: Layout
    choices: tuple[Choice, ...] = (Choice.PRISON,)
    """At the first zero, the second, …; only where the house gives a choice. The last repeats."""
    limits: Limits = NO_LIMITS
    _seen: dict[tuple[int, Prison], tuple[Turn, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )

    @property
    def book(self) -> Rulebook:
        """The house's book."""
        return self.layout.book

    @property
    def wheel(self) -> Wheel:
        """The house's wheel."""
        return self.layout.book.wheel.pockets

    def pocket(self, number: Pocket, *, times: int = 1, prison: Prison = ()) -> Turn:
        """What one pocket does to a multiple of the layout, and to the prison."""
        laid = self.layout.stakes(times) if times else ()
        held = [
            Prisoner(f"p{place}", PLAYER, each.spot, each.amount, each.zeros, self.layout.chip)
            for place, each in enumerate(prison, start=1)
        ]
        net, hit, left = 0, False, []
        for line in settle(self.book, number, laid, prison=held, limits=self.limits).lines:
            net += line.won - line.lost
            hit = hit or line.won > 0
            if line.held:
                chosen = self._chosen(line)
                net -= chosen.lost
                if chosen.held:
                    counted = min(_zeros(line), max(2, len(self.choices)))
                    left.append(Held(line.stake.spot, chosen.held, counted))
        return Turn(1, net, tuple(sorted(left, key=_by_name)), hit)

    def turns(self, *, times: int = 1, prison: Prison = ()) -> tuple[Turn, ...]:
        """What the pockets of the wheel do, grouped by what they do.

        >>> from novamas.rulebooks import load
        >>> [(t.pockets, t.net) for t in Play(Layout.read(load("bg"), "17:5")).turns()]
        [(36, -5), (1, 175)]
        """
        key = (times, prison)
        if key not in self._seen:
            found: dict[tuple[int, Prison, bool], int] = {}
            for number in self.wheel:
                _, net, left, hit = self.pocket(number, times=times, prison=prison)
                found[net, left, hit] = found.get((net, left, hit), 0) + 1
            self._seen[key] = tuple(
                Turn(pockets, net, left, hit) for (net, left, hit), pockets in found.items()
            )
        return self._seen[key]

    def wait(self, prison: Prison) -> tuple[Turn, ...]:
        """What the pockets do while the player lays nothing new and waits for their prisoners."""
        return self.turns(times=0, prison=prison)

    def _chosen(self, line: Line) -> Line:
        """What becomes of a stake that zero holds, by its owner's choice if there is one."""
        zeros = _zeros(line)
        choice = self.choices[min(zeros, len(self.choices)) - 1]
        unchanged = line._replace(won=0, lost=0)
        if self.book.zero.simple is not ZeroRule.CHOICE or choice is Choice.PRISON:
            return unchanged
        prisoner = Prisoner(
            "p", PLAYER, line.stake.spot, line.held, zeros, self.layout.chip, pending=True
        )
        table = State(
            book=self.book,
            setup=Setup(limits=self.limits),
            limits=self.limits,
            phase=Phase.CHOOSING,
            players={PLAYER: Player(PLAYER)},
            prison={prisoner.id: prisoner},
        )
        decision = decide(table, ChooseAfterZero(by=PLAYER, id=prisoner.id, choice=choice))
        if isinstance(decision, Refusal):
            # A half below the minimum may not be withdrawn: it stays where it is (ES-G.2).
            return unchanged
        (made,) = (event for event in decision if isinstance(event, ChoiceMade))
        return made.line


def play_of(
    book: Rulebook,
    layout: str | Layout,
    *,
    choice: str | Sequence[str] = "prison",
    limits: Limits = NO_LIMITS,
    chip: int = 1,
) -> Play:
    """The play of a layout, from the arguments of a question about it.

    Raises `UsageError` for an argument of a wrong type or value, and `LayoutError` for a layout
    that the house does not offer or the limits do not allow.
    """
    instance(book, Rulebook, argument="book")
    instance(limits, Limits, argument="limits")
    if isinstance(layout, str):
        layout = Layout.read(book, layout, chip=chip)
    instance(layout, Layout, argument="layout")
    if layout.book.id != book.id:
        raise UsageError(f"layout: expected one of {book.id}, not one of {layout.book.id}")
    if limits.by_class:
        layout.check(limits)
    return Play(layout, read_choices(choice), limits)


def _zeros(line: Line) -> int:
    return 1 if isinstance(line.stake, Stake) else line.stake.zeros + 1


def _by_name(held: Held) -> tuple[str, int, int]:
    return held.spot.name, held.amount, held.zeros


def held_in(prison: Prison) -> int:
    """The total in prison."""
    return sum(held.amount for held in prison)
