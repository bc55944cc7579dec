"""Evenings of an honest house: a verifier must find nothing wrong with them."""

from __future__ import annotations

from novamas.game.wheel import AMERICAN, EUROPEAN, Wheel
from scripts.vectors.play import ME, OTHER, Play, Vectors, seed_with

VECTORS = vector = Vectors()
THREE_ZEROS = Wheel((*EUROPEAN.order, "00", "000"))


@vector()
def honest(play: Play) -> None:
    """Three spins with the texts of two players."""
    play.begin()
    for _ in range(3):
        play.coup()


@vector()
def honest_without_texts(play: Play) -> None:
    """Nobody sets a text: the secret alone draws the number."""
    play.begin()
    for _ in range(2):
        play.stake()
        play.close()
        play.settle(play.reveal())


@vector()
def honest_text_replaced(play: Play) -> None:
    """A player may set another text as long as betting is open; the last one counts."""
    play.begin()
    play.commit(ME, "first thought")
    play.commit(ME, "second thought")
    play.close()
    play.open(ME)
    play.settle(play.reveal())


@vector()
def honest_withheld(play: Play) -> None:
    """Another player does not open their text: it is counted, and its hash is mixed in."""
    play.begin()
    play.until_close()
    play.open(ME)
    play.settle(play.reveal())
    play.coup()


@vector()
def honest_missed(play: Play) -> None:
    """The player's own line breaks: their text is not opened, which is counted apart."""
    play.begin()
    play.commit(ME)
    play.leave()
    play.close()
    play.settle(play.reveal())
    play.connect(resumed=True)
    play.coup()


@vector()
def honest_left_before_the_close(play: Play) -> None:
    """Somebody who leaves before the close takes their text with them."""
    play.begin()
    play.commit(OTHER)
    play.seats.remove(OTHER)
    del play.hashes[OTHER]
    play.event("PlayerLeft", player=OTHER)
    play.coup(ME)


@vector()
def honest_left_after_the_close(play: Play) -> None:
    """Somebody who leaves after the close has taken part."""
    play.begin()
    play.until_close()
    play.event("PlayerLeft", player=OTHER)
    play.seats.remove(OTHER)
    play.open(ME)
    play.settle(play.reveal())
    play.coup(ME)


@vector(length=2)
def honest_used_up(play: Play) -> None:
    """Chains of two secrets: a new one is committed with the last reveal of the old."""
    play.begin()
    for _ in range(5):
        play.coup()


@vector()
def honest_taken_up(play: Play) -> None:
    """The house starts again while bets are open: a new chain is committed, and texts anew."""
    play.begin()
    play.coup()
    play.commit(ME)
    play.stake()
    play.leave()
    play.commit_chain("taken_up")
    play.bind()
    play.connect(resumed=True)
    play.coup()


def _fall_before_a_new_chain(play: Play) -> None:
    """The ball of a closed coup falls as committed, then a new chain begins and play goes on."""
    number = play.reveal()
    play.event("BallPocketed", number=number, last=False)
    play.commit_chain("taken_up")
    play.bind()
    play.event("NumberCalled", call=str(number), pocket=number)
    play.coup()


@vector()
def honest_taken_up_closed(play: Play) -> None:
    """The house starts again after the close: the ball is the committed one, then comes a chain."""
    play.begin()
    play.coup()
    play.until_close()
    play.leave()
    play.connect(resumed=True)
    play.open(ME)
    _fall_before_a_new_chain(play)


@vector()
def honest_taken_up_twice(play: Play) -> None:
    """The house starts again twice while the player is away, before the close and after it."""
    play.begin()
    play.coup()
    play.leave()
    play.commit_chain("taken_up")
    play.bind()
    play.until_close(OTHER)
    play.connect(resumed=True)
    play.open(OTHER)
    _fall_before_a_new_chain(play)


@vector()
def honest_away(play: Play) -> None:
    """The player goes, and comes back some spins later: the chain has gone on meanwhile."""
    play.begin()
    play.coup()
    play.leave()
    play.coup(OTHER)
    play.coup(OTHER)
    play.connect()
    play.coup()


