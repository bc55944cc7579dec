"""The cloth of a house as a picture."""

from __future__ import annotations

from novamas.api.arguments import House, book_of, hands_of, pocket_of
from novamas.drawing.piles import Pile
from novamas.drawing.svg import ClothPicture, Orientation
from novamas.game.announcements import call_of
from novamas.game.arguments import one_of, shown, whole
from novamas.game.errors import UsageError, has_type
from novamas.game.notation import Bet, Hand
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket
from novamas.odds.layout import Layout

_ORIENTATIONS: dict[str, Orientation] = {"landscape": "landscape", "portrait": "portrait"}


def cloth(
    house: House,
    *stakes: str,
    number: Pocket | None = None,
    chip: int = 1,
    orientation: str = "landscape",
) -> ClothPicture:
    """The cloth of a house with stakes on it and, where a number is given, the dolly.

    A notebook shows it as a picture. `print` draws it in letters, and `svg()` returns the picture
    as text.

    >>> import novamas as nv
    >>> nv.cloth("it", "anna 17:25 red:10", number=17)
    <Cloth it: 17:25 red:10, dolly on 17>
    """
    book = book_of(house)
    dolly = None if number is None else pocket_of(number, book.wheel.pockets, argument="number")
    whole(chip, argument="chip")
    turned = _ORIENTATIONS[one_of(orientation, _ORIENTATIONS, argument="orientation")]
    piles: dict[tuple[str, str], Pile] = {}
    for text in stakes:
        if not has_type(text, str):
            raise UsageError(f"stakes: expected texts such as 'anna 17:25', not {shown(text)}")
        for hand in hands_of(book, text):
            for pile in _piles(book, hand, chip):
                place = (pile.player, pile.spot.name)
                there = piles[place].amount if place in piles else 0
                piles[place] = pile._replace(amount=pile.amount + there)
    return ClothPicture(book, tuple(piles.values()), dolly=dolly, orientation=turned)


def _piles(book: Rulebook, hand: Hand, chip: int) -> list[Pile]:
    """The piles of a hand; an announcement that is not placed yet lies in its own space."""
    found: list[Pile] = []
    for bet in hand.bets:
        laid = Layout(book, (bet,), chip).stakes()
        waits = _waiting(book, bet, player=hand.player, chip=chip)
        found += waits or [Pile(each.spot, each.amount, hand.player, chip) for each in laid]
    return found


def _waiting(book: Rulebook, bet: Bet, *, player: str, chip: int) -> list[Pile]:
    call = call_of(book, bet.what.name)
    if call is None or not call.to_place:
        return []
    return [Pile(call, bet.amount, player, chip)]
