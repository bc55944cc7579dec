"""What the commands about the game print as JSON: coups, announcements, payments, the wheel, rules.

These types are read by the type checker, by the tests that hold real output against them, and by
the page `docs/reference/json-answers.md`. No command imports them while it runs.
"""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

Articles = Annotated[list[str], "ids of the articles behind it"]
Player = Annotated[str, "the player's name"]
Spot = Annotated[str, "the spot in plain notation, such as 17/20"]
HouseId = Annotated[str, "the house's id"]
Number = int | str
"""A number of the wheel: 0 to 36, or the text of a further zero, such as "00"."""


class Sums(TypedDict):
    """The sums of one player in a coup."""

    won: Annotated[int, "paid by the bank on top of the stakes"]
    returned: Annotated[int, "stakes that came back"]
    lost: Annotated[int, "taken by the bank"]
    held: Annotated[int, "kept in prison"]


# settle -------------------------------------------------------------------------------------------


class SentBack(TypedDict):
    """What went back when betting closed: too little to play, or more than linked bets carry."""

    id: Annotated[str, "the stake's id"]
    player: Player
    on: Spot
    amount: Annotated[int, "what came back"]
    articles: Articles


LinePart = TypedDict(
    "LinePart",
    {
        "class": Annotated[str, "the class of spots by whose odds it is paid"],
        "amount": Annotated[int, "what played"],
        "won": Annotated[int, "what it won"],
    },
)
LinePart.__doc__ = "A part of a stake that is paid by odds of its own."


class SettledLine(TypedDict):
    """One stake, and all that became of it. The sums account for the whole amount."""

    id: Annotated[str, "the stake's id"]
    player: Player
    on: Spot
    stake: Annotated[str, "the spot in the house's words"]
    amount: Annotated[int, "what was staked"]
    won: Annotated[int, "paid by the bank"]
    returned: Annotated[int, "back to the player"]
    lost: Annotated[int, "taken by the bank"]
    held: Annotated[int, "kept in prison"]
    stays: Annotated[int, "stays on the cloth and plays on"]
    aside: Annotated[int, "set aside for a player who is away"]
    freed: Annotated[int, "freed by a reduction and paid out"]
    reduced: Annotated[int, "moved to the number by a reduction"]
    articles: Articles
    into: NotRequired[Annotated[str, "the class that an amount over the maximum plays as"]]
    announcement: NotRequired[Annotated[str, "the id of the announcement it is a piece of"]]
    call: NotRequired[Annotated[str, "the name of that announcement"]]
    parts: NotRequired[list[LinePart]]


class Paid(TypedDict):
    """One payment; payments stand in the order in which the house makes them."""

    player: Player
    won: Annotated[int, "what the stakes won"]
    paid: Annotated[int, "what is counted out"]
    stays: Annotated[int, "what stays on the cloth"]
    stakes: Annotated[list[str], "ids of the stakes it pays"]
    articles: Articles


ReductionStep = TypedDict(
    "ReductionStep",
    {
        "class": Annotated[str, "the class that is reduced"],
        "chips": Annotated[int, "how many chips of it"],
        "straights": Annotated[int, "how many chips on the number they make"],
        "freed_to_bank": Annotated[int, "chips that go to the bank"],
        "articles": Articles,
    },
)
ReductionStep.__doc__ = "One step of a reduction, counted in chips."


class Reduced(TypedDict):
    """A player's winning chips reduced before payment, counted in chips."""

    player: Player
    chip: Annotated[int, "what a chip is worth"]
    steps: list[ReductionStep]
    straights: Annotated[int, "chips that stand on the number afterwards"]
    left: Annotated[dict[str, int], "class → chips that are not reduced"]
    freed_to_bank: Annotated[int, "chips that go to the bank"]
    paid: Annotated[int, "chips that are paid"]
    stays: Annotated[int, "chips that stay as the player's stake"]
    articles: Articles


class TakeHalf(TypedDict):
    """What the choice of half would bring."""

    returned: Annotated[int, "back to the player"]
    lost: Annotated[int, "to the bank"]
    articles: Articles


