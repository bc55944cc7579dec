"""What `novamas odds` and `novamas simulate` print as JSON.

A probability is a fraction in text (`18/37`) where it is exact, and a number where it is rounded.
"""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from novamas.cli.json_shapes.coups import Articles, HouseId, Spot

Layout = Annotated[str, "the layout in plain notation"]


class OddsWarning(TypedDict):
    """What a table would not play as it is given; the odds are those of the layout as it is."""

    kind: Annotated[
        str,
        "`too_little`: it would go back; `levelled`: a part of it would; `rounded`: it does not "
        "divide, and the odd unit goes to the player",
    ]
    on: Spot
    amount: Annotated[int, "what is staked"]
    text: Annotated[str, "the warning in words"]
    articles: Articles
    divides: NotRequired[
        Annotated[int | None, "for a rounded stake: a multiple of this divides without a rest"]
    ]


class RoundedBet(TypedDict):
    """A bet of which an odd unit goes to the player; a live table does not take it."""

    laid: Layout
    edge: Annotated[str, "share that the house keeps of it; below 0 the player has the edge"]
    exact_edge: Annotated[str, "share that it keeps of a stake that divides"]
    divides: Annotated[int | None, "a multiple of this divides without a rest"]
    articles: Articles


class LayoutOdds(TypedDict):
    """The exact odds of a layout in one round, until all of it is decided."""

    house: HouseId
    layout: Layout
    stake: Annotated[int, "what the layout costs"]
    outcomes: Annotated[dict[str, str], "net result → probability"]
    unlisted: Annotated[str, "probability of results that are not listed"]
    expectation: Annotated[str, "net result on average"]
    edge: Annotated[str, "share of the stake that the house keeps"]
    variance: str
    deviation: Annotated[float, "standard deviation of the net result"]
    skewness: float
    hits: Annotated[str, "probability that something is paid"]
    gain: Annotated[str, "probability of a net gain"]
    even: Annotated[str, "probability of no change"]
    coups: Annotated[str, "coups until it is decided, on average"]
    rounded: list[RoundedBet]


class RefusedThere(TypedDict):
    """A house that does not take the layout."""

    house: HouseId
    refused: Annotated[str, "why not"]


class ManyCoups(TypedDict):
    """The result of a number of coups."""

    house: HouseId
    layout: Layout
    coups: Annotated[int, "how many coups"]
    mean: Annotated[float, "net result on average"]
    deviation: Annotated[float, "standard deviation of the net result"]
    ahead: Annotated[float, "probability of a net gain"]
    even: Annotated[float, "probability of no change"]
    behind: Annotated[float, "probability of a net loss"]
    quantiles: Annotated[dict[str, int], "share → the result that it does not exceed"]
    precision: Annotated[float, "largest error of a probability; 0 is exact"]


class RuinOdds(TypedDict):
    """How a purse ends."""

    house: HouseId
    layout: Layout
    system: Annotated[str, "the staking system"]
    bankroll: Annotated[int, "the purse at the start"]
    target: int | None
    stop_loss: int | None
    coups: Annotated[int | None, "at most so many coups"]
    ruin: Annotated[float, "probability of ruin"]
    reached: Annotated[float, "probability of reaching the target"]
    stopped: Annotated[float, "probability of falling to the stop-loss"]
    playing: Annotated[float, "probability of still playing after the last coup"]
    duration: Annotated[float, "coups on average"]
    turnover: Annotated[float, "staked on average"]
    purse: Annotated[float, "purse in the end, on average"]
    states: Annotated[int, "how many states were worked out"]
    precision: Annotated[float, "largest error of a probability; 0 is exact"]
    fractions: NotRequired[Annotated[dict[str, str], "ruin and reached as exact fractions"]]


class OddsAnswer(TypedDict):
    """Every answer that was asked for, under its own name."""

    warnings: list[OddsWarning]
    odds: LayoutOdds
    houses: NotRequired[list[LayoutOdds | RefusedThere]]
    coups: NotRequired[ManyCoups]
    ruin: NotRequired[RuinOdds]


class Estimate(TypedDict):
    """A figure of a simulation with its error; null is not known, or no interval holds."""

    value: float | None
    error: Annotated[float | None, "standard error"]
    low: Annotated[float | None, "lower end of the 95 % interval"]
    high: Annotated[float | None, "upper end of the 95 % interval"]


class ExactLaw(TypedDict):
    """The exact law of what was simulated."""

    net: Annotated[float, "net result on average"]
    ahead: Annotated[float, "probability of a net gain"]
    histogram: Annotated[list[float], "probability of each interval of the histogram"]


class SimulateAnswer(TypedDict):
    """The result of a simulation. `figures` and the keys below it need a player who finished."""

    house: HouseId
    layout: Layout
    system: Annotated[str, "the staking system"]
    bankroll: Annotated[int | None, "the purse at the start; null is unlimited"]
    target: int | None
    stop_loss: int | None
    coups: Annotated[int | None, "coups of each player, at most"]
    players: Annotated[int, "how many finished"]
    wanted: Annotated[int, "how many were to play"]
    seed: Annotated[int | None, "null for recorded numbers"]
    played: Annotated[int, "all coups that were played"]
    at_play: Annotated[int, "players who had not finished when it was interrupted"]
    kept_so_far: Estimate | None
    exact_edge: Annotated[
        str | None, "share that the house keeps of the layout laid once; null if it takes too long"
    ]
    exact: ExactLaw | None
    figures: NotRequired[Annotated[dict[str, Estimate], "net, coups, turnover and edge"]]
    ends: NotRequired[Annotated[dict[str, Estimate], "way of ending → its share"]]
    ahead: NotRequired[Estimate]
    held: NotRequired[Annotated[int, "what is still in prison; it counts as the players'"]]
    deviation: NotRequired[Annotated[float | None, "standard deviation of the net result"]]
    quantiles: NotRequired[Annotated[dict[str, int], "share → the result that it does not exceed"]]
    histogram: NotRequired[Annotated[list[list[float]], "from, to, share of the players"]]
    fan: NotRequired[Annotated[list[dict[str, float]], "coups → quantiles of the paths"]]
