"""`novamas verify`: every drawn number of a house worked out again from its commitment."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from novamas.cli import reading
from novamas.cli.errors import InputError
from novamas.cli.store import Progress, opened, tables_of
from novamas.cli.terminal import Terminal
from novamas.odds.written import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from novamas.house.store import Store
    from novamas.house.verify import BallCheck, Balls

SHOWN = 20
"""So many wrong coups are told one by one."""


def run(args: Namespace, terminal: Terminal) -> int:
    """Tells of each table whether its coups are as they were committed to; 1 if one is not."""
    wanted = None if args.coup is None else reading.whole(args.coup, what="--coup")
    with opened(args.store) as store:
        if wanted is not None:
            return _one(terminal, store, args.table, wanted, as_json=args.json)
        found = [_Table(store, name) for name in tables_of(store, args.table)]
    if args.table is not None and not found[0].is_drawn:
        raise InputError(f"{args.table} plays with a wheel: its numbers are not drawn")
    if args.json:
        terminal.data([each.as_data() for each in found])
    else:
        for each in found:
            each.tell(terminal)
    return int(any(each.problems for each in found))


def _gone_through(balls: Balls) -> Iterator[BallCheck]:
    """Every drawn coup of a table; a log that cannot be read ends in a coup that is wrong."""
    from novamas.house.verify import BallCheck

    coup = 0
    try:
        for ball in balls:
            coup = ball.coup
            yield ball
    except Exception as problem:  # noqa: BLE001 - a forged event may break anything
        said = f"the log cannot be read: {str(problem) or repr(problem)}"
        yield BallCheck(coup + 1, 0, 0, None, None, said)


class _Table:
    """What was found at one table."""

    def __init__(self, store: Store, name: str) -> None:
        from novamas.house.verify import Balls

        self.name = name
        self.coups = 0
        self.problems: list[tuple[int, str]] = []
        balls = Balls(store, name)
        progress = Progress(name, "coups")
        for ball in _gone_through(balls):
            self.coups += 1
            if ball.problem:
                self.problems.append((ball.coup, ball.problem))
            progress(self.coups)
        progress.done()
        self.is_drawn = balls.drawn or bool(self.problems)
        self.waiting = balls.waiting

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "table": self.name,
            "drawn": self.is_drawn,
            "coups": self.coups,
            "open": int(self.waiting),
            "problems": [{"coup": coup, "problem": problem} for coup, problem in self.problems],
        }

    def tell(self, terminal: Terminal) -> None:
        """Tells it in lines."""
        if not self.is_drawn:
            terminal.say(f"{self.name}: plays with a wheel; its numbers are not drawn")
            return
        good = self.coups - len(self.problems)
        open_one = "; one commitment waits for its ball" if self.waiting else ""
        as_promised = "is as it was" if self.coups == 1 else "are as they were"
        coups = f"{good} of {counted(self.coups, 'coup')}"
        terminal.say(f"{self.name}: {coups} {as_promised} committed to{open_one}")
        for coup, problem in self.problems[:SHOWN]:
            terminal.tell(f"coup {coup}: {problem}", indent="    ", first="  ", style="red")
        if len(self.problems) > SHOWN:
            terminal.say(f"  and {len(self.problems) - SHOWN} more")


def _one(terminal: Terminal, store: Store, table: str | None, coup: int, *, as_json: bool) -> int:
    """Tells how the number of one coup came about."""
    from novamas.house.verify import Balls

    tables = tables_of(store, table)
    if len(tables) != 1:
        raise InputError("--coup: of which table?", hint=f"tables: {', '.join(tables)}")
    balls = Balls(store, tables[0])
    ball = next((each for each in _gone_through(balls) if each.coup == coup), None)
    if ball is None:
        raise InputError(f"{tables[0]} has no drawn coup {coup}")
    revealed = ball.revealed
    secret = revealed.secret if revealed is not None else None
    nonces = dict(revealed.nonces) if revealed is not None else {}
    if as_json:
        told = {"table": tables[0], "coup": coup, "spin": ball.spin, "number": ball.number}
        ball_data = {"commitment": ball.commitment, "secret": secret, "nonces": nonces}
        terminal.data({**told, **ball_data, "problem": ball.problem or None})
        return int(bool(ball.problem))
    terminal.title(f"{tables[0]}, coup {coup}: {ball.number}")
    rows = [("spin", str(ball.spin)), ("commitment", ball.commitment or "none")]
    rows += [("secret", secret or "none")]
    rows += [(f"nonce of {player}", nonce) for player, nonce in sorted(nonces.items())]
    terminal.table(rows, "ll", indent="  ")
    if ball.problem:
        terminal.tell(ball.problem, indent="  ", style="red")
        return 1
    terminal.say(f"  the secret opens the commitment, and draws {ball.number}")
    return 0
