"""A simulation of many players, with a staking system by name or the user's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from novamas.api.arguments import Bets, House, LimitsLike, book_of, layout_of, limits_of
from novamas.api.progress import ProgressBar
from novamas.game.arguments import shown, switch
from novamas.game.errors import MissingExtraError, UsageError
from novamas.game.wheel import Pocket
from novamas.odds.layout import Layout
from novamas.odds.player import AtLimit
from novamas.odds.systems import SYSTEMS, Pair, System, first_wanted, system_of

if TYPE_CHECKING:
    from novamas.simulation.result import Result
    from novamas.simulation.run import Progress


def systems() -> dict[str, str]:
    """The staking systems that have a name, with what each does.

    >>> import novamas as nv
    >>> nv.systems()["martingale"]
    'doubles after a loss'
    """
    return {name: system.about for name, system in SYSTEMS.items()}


def simulate(  # noqa: PLR0913 - each is something a player may set, and all have names.
    house: House,
    layout: Bets | Layout,
    *,
    system: str | System | Callable[[Pair, int, int, int], Pair] = "flat",
    coups: int | None = None,
    players: int | None = None,
    bankroll: int | None = None,
    target: int | None = None,
    stop_loss: int | None = None,
    choice: str | Sequence[str] = "prison",
    limits: LimitsLike = None,
    chip: int = 1,
    at_limit: AtLimit = "cap",
    seed: int = 0,
    spins: Sequence[Pocket] | None = None,
    to_the_end: bool = False,
    threads: int | None = None,
    progress: bool = False,
) -> Result:
    """Plays a layout by a staking system, for many players; the same seed gives the same result.

    `system` is a name of `nv.systems()`, or a function of `(state, laid, net, unit)` that returns
    the next state: two whole numbers, of which the first is the next multiple of the layout. The
    first state is `(1, 0)`. `laid` is the multiple that was laid, `net` its result, and `unit` what
    the layout costs once. Without a `bankroll` the money is unlimited. `spins` are recorded numbers
    to play instead of drawn ones: whole numbers, and `"00"` where the wheel has it. What is in
    prison after the last coup counts in full, unless `to_the_end` follows it until it is decided.
    `progress` draws a bar in the terminal or the notebook. This needs the extra `maths`.

    >>> import novamas as nv
    >>> nv.simulate("ar", "red:10", system="martingale", bankroll=1_000, coups=100, players=1_000)
    <Simulation ar red:10, martingale: 1000 players, 100 coups, -78.44 on average>
    """
    book = book_of(house)
    laid, by, placard = layout_of(book, layout, chip=chip), staking(system), limits_of(limits)
    run = _run()
    bar = ProgressBar() if switch(progress, argument="progress") else None
    found = run(
        book,
        laid,
        system=by,
        coups=coups,
        players=players,
        bankroll=bankroll,
        target=target,
        stop_loss=stop_loss,
        choice=choice,
        limits=placard,
        at_limit=at_limit,
        seed=seed,
        spins=spins,
        to_the_end=to_the_end,
        threads=threads,
        tell=None if bar is None else partial(_draw, bar),
    )
    if bar is not None:
        bar.close()
    return found


def _draw(bar: ProgressBar, far: Progress) -> None:
    bar.draw(far.done, f"{far.coups:,} coups, {far.rate:,.0f} a second")


def staking(system: object) -> System:
    """A staking system from its name or from a function."""
    if isinstance(system, str | System):
        return system_of(system)
    if callable(system):
        name = str(getattr(system, "__name__", "")).replace("<lambda>", "") or "own"
        return System(name, "a system of one's own", (1, 0), first_wanted, system)
    expected = f"one of {', '.join(SYSTEMS)}, or a function of (state, laid, net, unit)"
    raise UsageError(f"system: expected {expected}, not {shown(system)}")


def _run() -> Callable[..., Result]:
    try:
        from novamas.simulation.run import simulate as run
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "novamas":
            raise
        raise MissingExtraError("simulate", missing.name or "numba", "maths") from None
    return run
