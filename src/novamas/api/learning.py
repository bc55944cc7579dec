"""Makes the environment for learning agents; Gymnasium is imported when one is made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from novamas.api.arguments import House, LimitsLike, bets_of, book_of, limits_of
from novamas.game.arguments import items, one_of, whole
from novamas.game.errors import MissingExtraError, UsageError
from novamas.game.notation import Bet

if TYPE_CHECKING:
    from novamas.api.environment import Environment

Actions: TypeAlias = Literal["discrete", "layout"]
Goal: TypeAlias = Literal["net", "target"]
BETS: Final = "bets such as '17:5 red:10', or a list of them"
MOST: Final = 1 << 53
"""The largest number of an environment: observations are arrays, which count exactly up to it."""


def environment(  # noqa: PLR0913 - each is something a player may set, and all have names.
    house: House,
    *,
    actions: Actions = "discrete",
    bets: str | Bet | Iterable[str | Bet] | None = None,
    most: int = 1,
    bankroll: int = 100,
    coups: int = 100,
    goal: Goal = "net",
    target: int | None = None,
    limits: LimitsLike = None,
    chip: int = 1,
    render_mode: str | None = None,
) -> Environment:
    """A Gymnasium environment: one player at a house, a coup at every step.

    With `discrete` actions the player lays nothing or one of the `bets`; with `layout` actions each
    of them up to `most` times. Without `bets` there is one for every spot of the house, of the
    least amount that plays. Where the house lets players choose at zero, the action chooses too.
    The reward is what the coup won or lost, or with the goal `target` 1 for reaching it. This needs
    the extra `learn`.

    >>> import novamas as nv
    >>> env = nv.environment("es", bets=["red:2", "17:1"], bankroll=2, coups=3)
    >>> env
    <Environment es: 3 bets and two choices, purse 2, 3 coups>
    >>> observation, info = env.reset(seed=7)
    >>> aim = {"goal": "target", "target": 4}
    >>> nv.environment("ar", bets=["red:1", "red:2"], bankroll=2, coups=1, **aim).optimum()
    Optimum(value=Fraction(18, 37), action=2)
    """
    for argument, number in (
        ("most", most),
        ("bankroll", bankroll),
        ("coups", coups),
        ("chip", chip),
    ):
        whole(number, argument=argument, most=MOST)
    one_of(actions, ("discrete", "layout"), argument="actions")
    one_of(goal, ("net", "target"), argument="goal")
    if target is not None and whole(target, argument="target", most=MOST) <= bankroll:
        raise UsageError(f"target: expected more than the bankroll of {bankroll}, not {target}")
    if goal == "target" and target is None:
        raise UsageError("target: the goal is to reach it, so it must be given")
    book = book_of(house)
    known = None
    if bets is not None:
        given = (bets,) if isinstance(bets, str | Bet) else items(bets, argument="bets", of=BETS)
        known = tuple(bet for each in given for bet in bets_of(book, each))
        if not known:
            raise UsageError("bets: expected at least one, such as 'red:10'")
    try:
        from novamas.api.environment import Environment
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "novamas":
            raise
        raise MissingExtraError("environment", missing.name or "gymnasium", "learn") from None
    return Environment(
        book,
        actions=actions,
        bets=known,
        most=most,
        bankroll=bankroll,
        coups=coups,
        goal=goal,
        target=target,
        limits=limits_of(limits),
        chip=chip,
        render_mode=render_mode,
    )
