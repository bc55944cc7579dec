"""The shapes of what the house is sent and what it answers over HTTP, as OpenAPI publishes them.

Answers are made from the house's views and are not checked against these shapes when they are
sent; the tests do that, for every one of them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from novamas.game.limits import Counted
from novamas.game.rulebook.model import ChipKind, LimitsKept, Replay, Winning
from novamas.game.wheel import Direction
from novamas.house.people.decide import LONGEST_NAME
from novamas.house.people.events import Post
from novamas.house.refusals import Problem as Reason
from novamas.house.table.events import BallMode
from novamas.table.state import Phase

Whole = Annotated[int, Field(strict=True)]
"""A whole number that is sent: neither `true` nor `"100"` nor `100.0`."""
Flag = Annotated[bool, Field(strict=True)]
"""`true` or `false` that is sent, and nothing that could be read as one."""
Amount = Annotated[Whole, Field(ge=1, le=10**12)]
Limits = dict[str, dict[str, int]]
Texts = dict[str, str]
Responses = dict[int | str, dict[str, Any]]


class Shape(BaseModel):
    """A shape of which everything is known."""

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
    """Why in a word, which stays the same whatever the sentence says."""


WHY = {
    307: "another server of the house serves this table",
    400: "the body cannot be read",
    401: "the token is not good",
    403: "not for whoever asks",
    404: "there is no such thing",
    409: "it is there already",
    413: "the request is too long",
    421: "this house has another address",
    422: "the request is not understood",
    429: "too often",
    503: "the house is closing, cannot trust its store, or nobody serves the table yet",
}


def problems(*statuses: int) -> Responses:
    """The problems that a route may answer with."""
    return {status: {"model": Problem, "description": WHY[status]} for status in statuses}


# Sent to the house --------------------------------------------------------------------------------


class Guest(Shape):
    """Who wants to play."""

    name: Annotated[str | None, Field(max_length=LONGEST_NAME)] = None


class Key(Shape):
    """A one-time key of a console."""

    key: Annotated[str, Field(max_length=128)]


class NewTable(Shape):
    """How a table is set up."""

    table: Annotated[str, Field(pattern=r"^\w[\w .-]{0,31}$")]
    rulebook: str
    ball: BallMode = BallMode.DRAWN
    limits: dict[str, dict[str, Amount]] = {}
    winning: Winning | None = None
    limits_kept: LimitsKept | None = None
    chip: Amount = 100
    colours: Annotated[Whole, Field(ge=1, le=10_000)] = 10
    rotation: Annotated[Whole, Field(ge=1, le=10_000)] = 10
    live: Flag = True
    zone: Annotated[list[Annotated[str, Field(max_length=16)]], Field(max_length=200)] = []
    """Spots in notation: where a post that has a zone lays and corrects stakes."""


# Answered by the house ----------------------------------------------------------------------------


class Health(Shape):
    """Whether the house is open."""

    status: str


class Me(Shape):
    """Whose a token is."""

    name: str
    role: Post
    money: int
    """Play money that he has not bought chips for."""
    enrolling: bool
    """Whether a second factor must be enrolled before anything else is done."""


class Opened(Me):
    """A session: its token goes with every request that is not for everybody."""

    token: str


class Summary(Shape):
    """A table among others."""

    table: str
    rulebook: str
    title: Texts
    ball: BallMode
    phase: Phase | None
    players: int | None
    limits: Limits | None
    chip: int
    last_numbers: list[int]
    out_of_play: str | None
    at: str | None = None
    """Where the table is served, if by another server of the house."""


class Seat(Shape):
    """A player as everybody sees him."""

    colour: str | None
    chip: int
    away: bool


class LyingStake(Shape):
    """A stake on the cloth."""

    id: str
    player: str
    on: str
    amount: int
    chips: ChipKind
    announcement: str | None
    call: str | None


class Directions(Shape):
    """How wheel and ball run."""

    wheel: Direction
    ball: Direction


class LyingAnnouncement(Shape):
    """An announcement on the cloth."""

    id: str
    player: str
    call: str
    amount: int


class OrderedCorrection(Shape):
    """A correction that was ordered: which stake, and where it shall lie."""

    id: str
    on: str
    by: str
    reason: str


class Replayable(LyingAnnouncement):
    """An announcement that has just won and may be played again."""

    modes: list[Replay]


class Choosing(Shape):
    """What the owner of a stake that met zero may choose."""

    half: int | None
    """What he is given who takes the half; null where he may not."""
    articles: list[str]
    """Those on the half, or on why it may not be taken."""
    frees: int
    """How many of the 37 pockets give it back in the next coup."""
    takes: int
    """How many take it."""
    worth: Annotated[str, Field(pattern=r"^\d+(/\d+)?$")]
    """A fraction: what it comes to on average if it is left in prison."""


class InPrison(Shape):
    """A stake in prison."""

    id: str
    player: str
    on: str
    amount: int
    chips: ChipKind
    zeros: int
    pending: bool
    offer: Choosing | None
    """For its owner, while he may choose."""


class You(Shape):
    """What only the player himself sees of his seat."""

    player: str
    purse: int
    custody: int
    colour: str | None
    chip: int
    value_chips: bool


class Chain(Shape):
    """The chain of secrets that the balls of a table come from."""

    number: int
    tip: str
    """The commitment of its first place."""
    length: int


class Draw(Shape):
    """The commitment to the ball of a spin, and what the players add to it."""

    spin: int
    commitment: str
    """What the secret hashes to."""
    chain: int
    place: int
    """Its place in the chain of secrets, from 1."""
    hashes: Texts
    """Player → the hash of the nonce that they committed to."""
    opened: Texts
    """Player → the nonce, once betting has closed and they opened it."""


class Proposal(Shape):
    """What one person at a table proposed, and another confirms."""

    id: str
    act: Literal["wrong_payment", "cash_sale"]
    player: str
    amount: int
    coup: int | None
    """The coup that was paid wrongly."""
    reason: str
    by: str
    post: str | None
    """The post from which it was proposed: another confirms it."""


class Table(Shape):
    """A table as someone sees it."""

    table: str
    seq: int
    """The last event that made it so."""
    rulebook: str
    language: str
    ball: BallMode
    phase: Phase
    suspended: bool
    stopped: str | None
    coup: int
    spin: int
    number: int | None
    call: str | None
    launched: bool
    """Whether the ball runs, though stakes may still be taken."""
    directions: Directions | None
    games_left: int | None
    limits: Limits
    """Class of spots → its least and its most."""
    limits_coming: Limits | None
    """The limits that were announced and do not bind yet."""
    limits_apart: Limits
    """Spot → its own, where they are not those of its class."""
    limits_kept: LimitsKept
    winning: Winning
    chip: int
    colours: int
    zone: list[str]
    """Where a post that has a zone lays and corrects stakes."""
    orders: list[OrderedCorrection]
    """Corrections that were ordered and not carried out yet."""
    staff: Texts
    """Person → post."""
    players: dict[str, Seat]
    stakes: list[LyingStake]
    announcements: list[LyingAnnouncement]
    replays: list[Replayable]
    due: int
    """How many payments are still to be made."""
    prison: list[InPrison]
    chain: Chain | None
    """At a drawn table that has opened: where its balls come from."""
    draw: Draw | None
    """And the commitment that stands, with what players add to its ball."""
    last_numbers: list[int]
    you: You | None = None
    """For a player who is seated."""
    purses: dict[str, int] | None = None
    """For the staff; so are the next four."""
    custody: dict[str, int] | None = None
    bank: int | None = None
    proposals: list[Proposal] | None = None
    """What one person proposed and another has not confirmed yet."""
    cash_alone: int | None = None
    """For how much cash one person alone sells chips to one player."""


class ShortStake(Shape):
    """A stake that is handed back, if nothing is added to it before betting closes."""

    id: str
    on: str
    amount: int
    counted: Counted
    """What there is too little of."""
    least: int
    there: int
    articles: list[str]


class Event(Shape):
    """An event of a table's log as someone sees it."""

    seq: int
    at: int
    """Milliseconds since 1970."""
    type: str
    """`Hidden` where it is not for whoever asks."""
    data: dict[str, Any]
    yours: dict[str, Any] | None = None
    """What of it only the player sees whom it concerns."""
    version: int | None = None
    """For the management, who sees the log as it is stored; so is what follows."""
    command: str | None = None
    previous: str | None = None
    hash: str | None = None


