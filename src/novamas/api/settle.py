"""Settling one coup of a house."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from novamas.api.arguments import (
    House,
    LimitsLike,
    book_of,
    hands_of,
    limits_of,
    pocket_of,
    winning_of,
)
from novamas.api.coup import Coup, SentBack
from novamas.game.arguments import instance, items, one_of, shown, switch, whole
from novamas.game.cloth import Spot
from novamas.game.errors import UsageError, has_type
from novamas.game.limits import Limits, levelled, short_stakes
from novamas.game.money import is_amount
from novamas.game.rulebook.behaviours import ChipKind, LimitsKept
from novamas.game.rulebook.model import Rulebook
from novamas.game.settlement import settle as settle_stakes
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Pocket
from novamas.odds.errors import LayoutError
from novamas.odds.layout import Layout


def settle(
    house: House,
    pocket: Pocket,
    *stakes: str | Stake,
    prison: Iterable[Prisoner] = (),
    chip: int | Mapping[str, int] = 1,
    limits: LimitsLike = None,
    winning: str = "hand",
    last: bool = False,
    as_laid: bool = False,
) -> Coup:
    """Settles a coup: what each stake wins or loses when a number comes out, and by which articles.

    A text is a player and their bets, as in `"ana 17:5 red:50"`; one text may hold several hands,
    separated by `;`. `chip` is what a chip is worth, for everybody or by player. `winning` says
    whether winning stakes go to the `hand` or stay on the `cloth`. Stakes that are too small go
    back before the number, as at a table (`sent_back`), unless `as_laid` lets everything play.
    `last` marks the last coup of the session.

    >>> import novamas as nv
    >>> coup = nv.settle("ar", 17, "ana 17:5 14/17:10 red:50", "luis 17/20:4")
    >>> coup.net
    {'ana': 295, 'luis': 68}
    >>> nv.settle("es", 0, "ana rojo:50").lines
    (<Line b1 ana red:50: held 50 (ES-7.2.a2, ES-7.2.b3)>,)
    """
    book = book_of(house)
    number = pocket_of(pocket, book.wheel.pockets)
    switch(last, argument="last")
    switch(as_laid, argument="as_laid")
    placard, goes = limits_of(limits), winning_of(winning)
    laid = _stakes(book, stakes, chip)
    held = _prisoners(prison)
    everything: tuple[Stake | Prisoner, ...] = (*laid, *held)
    _check(book, everything)
    _check_maxima(book, laid, placard)
    players = tuple(dict.fromkeys(stake.player for stake in everything))
    sent_back = () if as_laid else _sent_back(book, laid, placard)
    back = {each.stake.id: each.amount for each in sent_back}
    playing = [
        replace(stake, amount=left) if stake.id in back else stake
        for stake in laid
        if (left := stake.amount - back.get(stake.id, 0))
    ]
    settlement = settle_stakes(
        book, number, playing, prison=held, limits=placard, winning=goes, last=last
    )
    return Coup(book, settlement, players, sent_back)


def _sent_back(book: Rulebook, laid: Iterable[Stake], limits: Limits) -> tuple[SentBack, ...]:
    """What goes back when betting closes: what is too small, then what linked spots level."""
    kept = LimitsKept.POLICED if LimitsKept.POLICED in book.limits.kept else LimitsKept.ENFORCED
    short = short_stakes(book, laid, limits, kept)
    gone = {each.stake.id for each in short}
    left = [stake for stake in laid if stake.id not in gone]
    return (
        *(SentBack(each.stake, each.stake.amount, each.articles) for each in short),
        *(SentBack(each.stake, each.back, each.articles) for each in levelled(book, left, limits)),
    )


def _check_maxima(book: Rulebook, stakes: Iterable[Stake], limits: Limits) -> None:
    """Raises `LayoutError` above a maximum, if the house has no rules on what is paid then."""
    if LimitsKept.POLICED in book.limits.kept:
        return
    maxima = limits.maxima(book)
    laid: Counter[tuple[str, Spot]] = Counter()
    for stake in stakes:
        laid[stake.whose, stake.spot] += stake.amount
    for (player, spot), amount in laid.items():
        if amount > maxima.get(spot, amount):
            problem = f"{player} {spot.name}:{amount} is above the maximum of {maxima[spot]}"
            raise LayoutError(problem, book.limits.cites.maximum)


def _stakes(
    book: Rulebook, given: Iterable[str | Stake], chip: int | Mapping[str, int]
) -> list[Stake]:
    """The stakes of some hands and stakes; those of a text have the ids b1, b2 and so on."""
    found: list[Stake] = []
    bets = 0
    players: list[str] = []
    for each in given:
        if isinstance(each, Stake):
            found.append(each)
            continue
        if not has_type(each, str):
            expected = "texts such as 'ana 17:5 red:50', or Stakes"
            raise UsageError(f"stakes: expected {expected}, not {shown(each)}")
        for hand in hands_of(book, each):
            players.append(hand.player)
            layout = Layout(book, hand.bets, _chip_of(hand.player, chip))
            found += (_owned(stake, hand.player, after=bets) for stake in layout.stakes())
            bets += len(hand.bets)
    if isinstance(chip, Mapping):
        for player in chip:
            one_of(player, players, argument="chip")
    return found


def _prisoners(prison: Iterable[Prisoner]) -> tuple[Prisoner, ...]:
    found = []
    for each in items(prison, argument="prison", of="Prisoners"):
        if not has_type(each, Prisoner):
            raise UsageError(f"prison: expected Prisoners, not {shown(each)}")
        found.append(each)
    return tuple(found)


def _owned(stake: Stake, player: str, *, after: int) -> Stake:
    """A stake of a layout, with its player and with an id that follows the bets before it."""
    bet, slash, piece = stake.id[1:].partition("/")
    name = f"b{int(bet) + after}"
    called = None if stake.announcement is None else name
    return replace(stake, id=f"{name}{slash}{piece}", player=player, announcement=called)


def _chip_of(player: str, chip: int | Mapping[str, int]) -> int:
    worth = chip.get(player, 1) if isinstance(chip, Mapping) else chip
    return whole(worth, argument="chip")


def _check(book: Rulebook, stakes: Iterable[Stake | Prisoner]) -> None:
    """Raises an error for stakes that no table could have."""
    seen: set[str] = set()
    for stake in stakes:
        if not has_type(stake, Stake, Prisoner):
            raise UsageError(f"prison: expected Prisoners, not {shown(stake)}")
        for field, value, kind in (
            ("id", stake.id, str),
            ("player", stake.player, str),
            ("spot", stake.spot, Spot),
            ("kind", stake.kind, ChipKind),
        ):
            instance(value, kind, argument=f"stakes: {shown(stake.id)}: {field}")
        if not is_amount(stake.amount) or not is_amount(stake.chip):
            raise UsageError(
                f"stakes: {stake.id}: expected whole amounts of at least 1, "
                f"not {shown(stake.amount)} in chips of {shown(stake.chip)}"
            )
        if not book.offers(stake.spot):
            raise UsageError(f"stakes: {stake.id}: {book.id} does not offer {stake.spot.name}")
        if stake.id in seen:
            raise UsageError(f"stakes: two of them are called {stake.id!r}; give each its own id")
        seen.add(stake.id)