class TakePrison(TypedDict):
    """What the choice of prison would bring."""

    held: Annotated[int, "kept in prison"]
    articles: Articles


class ZeroChoice(TypedDict):
    """What the owner of a stake that met zero may choose, where the house leaves it to them."""

    id: Annotated[str, "the stake's id"]
    player: Player
    on: Spot
    amount: Annotated[int, "what the choice is about"]
    half: TakeHalf
    prison: TakePrison


class SettleAnswer(TypedDict):
    """A settled coup."""

    house: HouseId
    number: Annotated[Number, 'the number that came out; a further zero is a text, such as "00"']
    call: Annotated[str, "what the croupier calls"]
    sent_back: list[SentBack]
    lines: list[SettledLine]
    payments: list[Paid]
    reductions: list[Reduced]
    choices: list[ZeroChoice]
    players: dict[str, Sums]
    bank: Annotated[int, "what the bank gained, or lost where negative"]


# run ----------------------------------------------------------------------------------------------


class PlayedCoup(TypedDict):
    """A coup of a script."""

    number: Annotated[Number | None, "the number that came out"]
    players: dict[str, Sums]
    purses: Annotated[dict[str, int], "player → what they held right after the number"]


class Refused(TypedDict):
    """A command of the script that the table refused."""

    index: Annotated[int, "its place in the script, from 0"]
    why: Annotated[str, "the code of the refusal, such as stake_below_minimum"]
    articles: Articles
    detail: Annotated[str, "more about it; may be empty"]


class PlayedReduction(TypedDict):
    """A reduction that a coup of the script made, counted in chips."""

    coup: Annotated[int, "which coup, from 1"]
    player: Player
    straights: Annotated[int, "chips that stand on the number afterwards"]
    left: Annotated[dict[str, int], "class → chips that are not reduced"]
    freed_to_bank: Annotated[int, "chips that go to the bank"]
    paid: Annotated[int, "chips that are paid"]
    stays: Annotated[int, "chips that stay as the player's stake"]


class RunAnswer(TypedDict):
    """The result of one script."""

    id: Annotated[str | None, "the script's id"]
    coups: list[PlayedCoup]
    refused: Annotated[list[int], "places of the refused commands, from 0"]
    refusals: list[Refused]
    purses: Annotated[dict[str, int], "player → what they hold in the end"]
    bank: Annotated[int, "what the bank gained, or lost where negative"]
    wheel: Annotated[list[str], "the way the wheel turned, coup by coup"]
    reductions: list[PlayedReduction]
    custody: NotRequired[Annotated[dict[str, int], "player → what the house keeps for them"]]
    payment_order: NotRequired[Annotated[list[str], "ids of stakes paid in the last coup"]]
    reduction_order: NotRequired[Annotated[list[str], "players, as the last reduction took them"]]
    payment_order_players: NotRequired[Annotated[list[str], "the same players, as they were paid"]]
    last_games_left: NotRequired[Annotated[list[int], "last games still to play, coup by coup"]]


# announce, pays, wheel ----------------------------------------------------------------------------


class LaidPiece(TypedDict):
    """A piece of an announcement."""

    on: Spot
    amount: Annotated[int, "what lies there"]
    articles: Articles


class AnnouncedCall(TypedDict):
    """An announcement with its amount: where it lies, and what every number brings."""

    call: Annotated[str, "its name"]
    words: Annotated[str, "its name in the house's words"]
    amount: Annotated[int, "what it costs"]
    pieces: Annotated[int, "how many pieces it has"]
    lies: list[LaidPiece]
    covers: Annotated[list[Number], "the numbers that win something"]
    net: Annotated[dict[str, int], "number → what its owner gains, or loses where negative"]
    to_place: Annotated[bool, "whether its chips wait in a space of their own"]
    replays: Annotated[list[str], "how it may be played again when it wins"]
    articles: Articles