class Sums(Shape):
    """What a coup brought a player."""

    won: int
    returned: int
    lost: int
    held: int


class Ball(Shape):
    """What is needed to check a drawn number."""

    spin: int
    chain: int
    place: int
    """Its place in the chain of secrets, from 1."""
    commitment: str
    secret: str
    nonces: Texts
    """Player → the nonce that they opened."""
    withheld: Texts
    """Player → the hash whose nonce they did not open."""


class Coup(Shape):
    """A coup that was played."""

    coup: int
    number: int | None
    players: dict[str, Sums]
    """Everybody for the staff; for a player, he himself."""
    ball: Ball | None


class Cited(Shape):
    """An article, summed up."""

    id: str
    summary: str


class WhyLine(Shape):
    """What became of a stake, and why."""

    id: str
    player: str
    on: str
    amount: int
    won: int
    returned: int
    lost: int
    held: int
    stays: int
    aside: int
    freed: int
    """Of what is returned, the worth of chips that a reduction sent to the bank."""
    reduced: int
    """Of the stake, on the winning number, as a reduction made it."""
    sentences: list[str]
    articles: list[Cited]


class ReducedPayment(Shape):
    """What was counted out to a player whose winners were reduced."""

    player: str
    won: int
    paid: int
    """What was won, and the worth of the freed chips."""
    stays: int
    """What is left beside the payment, as the player's stake."""
    freed: int
    """What the chips are worth that went to the bank."""
    articles: list[str]


