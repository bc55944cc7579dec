"""What only the staff says of a stake: no player says it, by whatever way it comes."""

from typing import Any

import pytest

from novamas.game.chips import ForeignChips
from novamas.game.rulebook.behaviours import Act
from novamas.rulebooks import HOUSES
from novamas.table import commands, events
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import STAFF_WORDS, opened, place, refused
from tests.table.staging import answer, at

FOREIGN = ForeignChips(3, "4", opening_minimum=2, value=5)
WORDS: dict[str, dict[str, Any]] = {
    "laid_for": {"laid_for": "win"},
    "value_unclear": {"value_unclear": True},
    "foreign": {"foreign": FOREIGN},
    "unattended": {"unattended": True},
    "covered": {"covered": False},
}


def test_every_word_of_the_staff_is_tried() -> None:
    assert set(WORDS) == STAFF_WORDS


@pytest.mark.rule("IT-general-15b", "IT-general-14a", "IT-general-5a", "AR-21", "AR-22.a")
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("house", HOUSES)
def test_a_player_does_not_say_it(house: str, word: str) -> None:
    table = at(house, "betting")
    refusal = refused(table, place("luis", "32:10", **WORDS[word]))
    assert refusal.why is RefusalReason.NOT_OF_THIS_POST
    assert refusal.detail.startswith(f"to say '{word}' is for the ")
    assert refusal.articles
    # Nor does somebody of the staff who lays no stakes, or somebody who is not there.
    for post in table.state.book.posts.values():
        said = place("luis", "32:10", **WORDS[word], by=f"{post.name}-1")
        if Act.PLACE_FOR_PLAYER not in post.may:
            assert answer(table, said) == "not_of_this_post"
    assert answer(table, place("luis", "32:10", **WORDS[word], by="eva")) == "not_of_this_post"


@pytest.mark.rule("IT-general-15b")
def test_it_15b_no_player_hides_behind_the_maximum_of_another() -> None:
    """A stake "for" another would count with the other's, and pass the player's own maximum."""
    limits = {"straight": {"max": 50}}
    table = opened("it", {"ana": 500, "ben": 500}, limits=limits, limits_kept="enforced")
    table.stake("ana", "17:5", id="a")
    table.stake("ben", "17:50", id="b")
    assert answer(table, place("ben", "17:45", laid_for="a")) == "not_of_this_post"
    assert answer(table, place("ben", "17:45")) == "exceeds_maximum"


@pytest.mark.parametrize("house", ["it", "bg"])
def test_an_announcement_without_chips_is_said_by_the_staff_too(house: str) -> None:
    table = at(house, "betting")
    said: dict[str, Any] = {"id": "t", "player": "luis", "call": "tiers", "amount": 6}
    by_player = commands.Announce(by="luis", covered=False, **said)
    assert answer(table, by_player) == "not_of_this_post"
    by_staff = commands.Announce(by="croupier-1", covered=False, **said)
    assert answer(table, by_staff) == "chips_not_laid"


@pytest.mark.rule("IT-general-15b", "IT-general-14a", "IT-general-5a")
def test_it_the_croupier_lays_all_of_them_for_a_player() -> None:
    table = at("it", "betting")
    for word in ("laid_for", "value_unclear", "foreign", "unattended"):
        table.act(place("luis", "32:10", by="croupier-1", id=word, **WORDS[word]))
        assert table.last(events.StakePlaced).by == "croupier-1"
    stakes = table.state.stakes
    assert stakes["laid_for"].principal == "ana"
    assert stakes["value_unclear"].unclear
    assert stakes["foreign"].amount == 15
    assert stakes["unattended"].away
