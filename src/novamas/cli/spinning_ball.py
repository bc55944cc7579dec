"""The ball in the terminal: the pockets run past and come to rest at the number that fell."""

from __future__ import annotations

import time
from collections.abc import Iterator

from novamas.cli.commands.wheel import painted
from novamas.cli.terminal import Terminal
from novamas.game.wheel import Direction, Pocket, Wheel

EACH_SIDE = 5
STEPS = 44
QUICK, SLOW = 0.02, 0.17
"""How long a pocket is shown at first, and at last, in seconds."""


def run_ball(terminal: Terminal, wheel: Wheel, number: Pocket, turns: Direction) -> None:
    """Shows the wheel turning until the ball rests; Ctrl-C skips to the end."""
    try:
        for pocket, seconds in passing(wheel, number, turns):
            terminal.out.write("\r" + terminal.fit(strip(terminal, wheel, pocket)))
            terminal.out.flush()
            time.sleep(seconds)
    except KeyboardInterrupt:
        terminal.out.write("\r" + terminal.fit(strip(terminal, wheel, number)))
    terminal.out.write("\n")


def passing(wheel: Wheel, number: Pocket, turns: Direction) -> Iterator[tuple[Pocket, float]]:
    """The pockets under the ball, each with how long it is shown; the last is the number's.

    >>> from novamas.game.wheel import AMERICAN
    >>> [pocket for pocket, _ in passing(AMERICAN, 1, Direction.CLOCKWISE)][-3:]
    [27, '00', 1]
    """
    # Under a ball at rest, a wheel that turns clockwise brings up the previous pocket.
    way = -1 if turns is Direction.CLOCKWISE else 1
    end = wheel.position(number)
    for step in range(STEPS, -1, -1):
        gone = 1 - step / STEPS
        yield wheel.order[(end - way * step) % len(wheel)], QUICK + (SLOW - QUICK) * gone**3


def strip(terminal: Terminal, wheel: Wheel, pocket: Pocket) -> str:
    """A piece of the wheel with a pocket in its middle."""
    shown = []
    for each in wheel.neighbours(pocket, EACH_SIDE):
        text = painted(terminal, each, f"{each:>3} ")
        shown.append(f"▸{text}◂" if each == pocket else text)
    return "  " + "".join(shown) + "  "