class AnnounceAnswer(TypedDict):
    """The announcement that was asked for, or all that the house takes."""

    house: HouseId
    calls: list[AnnouncedCall]
    neighbours: Annotated[int | None, "how many neighbours on each side may be announced, if any"]
    articles: Annotated[list[str], "articles by which the house takes no other announcement"]


class PaysRow(TypedDict):
    """The winnings of a number of chips."""

    chips: Annotated[int, "how many chips"]
    wins: Annotated[dict[str, int], "class → chips won"]


class PaysAnswer(TypedDict):
    """The table of payments on the numbers."""

    house: HouseId
    classes: Annotated[dict[str, str], "class → its name in the house's words"]
    articles: Annotated[dict[str, list[str]], "class → ids of the articles behind its odds"]
    pays: list[PaysRow]


class WheelPocket(TypedDict):
    """A pocket of the wheel."""

    number: Annotated[Number, 'its number; a further zero is a text, such as "00"']
    colour: Annotated[str, "red, black or green"]


class WheelAnswer(TypedDict):
    """The wheel, clockwise from zero."""

    pockets: list[WheelPocket]
    sectors: Annotated[dict[str, list[list[Number]]], "sector → its arcs of numbers"]


class NeighboursAnswer(TypedDict):
    """A number with those beside it."""

    number: Annotated[Number, "the number in the middle"]
    each_side: Annotated[int, "how many on each side"]
    neighbours: Annotated[list[Number], "the numbers, clockwise"]


class NeighboursRow(TypedDict):
    """The neighbours of one number, in the three orders of the table."""

    row: Annotated[Number, "the number"]
    sorted: list[Number]
    by_position: list[Number]
    by_number: list[Number]


class NeighboursTableAnswer(TypedDict):
    """The whole table of neighbours."""

    rows: list[NeighboursRow]


# rules --------------------------------------------------------------------------------------------


class RuleArticle(TypedDict):
    """An article of the book."""

    id: Annotated[str, "its id, such as AR-14.b"]
    summary: Annotated[dict[str, str], "language → what it says"]
    reading: Annotated[bool, "whether it is a reading of this project where the text is silent"]
    source: Annotated[str | None, "where it stands, if the book says so"]


class RuleChoice(TypedDict):
    """A choice that the book makes by some articles."""

    section: Annotated[str, "the section of the book"]
    key: Annotated[str, "what is chosen"]
    value: Annotated[str, "the choice"]
    articles: Articles
    origin: NotRequired[
        Annotated[str | None, "the house whose book says it; null for a default; with --origins"]
    ]


class RulesAnswer(TypedDict):
    """A house's articles, and the choices of its book that rest on them."""

    house: HouseId
    title: Annotated[dict[str, str], "language → the book's title"]
    searched: Annotated[list[str], "words that were looked for in the texts of the articles"]
    articles: list[RuleArticle]
    choices: list[RuleChoice]


class DifferentSide(TypedDict):
    """What one of two books says."""

    value: Annotated[str, "the choice"]
    articles: list[RuleArticle]


class RuleDifference(TypedDict):
    """A datum that is not the same in two books."""

    section: Annotated[str, "the section of the book"]
    key: Annotated[str, "what is chosen"]
    sides: Annotated[
        list[DifferentSide | None], "what each of the two says; null where it has no such datum"
    ]


class ComparedEdge(TypedDict):
    """What two houses keep of every unit staked on a class of bets, for divisible stakes."""

    bet: Annotated[str, "the class of spots"]
    choice: Annotated[str | None, "what the player chooses at zero, where a house leaves it open"]
    edges: Annotated[list[str | None], "the edges as fractions; null where the bet is not taken"]
    differ: Annotated[bool, "whether the two are not the same"]


class RulesDiffAnswer(TypedDict):
    """What differs between two houses, and what it does to the edge."""

    houses: Annotated[list[str], "the ids of the two houses"]
    titles: Annotated[list[dict[str, str]], "their titles, by language"]
    differences: list[RuleDifference]
    edges: list[ComparedEdge]
