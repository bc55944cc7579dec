"""A simulation of many players, with a staking system by name or the user's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from novamas.api.arguments import Bets, House, LimitsLike, book_of, layout_of, limits_of, whole
from novamas.game.errors import MissingExtraError, UsageError
from novamas.odds.layout import Layout
from novamas.odds.player import AtLimit
from novamas.odds.systems import SYSTEMS, Pair, System, first_wanted, read_system

if TYPE_CHECKING:
    from novamas.simulation.result import Result


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
    spins: Sequence[int] | None = None,
    threads: int | None = None,
) -> Result:
    """Plays a layout by a staking system, for many players; the same seed gives the same result.

    `system` is a name of `nv.systems()`, or a function of `(state, laid, net, unit)` that returns
    the next state: two whole numbers, of which the first is the next multiple of the layout. The
    first state is `(1, 0)`. `laid` is the multiple that was laid, `net` its result, and `unit` what
    the layout costs once. Without a `bankroll` the money is unlimited. `spins` are recorded numbers
    to play instead of drawn ones. This needs the extra `maths`.

    >>> import novamas as nv
    >>> nv.simulate("ar", "red:10", system="martingale", bankroll=1_000, coups=100, players=1_000)
    <Simulation ar red:10, martingale: 1000 players, 100 coups, -78.44 on average>
    """
    for argument, number, least in (
        ("coups", coups, 1),
        ("players", players, 1),
        ("bankroll", bankroll, 0),
        ("target", target, 0),
        ("stop_loss", stop_loss, 0),
        ("seed", seed, 0),
        ("threads", threads, 1),
    ):
        if number is not None:
            whole(number, argument=argument, least=least)
    book = book_of(house)
    laid, by, placard = layout_of(book, layout, chip=chip), system_of(system), limits_of(limits)
    return _run()(
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
        threads=threads,
    )


def system_of(system: object) -> System:
    """A staking system from its name or from a function."""
    if isinstance(system, System):
        return system
    if isinstance(system, str):
        return read_system(system)
    if callable(system):
        name = getattr(system, "__name__", "").replace("<lambda>", "") or "own"
        return System(name, "a system of one's own", (1, 0), first_wanted, system)
    expected = f"one of {', '.join(SYSTEMS)}, or a function of (state, laid, net, unit)"
    raise UsageError(f"system: expected {expected}, not {system!r}")


def _run() -> Callable[..., Result]:
    try:
        from novamas.simulation.run import simulate as run
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "novamas":
            raise
        raise MissingExtraError("simulate", missing.name or "numba", "maths") from None
    return run
