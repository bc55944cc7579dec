"""Golden coups: playthroughs in text, one command a line, followed by everything that happened.

A file begins with its table (`table: {...}`, the fields of a script); a line that begins with `> `
is a command of the script format, written `do key=value …`; the lines below it are the events, the
lines of a settlement with their articles, or the refusal. `#` begins a remark.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

from novamas.game.lines import Line
from novamas.game.payment import payments
from novamas.game.reduction import reductions
from novamas.rulebooks import load
from novamas.table import events
from novamas.table.script import ScriptRun
from novamas.table.script_fields import Fields
from novamas.wording.calls import number_call
from novamas.wording.explain import explain

HERE = Path(__file__).parent
TEXTS = frozenset(
    ("id", "player", "on", "call", "choice", "mode", "as", "cause", "for", "by", "ordered_by")
)
MOVED = ("won", "returned", "lost", "held", "stays", "aside", "freed", "reduced")


def replay(text: str) -> str:
    """The file again, with what the table says now."""
    return "\n".join(_replay(text.splitlines())) + "\n"


def _replay(lines: list[str]) -> Iterator[str]:
    run: ScriptRun | None = None
    for line in lines:
        if line.startswith("table: "):
            yield line
            table = json.loads(line.removeprefix("table: "))
            run = ScriptRun(load(table["rulebook"]), Fields("table", table))
        elif line.startswith("> "):
            assert run is not None, "a playthrough begins with its table"
            yield line
            yield from _command(run, line.removeprefix("> "))
        elif line.startswith("#") or not line:
            yield line


def _command(run: ScriptRun, text: str) -> Iterator[str]:
    do, *fields = text.split()
    command: dict[str, Any] = {"do": do}
    for field in fields:
        key, _, value = field.partition("=")
        command[key] = value if key in TEXTS else json.loads(value)
    known, refused = len(run.log), len(run.refusals)
    run.play(0, Fields(text, command))
    for event in run.log[known:]:
        yield from (f"  {told}" for told in _event(run, event))
    for refusal in run.refusals[refused:]:
        yield f"  refused: {refusal['why']} ({', '.join(refusal['articles'])}) {refusal['detail']}"


def _event(run: ScriptRun, event: events.Event) -> Iterator[str]:
    if isinstance(event, events.NumberCalled):
        pocket = event.settlement.pocket
        book = run.state.book
        yield f"NumberCalled call={event.call!r}"
        assert event.call == number_call(book, pocket)
        for line in event.settlement.lines:
            yield f"    {_line(line)}"
            yield f"      {' '.join(explain(book, line, pocket).sentences)}"
        for paid in payments(book, event.settlement):
            ids = " ".join(each.stake.id for each in paid.lines)
            yield f"    pays {paid.player} {paid.paid} for {ids} [{' '.join(paid.articles)}]"
        for made in reductions(book, event.settlement):
            left = {kind.value: count for kind, count in made.left.items()}
            yield f"    reduces {made.player}: {made.straights} straights, left {left},"
            yield f"      {made.freed} freed, {made.paid} paid [{' '.join(made.articles)}]"
        return
    if isinstance(event, events.ChoiceMade):
        yield f"ChoiceMade {event.choice} {_line(event.line)}"
        return
    if isinstance(event, events.AnnouncementPlaced):
        pieces = " ".join(f"{stake.on}:{stake.amount}" for stake in event.stakes)
        yield f"AnnouncementPlaced {event.id} {event.call}:{event.amount} = {pieces}"
        return
    told = (f"{f.name}={_value(getattr(event, f.name))}" for f in dataclasses.fields(event))
    yield " ".join((type(event).__name__, *told))


def _line(line: Line) -> str:
    moved = " ".join(f"{name} {getattr(line, name)}" for name in MOVED if getattr(line, name))
    stake = line.stake
    cited = " ".join(line.articles)
    return f"{stake.id} {stake.player} {stake.spot.name}:{stake.amount} {moved} [{cited}]"


def _value(value: object) -> str:
    return repr(value.value if isinstance(value, Enum) else value)
