"""What the commands about a house's store print as JSON: verify, backup, restore and tell.

Everything that verifies has `sound` and `problems`, for the whole and for each log. A log is named
by `table`, also that of the register.
"""

from __future__ import annotations

from typing import Annotated, TypedDict

from novamas.cli.json_shapes.coups import Articles

Sound = Annotated[bool, "whether nothing is wrong"]
Problems = Annotated[list[str], "what is wrong, in sentences; empty where it is sound"]
Table = Annotated[str, "the table's name; *people is the register"]


class VerifiedLog(TypedDict):
    """A log: its hash chain, its checkpoints, and every event played again."""

    table: Table
    sound: Sound
    problems: Problems
    events: Annotated[int, "how many events it has"]
    coups: Annotated[int, "how many coups were played"]
    drawn: Annotated[int, "how many of them were drawn by the house"]
    open: Annotated[int, "commitments that wait for their ball"]
    witnessed: Annotated[bool, "whether a checkpoint names it"]
    unwitnessed: Annotated[int | None, "events after the last checkpoint; null where none names it"]
    note: Annotated[str, "why nothing witnesses it; empty where something does"]


class VerifyLogAnswer(TypedDict):
    """Whether the logs are whole and say what was played."""

    sound: Sound
    problems: Annotated[list[str], "problems of no single log; always empty here"]
    logs: list[VerifiedLog]


class VerifiedLedger(TypedDict):
    """A log's ledger."""

    table: Table
    sound: Sound
    problems: Problems
    transfers: Annotated[int, "how many transfers it has"]
    accounts: Annotated[dict[str, int], "kind of account → balance; they sum to zero"]


class VerifyLedgerAnswer(TypedDict):
    """Whether the books are right to the last chip."""

    sound: Sound
    problems: Annotated[list[str], "money made or lost between the logs"]
    logs: list[VerifiedLedger]


class VerifiedBall(TypedDict):
    """The drawn numbers of a table."""

    table: Table
    sound: Sound
    problems: Problems
    wrong: Annotated[list[int], "the coups that are not as they were committed to"]
    drawn: Annotated[bool, "whether the house draws its numbers; false where a wheel is used"]
    coups: Annotated[int, "how many coups were drawn"]
    open: Annotated[int, "commitments that wait for their ball"]
    chains: Annotated[int, "how many chains of secrets were committed to"]
    taken_up: Annotated[int, "chains that were begun because a server took the table up"]
    withheld: Annotated[int, "nonces that players did not open"]


class VerifyBallAnswer(TypedDict):
    """Whether every drawn number is as it was committed to."""

    sound: Sound
    problems: Annotated[list[str], "problems of no single log; always empty here"]
    logs: list[VerifiedBall]


class VerifyCoupAnswer(TypedDict):
    """How the number of one coup came about."""

    table: Table
    sound: Sound
    problems: Problems
    coup: Annotated[int, "which coup"]
    spin: Annotated[int, "which spin of the table"]
    number: Annotated[int | str, "the number that was drawn"]
    chain: Annotated[int | None, "which chain of secrets"]
    place: Annotated[int | None, "the place of the secret in its chain"]
    commitment: Annotated[str | None, "what the house had committed to"]
    secret: Annotated[str | None, "what opens the commitment"]
    nonces: Annotated[dict[str, str], "player → the nonce that they opened"]
    withheld: Annotated[dict[str, str], "player → the commitment that they did not open"]


class VerifyHouseAnswer(TypedDict):
    """All three verifications of one moment."""

    sound: Sound
    problems: Annotated[list[str], "problems of no single log"]
    log: VerifyLogAnswer
    ledger: VerifyLedgerAnswer
    ball: VerifyBallAnswer


class CopiedLog(TypedDict):
    """A log of a copy."""

    table: Table
    sound: Sound
    problems: Problems
    events: Annotated[int, "how many events it has"]
    coups: Annotated[int, "how many coups were played"]


class CopyAnswer(TypedDict):
    """A copy that was verified after it was written; one that is not sound is an error."""

    sound: Sound
    problems: Problems
    logs: list[CopiedLog]


class TellAnswer(TypedDict):
    """The answer of a table to a command."""

    table: Annotated[str, "the table"]
    command: Annotated[str, "the command"]
    accepted: Annotated[bool, "whether the table accepted it"]
    seq: Annotated[int, "the number of the table's last event"]
    why: Annotated[str | None, "the code of the refusal"]
    articles: Articles
    detail: Annotated[str, "more about the refusal; may be empty"]
