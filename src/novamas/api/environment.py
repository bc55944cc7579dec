"""The environment for learning agents, by the interface of Gymnasium."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from itertools import product
from math import prod
from typing import Any, ClassVar, Final, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec

from novamas.api.arguments import pocket_of
from novamas.api.optimum import Optimum, State, best
from novamas.api.solo import Laid, Solo
from novamas.drawing.piles import Pile
from novamas.drawing.svg import ClothPicture
from novamas.game.arguments import listed, shown, whole_or_none
from novamas.game.cloth import Spot, SpotClass
from novamas.game.errors import UsageError
from novamas.game.limits import Limits
from novamas.game.notation import Bet, format_bets
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket
from novamas.odds.errors import LayoutError, TooLargeError
from novamas.odds.number_format import counted
from novamas.odds.play import Prison, Turn, held_in
from novamas.simulation.bounds import MOST_SPINS
from novamas.table.commands import Choice

MOST_LAYOUTS: Final = 4096
"""The most different actions for which the optimum is worked out."""
ZEROS: Final = 2
"""The engine counts the zeros that a prisoner has met up to here: more make no difference."""

Observation: TypeAlias = dict[str, Any]
Numbers: TypeAlias = Any
"""An array of whole numbers."""


class Environment(gymnasium.Env[Observation, Any]):
    """One player at a house: at every step they lay bets, and a number comes out.

    The observation is a dict. `purse` is what may be laid. `prison` has for each simple chance a
    row with what is in prison after one zero, and after more. `coups` is how many are left. `last`
    is the last number: its place on the wheel's list plus one, or 0 before the first.

    Only bets that divide are taken, as at a live table: an odd unit would go to the player, and a
    learner would find that out. An action that the table would refuse lays nothing;
    `info["refused"]` says why, and for discrete actions `info["mask"]` has a 1 for each that is
    allowed. The play terminates with nothing left or at the target, never while something is in
    prison, and is truncated after the last coup; what is in prison then counts as the player's.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # type: ignore[misc]

    def __init__(  # noqa: PLR0913 - each is something a player may set, and all have names.
        self,
        book: Rulebook,
        *,
        actions: str,
        bets: Laid | None,
        most: int,
        bankroll: int,
        coups: int,
        goal: str,
        target: int | None,
        limits: Limits,
        chip: int,
        render_mode: str | None,
    ) -> None:
        known = isinstance(render_mode, str) and render_mode in self.metadata["render_modes"]
        if render_mode is not None and not known:
            raise UsageError(f"render_mode: expected ansi or None, not {shown(render_mode)}")
        self.render_mode = render_mode
        self.book = book
        self.actions = actions
        self.most = most
        self.bankroll = bankroll
        self.coups = coups
        self.goal = goal
        self.target = target
        self.wheel = book.wheel.pockets
        self.pockets = len(self.wheel)
        self._solo = Solo(book, limits, chip=chip)
        if bets is None:
            self.bets = self._solo.every_spot()
        else:
            self.bets = bets
            self._check_bets()
        self.choices = self._solo.choices
        self.least = min(bet.amount for bet in self.bets)
        self._chances = [spot for spot in book.terms if spot.kind is SpotClass.SIMPLE]
        self.action_space = self._action_space()
        self.observation_space = self._observation_space()
        self._state = State(coups, bankroll, ())
        self._last: Pocket | None = None
        self._laid: Laid = ()
        self._given: Iterator[Pocket] = iter(())
        arguments = {
            "book": book,
            "actions": actions,
            "bets": self.bets,
            "most": most,
            "bankroll": bankroll,
            "coups": coups,
            "goal": goal,
            "target": target,
            "limits": limits,
            "chip": chip,
        }
        self.spec = EnvSpec(
            "novamas/Roulette-v0",
            entry_point=_make,
            disable_env_checker=True,
            order_enforce=False,
            kwargs={**arguments, "render_mode": render_mode},
        )

    def __repr__(self) -> str:
        choices = " and two choices" if len(self.choices) > 1 else ""
        played = counted(self.coups, "coup")
        offered = len(self.bets) + (self.actions == "discrete")
        bets = f"{counted(offered, 'bet')}{choices}"
        return f"<Environment {self.book.id}: {bets}, purse {self.bankroll}, {played}>"

    __str__ = __repr__

    # The spaces -----------------------------------------------------------------------------------

    def _check_bets(self) -> None:
        for bet in self.bets:
            problem = self._solo.refusal((bet,), bet.amount)
            problem = problem or self._solo.odd(bet)
            if problem is not None:
                raise LayoutError(f"bets: {problem}")

    def _action_space(self) -> spaces.Space[Any]:
        if self.actions == "discrete":
            return spaces.Discrete((len(self.bets) + 1) * len(self.choices))
        choices = [len(self.choices)] if len(self.choices) > 1 else []
        return spaces.MultiDiscrete([self.most + 1] * len(self.bets) + choices)

    def _observation_space(self) -> spaces.Dict:
        times = 1 if self.actions == "discrete" else self.most
        amounts = [bet.amount * times for bet in self.bets]
        staked = max(amounts) if self.actions == "discrete" else sum(amounts)
        dearest = max(int(terms.pays) for terms in self.book.terms.values()) + 1
        # Nobody can have more than if the dearest bet had won in every coup.
        top = self.bankroll + self.coups * staked * dearest
        held = (len(self._chances), ZEROS)
        return spaces.Dict(
            {
                "purse": spaces.Box(0, top, (1,), np.int64),
                "prison": spaces.Box(0, top, held, np.int64),
                "coups": spaces.Box(0, self.coups, (1,), np.int64),
                "last": spaces.Discrete(self.pockets + 1),
            }
        )

    # What Gymnasium asks --------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins anew; `options={"numbers": [...]}` gives the first numbers to come out."""
        given = self._numbers_of(options)
        super().reset(seed=whole_or_none(seed, argument="seed", least=0))
        self._state = State(self.coups, self.bankroll, ())
        self._last, self._laid = None, ()
        self._given = iter(given)
        return self._observation(), self._info(net=0, refused=None)

    def _numbers_of(self, options: object) -> tuple[Pocket, ...]:
        """The first numbers that the options of a reset name."""
        if options is None:
            return ()
        if not isinstance(options, dict) or not options.keys() <= {"numbers"}:
            raise UsageError(f"options: expected {{'numbers': [...]}}, not {shown(options)}")
        numbers = listed(
            options.get("numbers", ()), argument="numbers", of="numbers", most=MOST_SPINS
        )
        return tuple(pocket_of(each, self.wheel, argument="numbers") for each in numbers)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays a coup; gives the observation, the reward, whether it ended, and the details."""
        laid, choice = self.laid_by(action)
        before = self._state
        refused = self._solo.refusal(laid, before.purse)
        self._laid = () if refused else laid
        number = next(self._given, None)
        if number is None:
            number = self.wheel.pockets[int(self.np_random.integers(self.pockets))]
        turn = self._solo.turn(self._laid, number, before.prison, choice)
        self._state = State(before.left - 1, before.wealth + turn.net, turn.prison)
        self._last = number
        end = self.end_of(self._state)
        reward = float(self.reward(turn.net, end))
        info = self._info(net=turn.net, refused=refused)
        return self._observation(), reward, end is not None, self._state.left <= 0, info

    def render(self) -> str | None:
        """The cloth with the last bets and the last number, in letters."""
        if self.render_mode is None:
            return None
        piles = [
            Pile(bet.what, bet.amount, "player") for bet in self._laid if isinstance(bet.what, Spot)
        ]
        held = [Pile(each.spot, each.amount, "player") for each in self._state.prison]
        return str(ClothPicture(self.book, piles, dolly=self._last, prison=held))

    # What an action means -------------------------------------------------------------------------

    def laid_by(self, action: Any) -> tuple[Laid, Choice]:
        """The bets of an action, and its choice at zero."""
        if isinstance(action, Sized) and len(action) > len(self.bets) + 1:
            raise UsageError(f"action: expected one of {self.action_space}, not {shown(action)}")
        if not self.action_space.contains(action):
            raise UsageError(f"action: expected one of {self.action_space}, not {shown(action)}")
        if self.actions == "discrete":
            choice, place = divmod(int(action), len(self.bets) + 1)
            return (() if place == 0 else (self.bets[place - 1],)), self.choices[choice]
        numbers = [int(each) for each in action]
        times, chosen = numbers[: len(self.bets)], numbers[len(self.bets) :]
        laid = tuple(
            Bet(bet.what, bet.amount * often)
            for bet, often in zip(self.bets, times, strict=True)
            if often
        )
        return laid, self.choices[chosen[0] if chosen else 0]

    def name_of(self, action: Any) -> str:
        """An action in words: its bets in the notation, and the choice where there is one.

        >>> import novamas as nv
        >>> env = nv.environment("es", bets=["red:2", "17:1"])
        >>> [env.name_of(action) for action in range(6)]
        ['-', 'red:2', '17:1', '- half', 'red:2 half', '17:1 half']
        """
        laid, choice = self.laid_by(action)
        words = format_bets(laid) if laid else "-"
        return words if choice is self.choices[0] else f"{words} {choice.value}"

    def mask(self) -> Numbers:
        """A 1 for each discrete action that the table allows now, and a 0 for every other."""
        purse = self._state.purse
        once = [1, *(int(bet.amount <= purse) for bet in self.bets)]
        return np.array(once * len(self.choices), dtype=np.int8)

    def _every_action(self) -> Iterator[Any]:
        """Every action, those without a bet first."""
        if self.actions == "discrete":
            yield from range((len(self.bets) + 1) * len(self.choices))
            return
        counts = [range(self.most + 1)] * len(self.bets)
        choices = range(len(self.choices))
        tail = [choices] if len(self.choices) > 1 else []
        if prod(map(len, [*counts, *tail])) > MOST_LAYOUTS:
            raise TooLargeError(
                "there are too many different layouts", instead="give fewer bets, or a lower `most`"
            )
        yield from product(*counts, *tail)

    # The exact reference --------------------------------------------------------------------------

    def optimum(self) -> Optimum:
        """The greatest expected sum of rewards from here on, as a fraction, and the action for it.

        Raises `TooLargeError` where too many states can be reached.

        >>> import novamas as nv
        >>> env = nv.environment("it", bets=["red:10"], bankroll=20, coups=10)
        >>> env.optimum()
        Optimum(value=Fraction(0, 1), action=0)
        """
        return best(self, self._state)

    def turns_of(self, state: State) -> Iterator[tuple[Any, tuple[Turn, ...]]]:
        """Every action that the table allows in a state, with what the pockets then do."""
        for action in self._every_action():
            laid, choice = self.laid_by(action)
            if self._solo.refusal(laid, state.purse) is None:
                yield action, self._solo.turns(laid, state.prison, choice)

    def end_of(self, state: State) -> str | None:
        """How the play has ended in a state; None if it goes on."""
        if state.prison:
            return None
        if self.target is not None and state.wealth >= self.target:
            return "target"
        return "ruin" if state.wealth < self.least else None

    def reward(self, net: int, end: str | None) -> int:
        """What a coup brings: its net result, or 1 for the target where that is the goal."""
        return net if self.goal == "net" else int(end == "target")

    # What the player sees -------------------------------------------------------------------------

    def _observation(self) -> Observation:
        state = self._state
        return {
            "purse": np.array([state.purse], dtype=np.int64),
            "prison": self._held(state.prison),
            "coups": np.array([state.left], dtype=np.int64),
            "last": 0 if self._last is None else self.wheel.index(self._last) + 1,
        }

    def _held(self, prison: Prison) -> Numbers:
        found = np.zeros((len(self._chances), ZEROS), dtype=np.int64)
        for each in prison:
            found[self._chances.index(each.spot), min(each.zeros, ZEROS) - 1] += each.amount
        return found

    def _info(self, *, net: int, refused: str | None) -> dict[str, Any]:
        info: dict[str, Any] = {
            "number": self._last,
            "net": net,
            "wealth": self._state.wealth,
            "held": held_in(self._state.prison),
            "refused": refused,
        }
        return info | {"mask": self.mask()} if self.actions == "discrete" else info


def _make(**arguments: Any) -> gymnasium.Env[Any, Any]:
    """The same environment again, as Gymnasium asks for it."""
    return Environment(**arguments)
