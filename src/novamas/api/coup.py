"""A settled coup, with everything that a program may need of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

from novamas.api.arguments import language_of
from novamas.drawing.piles import Pile
from novamas.drawing.svg import ClothPicture
from novamas.game.arguments import one_of
from novamas.game.lines import Line, Settlement
from novamas.game.payment import Payment, payments
from novamas.game.reduction import Reduction, reductions
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Pocket
from novamas.odds.data_frames import Framed
from novamas.odds.data_frames import Table as Columns
from novamas.wording.calls import number_call
from novamas.wording.explain import Explanation, explain, explain_returned

if TYPE_CHECKING:
    from novamas.odds.charts import Chart


class SentBack(NamedTuple):
    """A stake, or a part of it, that was returned before the number because it may not play.

    >>> import novamas as nv
    >>> nv.settle("it", 17, "anna 17:1").sent_back
    (<SentBack b1 anna 17:1 (IT-general-2b, AMB-IT-21)>,)
    """

    stake: Stake | Prisoner
    amount: int
    articles: tuple[str, ...]

    def __repr__(self) -> str:
        laid = f"{self.stake.id} {self.stake.player} {self.stake.spot.name}:{self.amount}"
        return f"<SentBack {laid} ({', '.join(self.articles)})>"


@dataclass(frozen=True, slots=True, repr=False)
class Coup(Framed):
    """A coup: the number that came out, and what became of every stake.

    >>> import novamas as nv
    >>> coup = nv.settle("ar", 17, "ana 17:5 14/17:10 red:50", "luis 17/20:4")
    >>> coup
    <Coup ar 17: ana +295, luis +68>
    >>> coup.net, coup.bank
    ({'ana': 295, 'luis': 68}, -363)
    """

    book: Rulebook
    settlement: Settlement
    players: tuple[str, ...]
    """All players in `net`, in their order."""
    sent_back: tuple[SentBack, ...] = ()

    @property
    def house(self) -> str:
        """The id of the house."""
        return self.book.id

    @property
    def pocket(self) -> Pocket:
        """The number that came out."""
        return self.settlement.pocket

    @property
    def call(self) -> str:
        """What the croupier calls.

        >>> import novamas as nv
        >>> nv.settle("it", 32, "anna red:10").call
        'trente-deux, rouge, pair et passe'
        """
        return number_call(self.book, self.pocket)

    @property
    def lines(self) -> tuple[Line, ...]:
        """What became of each stake: the losers as they are collected, then the others as paid."""
        return self.settlement.lines

    @property
    def payments(self) -> tuple[Payment, ...]:
        """The payments, in the order of the house."""
        return payments(self.book, self.settlement)

    @property
    def reductions(self) -> tuple[Reduction, ...]:
        """The reductions before the payments, where the house reduces."""
        return reductions(self.book, self.settlement)

    @property
    def net(self) -> dict[str, int]:
        """Each player's winnings minus losses; what is held in prison counts as neither."""
        net = dict.fromkeys(self.players, 0)
        for line in self.lines:
            net[line.stake.player] += line.won - line.lost
        return net

    @property
    def bank(self) -> int:
        """What the bank gained."""
        return self.settlement.bank

    def explanations(self, *, language: str = "en") -> tuple[tuple[str, Explanation], ...]:
        """Why each stake got what it got: the player, and the explanation."""
        return tuple(self._explained(language_of(language)))

    def _explained(self, language: str) -> Iterator[tuple[str, Explanation]]:
        for stake, amount, articles in self.sent_back:
            yield (
                stake.player,
                explain_returned(self.book, stake, amount, articles, language=language),
            )
        for line in self.lines:
            yield line.stake.player, explain(self.book, line, self.pocket, language=language)

    def explain(self, player: str | None = None, *, language: str = "en") -> str:
        """Why each stake got what it got, in plain words and with the articles.

        >>> import novamas as nv
        >>> why = nv.settle("ar", 17, "ana red:50").explain(language="es")
        >>> why.splitlines()[0]
        'ana: 50 a colorado; salió el 17. No comprende el 17. Pérdida: 50.'
        """
        if player is not None:
            one_of(player, self.players, argument="player")
        explanations = self.explanations(language=language)
        return "\n".join(f"{who}: {why}" for who, why in explanations if player in (None, who))

    def cloth(self) -> ClothPicture:
        """The cloth with the stakes and the dolly at the moment when the number came out."""
        piles = {Stake: list[Pile](), Prisoner: list[Pile]()}
        for line in self.lines:
            stake = line.stake
            pile = Pile(stake.spot, stake.amount, stake.player, stake.chip, stake.kind)
            piles[type(stake)].append(pile)
        return ClothPicture(self.book, piles[Stake], dolly=self.pocket, prison=piles[Prisoner])

    def columns(self) -> Columns:
        """The lines as columns, one row for each stake."""
        moved = ("won", "returned", "lost", "held", "stays", "aside")
        return Columns(
            {
                "player": [line.stake.player for line in self.lines],
                "bet": [line.stake.spot.name for line in self.lines],
                "amount": [line.stake.amount for line in self.lines],
                **{name: [getattr(line, name) for line in self.lines] for name in moved},
                "articles": [" ".join(line.articles) for line in self.lines],
            }
        )

    def plot(self, path: str | PathLike[str] | None = None) -> Chart:
        """A bar chart of what each player won or lost, written to a file if a path is given."""
        from novamas.odds import charts

        title = f"{self.book.name}: {self.call}"
        return charts.plotted(charts.chart_of_players(self.net, title), path)

    def __repr__(self) -> str:
        net = ", ".join(f"{player} {won:+}" for player, won in self.net.items())
        return f"<Coup {self.house} {self.pocket}: {net or 'no stakes'}>"

    def _repr_html_(self) -> str:
        net = ", ".join(f"{player} {won:+}" for player, won in self.net.items())
        title = f"{self.book.name}: {self.call}. {net}"
        return f"<div>{self.cloth().svg()}{self.columns().html(title)}</div>"


def net_of(coups: Iterable[Coup]) -> dict[str, int]:
    """Each player's winnings minus losses in some coups."""
    net: dict[str, int] = {}
    for coup in coups:
        for player, won in coup.net.items():
            net[player] = net.get(player, 0) + won
    return net
