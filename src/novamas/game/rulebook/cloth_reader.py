"""Reads the cloth of a rulebook: its zeros, its drawing, and the terms of every spot."""

from __future__ import annotations

from fractions import Fraction

from novamas.game.cloth import SIMPLE_CHANCES, Cloth, Spot, SpotClass, cloth_with
from novamas.game.rulebook import behaviours
from novamas.game.rulebook import citations as cite
from novamas.game.rulebook import model as book
from novamas.game.rulebook.model import Terms
from novamas.game.rulebook.toml_section import Section
from novamas.game.wheel import is_zero


def read_cloth(section: Section) -> book.ClothRules:
    """The cloth: its zeros, its style and where the simple chances lie."""
    rules = book.ClothRules(
        plan=_plan(section),
        drawing=section.one("drawing", behaviours.Drawing),
        left=section.texts("left"),
        right=section.texts("right"),
        cites=section.citing(cite.ClothCites),
    )
    if sorted((*rules.left, *rules.right)) != sorted(SIMPLE_CHANCES):
        every = ", ".join(SIMPLE_CHANCES)
        raise section.error("left, right", f"expected each of {every} once, on one side")
    if rules.drawing is behaviours.Drawing.FRENCH and len(rules.left) != 3:
        raise section.error("left", "a French cloth has three chances on each flank")
    if rules.drawing is behaviours.Drawing.AMERICAN and rules.right:
        raise section.error("right", "an American-style cloth has all its chances on one side")
    section.done()
    return rules


def _plan(section: Section) -> Cloth:
    """The cloth that follows from the zeros at its head."""
    rows = section.take("zeros", default=[[0]])
    if not isinstance(rows, list) or not rows or not all(isinstance(row, list) for row in rows):
        raise section.error("zeros", "expected rows of zeros, such as [[0, '00']]")
    zeros = [zero for row in rows for zero in row]
    if not all(rows) or not all(map(is_zero, zeros)) or len(set(zeros)) < len(zeros):
        raise section.error("zeros", "expected each of 0, '00' … at most once")
    if len(rows[-1]) > 3:
        raise section.error("zeros", "at most three zeros can lie beside 1, 2 and 3")
    return cloth_with(tuple(map(tuple, rows)))


def read_spots(section: Section, cloth: Cloth) -> dict[Spot, Terms]:
    """What may be staked on the cloth, and on which terms."""
    terms: dict[Spot, Terms] = {}
    for kind in cloth.classes:
        part = section.section(kind.value)
        pays = Fraction(part.integer("pays", least=1))
        spots = cloth.of_class(kind)
        names = {spot.name: False for spot in spots}
        cites = part.citing(cite.SpotCites, names | {"spot": not all(map(part.cites, names))})
        for spot in spots:
            terms[spot] = Terms(
                spot=spot,
                pays=pays,
                spot_cites=cites.of_spot[spot.name] or cites.spot,
                pays_cites=cites.pays,
                minimum_of=(kind,),
                minimum_times=1,
                minimum_cites=(),
                maximum_of=kind,
                maximum_times=1,
                limit_cites=(),
                halves=False,
            )
        part.done()
    if section.has("straddle"):
        terms.update(_straddles(section.section("straddle"), cloth))
    section.done()
    return terms


def _straddles(section: Section, cloth: Cloth) -> dict[Spot, Terms]:
    plays = section.one("plays", behaviours.StraddlePlay)
    halves = plays is behaviours.StraddlePlay.HALVES
    pays = Fraction(0) if halves else _odds(section, "pays")
    minimum = section.integer("minimum", least=1)
    maximum = section.integer("maximum", least=1)
    offered = section.section("offered")
    bound_by = {name: offered.one(name, SpotClass) for name in offered.keys()}
    cites = section.citing(cite.StraddleCites, dict.fromkeys(bound_by, True))
    limit_cites = offered.citing(cite.NamedCites).named
    terms: dict[Spot, Terms] = {}
    for name, limited_by in bound_by.items():
        spot = cloth.spots.get(name)
        if spot is None or spot.kind is not SpotClass.STRADDLE:
            known = ", ".join(s.name for s in cloth.of_class(SpotClass.STRADDLE))
            raise offered.error(name, f"expected one of: {known}")
        boxes = tuple(dict.fromkeys(book.classes_of(spot)))
        if limited_by not in boxes:
            raise offered.error(name, f"expected one of: {', '.join(boxes)}")
        terms[spot] = Terms(
            spot=spot,
            pays=pays,
            spot_cites=cites.of_spot[name],
            pays_cites=cites.plays if halves else (),
            minimum_of=boxes,
            minimum_times=minimum,
            minimum_cites=cites.minimum,
            maximum_of=limited_by,
            maximum_times=maximum,
            limit_cites=limit_cites[name],
            halves=halves,
        )
    section.done()
    return terms


def _odds(section: Section, key: str) -> Fraction:
    pair = section.take(key)
    whole = isinstance(pair, list) and len(pair) == 2 and all(type(n) is int for n in pair)
    if not whole or pair[0] < 1 or pair[1] < 1:
        raise section.error(key, "expected two whole numbers, such as [1, 2] for half the stake")
    return Fraction(pair[0], pair[1])
