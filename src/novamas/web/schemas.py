"""The HTTP requests of the house, and the schemas of its answers for OpenAPI.

Requests are validated by the models here. Answers are the house's views (`novamas.house.views`);
their schemas are generated from the views.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from novamas.game.rulebook.behaviours import LimitsKept, Winning
from novamas.house.people.decide import LONGEST_NAME
from novamas.house.people.events import Post
from novamas.house.refusals import Problem as Reason
from novamas.house.table.events import BallMode

Whole = Annotated[int, Field(strict=True)]
"""A strict integer: not `true`, `"100"` or `100.0`."""
Flag = Annotated[bool, Field(strict=True)]
"""A strict boolean: only `true` or `false`."""
Amount = Annotated[Whole, Field(ge=1, le=10**12)]
Responses = dict[int | str, dict[str, Any]]


class Shape(BaseModel):
    """A model that forbids unknown fields."""

    model_config = ConfigDict(extra="forbid")


class Problem(Shape):
    """What is wrong with a request."""

    detail: str
    """A sentence for people."""
    why: Annotated[
        str,
        AfterValidator(Reason),
        Field(json_schema_extra={"enum": [each.value for each in Reason]}),
    ]
    """A stable code for the reason, independent of the sentence."""


WHY = {
    307: "another server of the house serves this table",
    400: "the body cannot be read",
    401: "the token is not good",
    403: "not permitted to the person who asks",
    404: "there is no such thing",
    409: "it is there already",
    413: "the request is too long",
    421: "this house has another address",
    422: "the request is not understood",
    429: "too often",
    503: "the house is closing, cannot trust its store, or nobody serves the table yet",
}


def problems(*statuses: int) -> Responses:
    """The errors that a route may answer with."""
    return {status: {"model": Problem, "description": WHY[status]} for status in statuses}


VIEWS: list[Any] = []
"""The types that routes answer with."""
PUBLISHED: dict[str, Any] = {}
"""The schemas of these views, and of their parts, by name."""
REFERENCE = "#/components/schemas/{name}"


def answers(view: Any, *statuses: int, status: int = 200) -> Responses:
    """The answers of a route: a view, or one of the errors."""
    (schema,), parts = msgspec.json.schema_components([view], ref_template=REFERENCE)
    VIEWS.append(view)
    PUBLISHED.update(parts)
    return {
        status: {
            "description": "as asked for",
            "content": {"application/json": {"schema": schema}},
        },
        **problems(*statuses),
    }


# Sent to the house --------------------------------------------------------------------------------


class Guest(Shape):
    """A guest who wants to play."""

    name: Annotated[str | None, Field(max_length=LONGEST_NAME)] = None
    """The name to play under; by default a free one is chosen."""


class Key(Shape):
    """A one-time key of a console."""

    key: Annotated[str, Field(max_length=128)]
    """The key, as the house printed it."""


class SpinNow(Shape):
    """How somebody who plays alone wants the ball of this coup."""

    quick: Flag = False
    """Whether the rest of the coup is dealt as quickly as the house ever deals: in 5 seconds."""


class NewTable(Shape):
    """How a table is set up."""

    table: Annotated[str, Field(pattern=r"^\w[\w .-]{0,31}$")]
    """The name of the new table."""
    rulebook: str
    """The id of the rulebook that it plays by."""
    ball: BallMode = BallMode.DRAWN
    limits: dict[str, dict[str, Amount]] = {}
    """Class of spots, or spot → its `min` and `max`."""
    winning: Winning | None = None
    limits_kept: LimitsKept | None = None
    chip: Amount = 100
    """What one chip is worth."""
    colours: Annotated[Whole, Field(ge=1, le=10_000)] = 10
    rotation: Annotated[Whole, Field(ge=1, le=10_000)] = 10
    live: Flag = True
    """False for a table that only a script plays at."""
    zone: Annotated[list[Annotated[str, Field(max_length=16)]], Field(max_length=200)] = []
    """Spots in notation: where a post that has a zone lays and corrects stakes."""
    double: Flag = False
    """Whether it is a double table, with two cloths."""


# Answered by the house ----------------------------------------------------------------------------


class Health(Shape):
    """Whether the house is open."""

    status: str
    """Always `ok`."""


class Me(Shape):
    """The owner of a token."""

    name: str
    role: Post
    """The post that the session is for."""
    money: int
    """Play money that they have not bought chips for."""
    enrolling: bool
    """Whether a second factor must be enrolled before anything else is done."""


class Opened(Me):
    """A session; its token goes with every request that is not public."""

    token: str
    """The token of the session, for the header `Authorization: Bearer …`."""