class CoupExplanation(Shape):
    """A coup, explained."""

    coup: int
    number: int
    call: str
    lines: list[WhyLine]
    """Everybody's for the staff; for a player, his own."""
    reduced: list[ReducedPayment]
    """The same, where the house reduces winners before they are paid."""


class PaidLine(Shape):
    """A stake that is paid."""

    id: str
    on: str
    amount: int
    chips: ChipKind
    won: int
    pays: Annotated[list[int], Field(min_length=2, max_length=2)]


class Payment(Shape):
    """What is paid to one player in one go."""

    player: str
    colour: str | None
    won: int
    """What the stakes win, as they were laid."""
    paid: int
    """What is counted out: after a reduction more, by the worth of the freed chips."""
    stays: int
    """What is left beside the payment, as the player's stake."""
    lines: list[PaidLine]
    articles: list[str]
    """What puts it in this place."""


class ReductionStep(Shape):
    """So many chips of a class made into so many straights."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)
    kind: Annotated[str, Field(alias="class")]
    chips: int
    straights: int
    freed: int
    """Chips that go to the bank."""
    articles: list[str]


class Reduction(Shape):
    """A player's winners made into straights, counted in chips."""

    player: str
    chip: int
    steps: list[ReductionStep]
    straights: int
    left: dict[str, int]
    """Class → chips that could not be reduced."""
    freed: int
    paid: int
    stays: int
    articles: list[str]


class Payments(Shape):
    """The payments of the running coup, in the house's order."""

    coup: int
    number: int | None
    """None while nothing is settled: then there are no payments."""
    made: int
    """How many of them are made."""
    payments: list[Payment]
    reductions: list[Reduction]
