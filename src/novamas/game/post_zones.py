"""Post zones: the part of the cloth where the holder of a post lays and corrects stakes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from novamas.game.cloth import SPOTS, Spot, SpotClass
from novamas.game.errors import NovamasError
from novamas.game.notation import NotationError, parse_spot
from novamas.game.rulebook.model import Rulebook


class ZoneError(NovamasError, ValueError):
    """A zone that a table cannot have, and why."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A list of spots, with every spot between them.

    >>> zone = Zone(tuple(SPOTS[str(number)] for number in range(25, 37)))
    >>> zone.holds(SPOTS["31/34"]), zone.holds(SPOTS["5"]), zone.holds(SPOTS["d3"])
    (True, False, False)
    """

    spots: tuple[Spot, ...] = ()

    def holds(self, spot: Spot) -> bool:
        """Whether a spot lies in the zone.

        A spot on the numbers does if the named spots cover its numbers, a straddle if both its
        boxes are named, and any other box only if it is named itself.
        """
        if spot in self.spots:
            return True
        if spot.kind is SpotClass.STRADDLE:
            return all(SPOTS[box] in self.spots for box in spot.boxes)
        if not spot.kind.on_numbers:
            return False
        covered = {n for each in self.spots if each.kind.on_numbers for n in each.numbers}
        return spot.numbers <= covered

    def as_data(self) -> tuple[str, ...]:
        """The names of its spots."""
        return tuple(spot.name for spot in self.spots)


NO_ZONE: Final = Zone()


def read_zone(book: Rulebook, texts: Iterable[str]) -> Zone:
    """A zone from spots in notation; raises `ZoneError` if the house cannot have it."""
    spots: dict[Spot, None] = {}
    for text in texts:
        try:
            spot = parse_spot(text)
        except NotationError as mistake:
            raise ZoneError(str(mistake)) from None
        if not book.offers(spot):
            raise ZoneError(f"{spot.name} cannot be played here")
        spots[spot] = None
    if spots and not any(post.zone for post in book.posts.values()):
        raise ZoneError("no post of this house has a zone")
    return Zone(tuple(spots))
