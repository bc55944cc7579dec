"""For operators: the readiness check, and the metrics in Prometheus's text format.

The format is written here: a dozen families of plain numbers need no library, and no registry that
all houses of a process would share. Labels are names of tables and reasons for refusals; nothing
identifies players.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from fastapi import APIRouter, Depends, FastAPI, Response
from fastapi.responses import PlainTextResponse

from novamas import __version__
from novamas.house import failures as house_failures
from novamas.house.house import House
from novamas.house.log.store import StoreError
from novamas.house.refusals import Problem
from novamas.house.table.actor import CLOSING, TableActor
from novamas.web.auth import permitted
from novamas.web.errors import NotDoneError
from novamas.web.routes.tables import Here, Lobby
from novamas.web.schemas import Health, Shape, problems

PATIENCE = 2.0
"""Seconds that a store has to answer the readiness check."""
TEXT = "text/plain; version=0.0.4; charset=utf-8"
Labels = Mapping[str, str]
Sample = tuple[Labels, float]

router = APIRouter(dependencies=[Depends(permitted)], tags=["operations"])


class Ready(Shape):
    """Whether a house can be played at, and if not, why."""

    served: int
    """Tables that this server serves."""
    elsewhere: int
    """Tables that other servers of the house serve."""
    problems: list[str]
    """Why it is not ready; empty if it is."""


@router.get("/api/health")
async def get_health() -> Health:
    """Whether the server answers at all."""
    return Health(status="ok")


@router.get("/api/ready", responses=problems(503))
async def get_ready(here: Here) -> Ready:
    """Whether the store answers and every table is served, here or elsewhere; otherwise 503."""
    return await _or_why_not(here)


async def _or_why_not(lobby: Lobby) -> Ready:
    found = await look(lobby)
    if found.problems:
        raise NotDoneError(503, Problem.NOT_READY, "; ".join(found.problems))
    return found


@router.get("/metrics", response_class=PlainTextResponse, include_in_schema=False)
async def metrics(here: Here) -> Response:
    """The metrics in Prometheus's text format."""
    return Response(exposition(here), media_type=TEXT)


async def look(lobby: Lobby) -> Ready:
    """Checks the store, and which server serves each table."""
    tables = lobby.house.tables
    wrong = [
        f"table {name} is out of play: {actor.failed}"
        for name, actor in tables.items()
        if actor.failed is not None
    ]
    unwitnessed = lobby.people.registry.unwitnessed
    if unwitnessed is not None:
        wrong.append(house_failures.reported("the register is out of use", unwitnessed))
    asking = asyncio.ensure_future(_ask(lobby.house))
    done, _ = await asyncio.wait((asking,), timeout=PATIENCE)
    others = asking.result() if done else "the store does not answer"
    if isinstance(others, str):
        wrong.append(others)
    else:
        wrong += [f"table {name} is served by nobody" for name, at in others.items() if at is None]
    return Ready(
        served=sum(actor.failed is None for actor in tables.values()),
        elsewhere=0 if isinstance(others, str) else sum(at is not None for at in others.values()),
        problems=wrong,
    )


async def _ask(house: House) -> dict[str, str | None] | str:
    """The servers of the tables that are not served here, from the store; or why it failed."""
    try:
        if house.leases is None:
            await house.blocking(house.store.tables)
            return {}
        others = await house.leases.others()
    except StoreError as problem:
        return house_failures.reported(house_failures.STORE_FAILED, problem)
    return {house_table.table: None if at is None else at.address for house_table, at in others}


# Measures -----------------------------------------------------------------------------------------


def exposition(lobby: Lobby) -> str:
    """All metrics in Prometheus's text format."""
    return "\n".join((*_families(lobby), ""))


def _families(lobby: Lobby) -> Iterator[str]:
    house, metrics = lobby.house, lobby.house.metrics
    yield from _family("info", "gauge", "the version of the house", [({"version": __version__}, 1)])
    accepted = [({"table": t, "answer": "accepted"}, n) for t, n in metrics.accepted.items()]
    refused: Counter[str] = Counter()
    for (table, _), many in metrics.refused.items():
        refused[table] += many
    answered = [*accepted, *(({"table": t, "answer": "refused"}, n) for t, n in refused.items())]
    yield from _family("commands_total", "counter", "commands that were answered", answered)
    reasons = [({"table": t, "why": why}, n) for (t, why), n in metrics.refused.items()]
    yield from _family("refusals_total", "counter", "commands that were refused", reasons)
    yield from _family("events_total", "counter", "events made durable", _by(metrics.events))
    yield from _family("commits_total", "counter", "batches made durable", _by(metrics.commits))
    yield from _spans(lobby)
    yield from _family("sockets", "gauge", "sockets that are open", [({}, len(lobby.connected))])
    gone = "sockets let go because they did not take what they were sent"
    yield from _family("sockets_dropped_total", "counter", gone, [({}, metrics.dropped)])
    states: Counter[str] = Counter({"out_of_play": 0, "stopped": 0})
    states.update(map(_state, house.tables.values()))
    samples = [({"state": state}, many) for state, many in states.items()]
    yield from _family("tables", "gauge", "tables that are served here, by their state", samples)
    failures = _by(metrics.failures)
    yield from _family("tables_failed_total", "counter", "tables taken out of play", failures)
    if house.leases is not None:
        taken, lost = house.leases.takeovers, house.leases.losses
        yield from _family("lease_takeovers_total", "counter", "tables taken up", [({}, taken)])
        yield from _family("lease_losses_total", "counter", "tables put down", [({}, lost)])


def _state(actor: TableActor) -> str:
    if actor.failed is not None:
        return "closing" if actor.failed == CLOSING else "out_of_play"
    return (
        "stopped" if actor.house_table.stopped is not None else actor.house_table.state.phase.value
    )


def _by(counted: Mapping[str, int]) -> list[Sample]:
    return [({"table": table}, many) for table, many in counted.items()]


def _spans(lobby: Lobby) -> Iterator[str]:
    spans = lobby.house.metrics.commit_seconds
    name = "novamas_commit_seconds"
    yield f"# HELP {name} how long a batch took to become durable"
    yield f"# TYPE {name} histogram"
    total = 0
    for bound, total in spans.up_to():
        yield f'{name}_bucket{{le="{bound}"}} {total}'
    yield f"{name}_sum {spans.seconds!r}"
    yield f"{name}_count {total}"


def _family(name: str, kind: str, says: str, samples: Iterable[Sample]) -> Iterator[str]:
    yield f"# HELP novamas_{name} {says}"
    yield f"# TYPE novamas_{name} {kind}"
    for labels, value in samples:
        written = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
        yield f"novamas_{name}{{{written}}} {value}" if written else f"novamas_{name} {value}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


# A door of its own --------------------------------------------------------------------------------


def watching(lobby: Lobby) -> FastAPI:
    """The application of the metrics port, which players cannot reach."""
    app = FastAPI(title="novamas", docs_url=None, redoc_url=None, openapi_url=None)

    async def health() -> dict[str, str]:
        return {"status": "ok"}

    async def is_ready() -> Ready:
        return await _or_why_not(lobby)

    async def measured() -> Response:
        return Response(exposition(lobby), media_type=TEXT)

    app.get("/api/health")(health)
    app.get("/api/ready")(is_ready)
    app.get("/metrics")(measured)
    return app
