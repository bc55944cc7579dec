"""`novamas verify ball`: recomputes every drawn number of a house from its commitment."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, NamedTuple

from novamas.cli import arguments
from novamas.cli.errors import InputError
from novamas.cli.open_store import Progress, opened, tables_of
from novamas.cli.terminal import Terminal
from novamas.odds.number_format import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from novamas.cli.json_shapes.house import VerifiedBall, VerifyBallAnswer, VerifyCoupAnswer
    from novamas.house.log.store import Store
    from novamas.house.log.verify import BallCheck, Balls

SHOWN = 20
"""The most wrong coups that are listed one by one."""


def run(args: Namespace, terminal: Terminal) -> int:
    """Reports whether each table's coups match their commitments; returns 1 if one does not."""
    wanted = None if args.coup is None else arguments.whole(args.coup, what="--coup")
    with opened(args.store) as store:
        if wanted is not None:
            return _one(terminal, store, args.table, wanted, as_json=args.json)
        report = BallReport([TableBalls(store, name) for name in tables_of(store, args.table)])
    if args.table is not None and not report.tables[0].is_drawn:
        raise InputError(f"{args.table} plays with a wheel: its numbers are not drawn")
    if args.json:
        terminal.data(report.as_data())
    else:
        report.tell(terminal)
    return int(not report.is_sound)


class BallReport(NamedTuple):
    """What was found at some tables."""

    tables: list[TableBalls]

    @property
    def is_sound(self) -> bool:
        """Whether every drawn number matches its commitment."""
        return not any(each.problems for each in self.tables)

    def as_data(self) -> VerifyBallAnswer:
        """The report for a program."""
        logs = [each.as_data() for each in self.tables]
        return {"sound": self.is_sound, "problems": [], "logs": logs}

    def tell(self, terminal: Terminal) -> None:
        """The report in lines."""
        for each in self.tables:
            each.tell(terminal)


def _gone_through(balls: Balls) -> Iterator[BallCheck]:
    """Checks every drawn coup of a table; an unreadable log ends in a wrong coup."""
    from novamas.house.log.verify import BallCheck

    coup = 0
    try:
        for ball in balls:
            coup = ball.coup
            yield ball
    except Exception as problem:  # noqa: BLE001 - a forged event may break anything
        said = f"the log cannot be read: {str(problem) or repr(problem)}"
        yield BallCheck(coup + 1, 0, 0, None, None, said)


class TableBalls:
    """What was found at one table."""

    def __init__(self, store: Store, name: str) -> None:
        from novamas.house.log.verify import Balls

        self.name = name
        self.coups = 0
        self.problems: list[tuple[int, str]] = []
        balls = Balls(store, name)
        progress = Progress(name, "coups")
        withheld = 0
        for ball in _gone_through(balls):
            self.coups += 1
            withheld += len(ball.revealed.withheld) if ball.revealed is not None else 0
            if ball.problem:
                self.problems.append((ball.coup, ball.problem))
            progress(self.coups)
        progress.done()
        self.is_drawn = balls.drawn or bool(self.problems)
        self.waiting = balls.waiting
        self.chains = balls.chains
        self.withheld = withheld

    @property
    def taken_up(self) -> int:
        """How many chains were committed because another server took over the table."""
        return sum(chain.reason == "taken_up" for chain in self.chains)

    def as_data(self) -> VerifiedBall:
        """All of it as plain data."""
        return {
            "table": self.name,
            "sound": not self.problems,
            "problems": [f"coup {coup}: {problem}" for coup, problem in self.problems],
            "wrong": [coup for coup, _ in self.problems],
            "drawn": self.is_drawn,
            "coups": self.coups,
            "open": int(self.waiting),
            "chains": len(self.chains),
            "taken_up": self.taken_up,
            "withheld": self.withheld,
        }

    def tell(self, terminal: Terminal) -> None:
        """The report of this table in lines."""
        if not self.is_drawn:
            terminal.say(f"{self.name}: plays with a wheel; its numbers are not drawn")
            return
        good = self.coups - len(self.problems)
        open_one = "; one commitment waits for its ball" if self.waiting else ""
        as_promised = "is as it was" if self.coups == 1 else "are as they were"
        coups = f"{good} of {counted(self.coups, 'coup')}"
        terminal.say(f"{self.name}: {coups} {as_promised} committed to{open_one}")
        after = f", {self.taken_up} of them after a start" if self.taken_up else ""
        terminal.say(f"  chains of secrets: {len(self.chains)}{after}")
        if self.withheld:
            terminal.say(f"  nonces that players did not open: {self.withheld}")
        for coup, problem in self.problems[:SHOWN]:
            terminal.tell(f"coup {coup}: {problem}", indent="    ", first="  ", style="red")
        if len(self.problems) > SHOWN:
            terminal.say(f"  and {len(self.problems) - SHOWN} more")


def _one(terminal: Terminal, store: Store, table: str | None, coup: int, *, as_json: bool) -> int:
    """Prints how the number of one coup was drawn."""
    from novamas.house.log.verify import Balls

    tables = tables_of(store, table)
    if len(tables) != 1:
        raise InputError("--coup: needs the name of one table", hint=f"tables: {', '.join(tables)}")
    balls = Balls(store, tables[0])
    ball = next((each for each in _gone_through(balls) if each.coup == coup), None)
    if ball is None:
        raise InputError(f"{tables[0]} has no drawn coup {coup}")
    revealed = ball.revealed
    secret = revealed.secret if revealed is not None else None
    nonces = dict(revealed.nonces) if revealed is not None else {}
    withheld = dict(revealed.withheld) if revealed is not None else {}
    bound = ball.commitment
    if as_json:
        data: VerifyCoupAnswer = {
            "table": tables[0],
            "sound": not ball.problem,
            "problems": [ball.problem] if ball.problem else [],
            "coup": coup,
            "spin": ball.spin,
            "number": ball.number,
            "chain": None if bound is None else bound.chain,
            "place": None if bound is None else bound.place,
            "commitment": None if bound is None else bound.commitment,
            "secret": secret,
            "nonces": nonces,
            "withheld": withheld,
        }
        terminal.data(data)
        return int(bool(ball.problem))
    terminal.title(f"{tables[0]}, coup {coup}: {ball.number}")
    rows = [("spin", str(ball.spin))]
    if bound is not None:
        rows += [("chain, place", f"{bound.chain}, {bound.place}")]
        rows += [("commitment", bound.commitment)]
    rows += [("secret", secret or "none")]
    rows += [(f"nonce of {player}", nonce) for player, nonce in sorted(nonces.items())]
    rows += [(f"not opened by {player}", known) for player, known in sorted(withheld.items())]
    terminal.table(rows, "ll", indent="  ")
    if ball.problem:
        terminal.tell(ball.problem, indent="  ", style="red")
        return 1
    terminal.say(f"  the secret opens the commitment, and draws {ball.number}")
    return 0
