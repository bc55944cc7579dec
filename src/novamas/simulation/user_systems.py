"""The user's own staking system, checked before it is played.

It is first run for some rounds in plain Python, so that a mistake gets a clear message, and then
compiled on its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final

from novamas.game.errors import NovamasError
from novamas.odds.player import Game
from novamas.odds.systems import Pair, System, laid_of
from novamas.simulation.player_arrays import MOST_STATE

STATES: Final = 500
"""How many states are checked."""
OVERFLOWS: Final = 1 << 63


class OwnSystemError(NovamasError, ValueError):
    """The user's own system cannot be played."""


def check_own(game: Game) -> None:
    """Raises `OwnSystemError` if a system returns other than whole numbers or does not compile."""
    system = game.system
    if system.after is None or system.wanted is None:
        return
    _follow(game, system.wanted, system.after)
    _compile("after", system.after, whole=3, pair=True)
    _compile("wanted", system.wanted, whole=0, pair=False)


def too_far(system: System) -> OwnSystemError:
    """An error: the state of a system comes to numbers that would overflow."""
    bound = f"its state comes to numbers beyond {MOST_STATE:,}"
    return OwnSystemError(f"{system.name}: {bound}: bound them, as min(state[0], 1000) does")


def fault_of(system: System, problem: Exception) -> OwnSystemError:
    """The message for an error in the user's own system."""
    return OwnSystemError(f"{system.name} fails after some rounds: {_describe_error(problem)}")


def _follow(
    game: Game, wanted: Callable[[Pair], int], after: Callable[[Pair, int, int, int], Pair]
) -> None:
    start = game.system.start
    if not _is_pair(start):
        raise OwnSystemError(f"start is {start!r}, not two whole numbers such as (1, 0)")
    nets = sorted({turn.net for turn in game.play.turns(times=1)})
    waiting: deque[Pair] = deque([(start[0], start[1])])
    seen = {*waiting}
    if _is_far(start):
        raise too_far(game.system)
    while waiting and len(seen) <= STATES:
        state = waiting.popleft()
        wants = _called("wanted", wanted, state)
        if not isinstance(wants, int) or wants < 0:
            problem = f"of the state {state} it wants the layout {wants!r} times over"
            raise OwnSystemError(f"{problem}: expected a whole number, 0 or more")
        laid = laid_of(wants, game.most, game.bankroll, game.unit)
        for net in nets:
            arguments = (state, laid, laid * net, game.unit)
            came = _called("after", after, *arguments)
            if not _is_pair(came):
                raise OwnSystemError(f"after{arguments} gives {came!r}, not two whole numbers")
            if came != _called("after", after, *arguments):
                raise OwnSystemError(f"after{arguments} does not always give the same")
            if max(map(abs, came)) >= OVERFLOWS:
                # From here one round would overflow, and nobody could tell in 64 bits.
                raise too_far(game.system)
            if came not in seen and not _is_far(came):
                seen.add(came)
                waiting.append(came)


def _is_far(state: tuple[int, ...]) -> bool:
    return max(map(abs, state)) > MOST_STATE


def _is_pair(state: object) -> bool:
    if not isinstance(state, tuple) or len(state) != 2:
        return False
    return all(isinstance(number, int) for number in state)


def _called(name: str, function: Callable[..., Any], *given: Any) -> Any:
    try:
        return function(*given)
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - it is anybody's program.
        listed = ", ".join(map(str, given))
        raise OwnSystemError(f"{name}({listed}) fails: {_describe_error(problem)}") from None


def _describe_error(problem: BaseException) -> str:
    kind = type(problem).__name__
    return f"{kind}: {problem}" if str(problem) else kind


def _compile(name: str, function: Callable[..., Any], *, whole: int, pair: bool) -> None:
    """Compiles a function of a state and so many whole numbers, which gives a pair or one."""
    # The compiler is loaded only for a system of one's own.
    from numba import njit, types

    takes = (types.UniTuple(types.int64, 2), *[types.int64] * whole)
    try:
        made = njit(function)
        made.compile(takes)
        gives = made.overloads[takes].signature.return_type
    except Exception:  # noqa: BLE001 - the compiler has many, and not all of them are its own.
        why = "it may reckon with the numbers it is given, and neither import nor change anything"
        raise OwnSystemError(f"{name} cannot be compiled: {why}") from None
    parts: tuple[Any, ...] = getattr(gives, "types", (gives,))
    if len(parts) != (2 if pair else 1) or not all(
        isinstance(part, types.Integer | types.Boolean) for part in parts
    ):
        what = "two whole numbers" if pair else "a whole number"
        raise OwnSystemError(f"{name} gives {gives} when it is compiled, not {what}")
