"""The packages of PyPI, as a separate program that prints coups per second.

    python bench/baselines/packages.py NAME FOLDER     FOLDER is where the package was installed

`pyroulette` is the one package made for the task: players with a layout and a wallet, many games.
Its wheel has two zeros, which does not change the work. `roulette-simulator` has a wheel but no
bets, so it cannot do the task; its spin is measured in a minimal loop, for information.
"""

import sys
import time

GAMES = 20_000


def pyroulette() -> float:
    """Coups a second of one player who lays red."""
    from pyroulette import play_roulette  # type: ignore[import-not-found]
    from pyroulette.roulette import Placement, Player, Strategy  # type: ignore[import-not-found]

    strategy = Strategy(placements=[Placement(1, 1, "red")])
    player = Player(budget=10**9, strategy=strategy, id=1)
    began = time.perf_counter()
    play_roulette([player], games=GAMES)
    return GAMES / (time.perf_counter() - began)


def roulette_simulator() -> float:
    """Spins a second, with red won or lost."""
    from model.roulette_wheel import Color, Wheel  # type: ignore[import-not-found]

    wheel, wealth = Wheel(), 0
    began = time.perf_counter()
    for _ in range(GAMES):
        wealth += 1 if wheel.random_spin().color is Color.Red else -1
    return GAMES / (time.perf_counter() - began)


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[2])
    programs = {"pyroulette": pyroulette, "roulette-simulator": roulette_simulator}
    print(max(programs[sys.argv[1]]() for _ in range(3)))
