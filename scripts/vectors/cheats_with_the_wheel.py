"""Evenings of a house that changes the wheel it committed to, or its zeros."""

from __future__ import annotations

from novamas.game.wheel import AMERICAN
from scripts.vectors.play import Play, Vectors, seed_with

VECTORS = vector = Vectors()


@vector("changed_commitment", table="sd", wheel=AMERICAN)
def wheel_changed_after_the_close(play: Play) -> None:
    """The house commits to a wheel with 0 and 00, and reveals with one that has 0 alone."""
    play.begin()
    play.coup()
    play.until_reveal()
    play.settle(play.reveal(zeros=[0]))
    play.coup()


@vector("changed_commitment", "wrong_number", table="sd", wheel=AMERICAN, length=1)
def wheel_changed_for_another_number(play: Play) -> None:
    """The same, to have another number: with one zero a byte of 37 is 0, and not 00."""
    play.begin(seed=seed_with(play, lambda byte: byte == 37))
    play.stake()
    play.close()
    play.settle(play.reveal(zeros=[0], number=0))


@vector("changed_commitment", table="es")
def wheel_gets_a_double_zero(play: Play) -> None:
    """A house that said nothing of its wheel commits to one with 00 later in the evening."""
    play.begin()
    play.until_reveal()
    play.event("BallPocketed", number=(number := play.reveal()), last=False)
    play.wheel = AMERICAN
    play.say_zeros()
    play.bind()
    play.event("NumberCalled", call=str(number), pocket=number)
    play.coup()


@vector("changed_commitment", table="sd", wheel=AMERICAN, told=False)
def wheel_changed_while_one_was_away(play: Play) -> None:
    """Who comes back is shown another wheel than before."""
    play.begin()
    play.coup()
    play.leave()
    play.zeros = {"zeros": [0]}
    play.connect()


@vector("unreadable", table="sd", wheel=AMERICAN, proof=False)
def zeros_that_no_wheel_has(play: Play) -> None:
    """A reveal says that the wheel has 0 twice."""
    play.begin()
    play.until_reveal()
    play.reveal(zeros=[0, 0])


@vector("wrong_number", table="sd", wheel=AMERICAN, length=1)
def zero_for_double_zero(play: Play) -> None:
    """The ball falls on 00, and the house says 0."""
    play.begin(seed=seed_with(play, lambda byte: byte == 37))
    play.close()
    play.settle(play.reveal(number=0))


@vector("wrong_number", table="sd", wheel=AMERICAN, length=1)
def double_zero_as_a_number_of_its_index(play: Play) -> None:
    """The ball falls on 00, and the house says 37, the index of its pocket."""
    play.begin(seed=seed_with(play, lambda byte: byte == 37))
    play.close()
    play.settle(play.reveal(number=37))