def _come_late(play: Play) -> None:
    """The player connects for the first time when betting on the second coup is closed."""
    play.begin()
    play.coup(OTHER)
    play.notes.clear()
    play.leave()
    play.until_close(OTHER)
    play.connect()
    play.open(OTHER)
    play.settle(play.reveal())
    play.coup()


@vector(told=False)
def honest_came_late(play: Play) -> None:
    """The player comes to a table that plays, in the middle of a spin, and has but a proof."""
    _come_late(play)


@vector(proof=False)
def honest_as_the_house_tells_it(play: Play) -> None:
    """What the house tells, without a proof of anybody."""
    play.begin()
    play.coup()
    play.coup()


@vector(table="Маса 2", player="Ана")
def honest_names(play: Play) -> None:
    """Names and texts of many alphabets: they are sorted by code points, not by halves of them."""
    names = ("Ана", "\U00010330", "\uffee", "a", "B", "ana")
    play.begin(*names)
    for name in names:
        play.commit(name, f"късмет, {name} – é")
    play.close()
    for name in names[:4]:
        play.open(name)
    play.settle(play.reveal())


@vector(player="constructor")
def honest_names_that_are_words_of_javascript(play: Play) -> None:
    """Names are names: none of them means something to a verifier."""
    names = ("constructor", "__proto__", "toString", "seq")
    play.begin(*names)
    play.until_close(*names)
    for name in names[:3]:
        play.open(name)
    play.settle(play.reveal())


@vector(length=1)
def honest_bytes_thrown_away(play: Play) -> None:
    """The first byte of the stream is 222 or more: the next one is looked at."""
    play.begin(seed=seed_with(play, lambda byte: byte >= 222))
    play.close()
    play.settle(play.reveal())


# The wheel ----------------------------------------------------------------------------------------


@vector(wheel=EUROPEAN)
def honest_one_zero(play: Play) -> None:
    """The house says that its wheel has one zero: the numbers are as if it had not."""
    play.begin()
    for _ in range(3):
        play.coup()


@vector()
def honest_one_zero_said_later(play: Play) -> None:
    """A table that was begun before houses said it: from some spin on its commitments say [0]."""
    play.begin()
    play.until_reveal()
    number = play.reveal()
    play.say_zeros()
    play.settle(number)
    play.coup()


@vector(table="sd", wheel=AMERICAN)
def honest_two_zeros(play: Play) -> None:
    """A wheel with 0 and 00: 38 pockets."""
    play.begin()
    for _ in range(4):
        play.coup()


@vector(table="sd", wheel=AMERICAN, length=1)
def honest_double_zero(play: Play) -> None:
    """A byte of 37 is the pocket 00, the last of the 38."""
    play.begin(seed=seed_with(play, lambda byte: byte == 37))
    play.close()
    play.settle(play.reveal())


@vector(table="sd", wheel=AMERICAN, length=1)
def honest_two_zeros_byte_above_222(play: Play) -> None:
    """A byte from 222 to 227 counts on a wheel of 38 pockets."""
    play.begin(seed=seed_with(play, lambda byte: 222 <= byte < 228))
    play.close()
    play.settle(play.reveal())


@vector(table="sd", wheel=AMERICAN, length=1)
def honest_two_zeros_bytes_thrown_away(play: Play) -> None:
    """The first byte of the stream is 228 or more: the next one is looked at."""
    play.begin(seed=seed_with(play, lambda byte: byte >= 228))
    play.close()
    play.settle(play.reveal())


@vector(table="sd", wheel=AMERICAN, told=False)
def honest_two_zeros_came_late(play: Play) -> None:
    """The player comes in the middle of a spin: the state of the table says which zeros it has."""
    _come_late(play)


@vector(table="sd", wheel=AMERICAN, proof=False)
def honest_two_zeros_from_a_reveal_on(play: Play) -> None:
    """What the house tells begins with a reveal, which says itself which zeros the wheel has."""
    play.begin()
    play.until_reveal()
    del play.events[:]
    play.settle(play.reveal())
    play.coup()


@vector(table="third", wheel=THREE_ZEROS)
def honest_three_zeros(play: Play) -> None:
    """A wheel with 0, 00 and 000: 39 pockets, and the bytes below 234 count."""
    play.begin()
    for _ in range(4):
        play.coup()
