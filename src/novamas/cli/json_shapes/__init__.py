"""The shape of every answer in JSON: which command prints which type.

`make json-page` generates `docs/reference/json-answers.md` from these types, and a test compares
the real output of every command with them.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, NotRequired, get_args, get_origin, get_type_hints

from novamas.cli.json_shapes import coups, figures, house


class Answer(NamedTuple):
    """What a command prints with `--json`."""

    command: str
    """The command, with the option that changes its answer where there is one."""
    shape: Any
    examples: tuple[tuple[str, ...], ...]
    """Commands that print it; STORE and BACKUP stand for files of a house, SCRIPTS for scripts."""


class Key(NamedTuple):
    """A key of an object."""

    kind: Any
    """The type of its value, with what it means."""
    optional: bool


def is_shape(kind: Any) -> bool:
    """Whether a type is an object with keys of its own."""
    return isinstance(kind, type) and hasattr(kind, "__required_keys__")


def keys_of(shape: Any) -> dict[str, Key]:
    """The keys of an object, in their order.

    >>> keys_of(coups.PaysRow)["chips"].optional, keys_of(figures.OddsAnswer)["ruin"].optional
    (False, True)
    """
    return {
        name: Key(get_args(hint)[0], optional=True)
        if get_origin(hint) is NotRequired
        else Key(hint, optional=False)
        for name, hint in get_type_hints(shape, include_extras=True).items()
    }


STORE, BACKUP, COPY, SCRIPTS, URL, TOKEN = (
    "house.db",
    "monday.db",
    "copy.db",
    "evening.json",
    "https://house.example.org",
    "chief.token",
)

ANSWERS: Final = (
    Answer(
        "settle",
        coups.SettleAnswer,
        (
            ("settle", "ar", "17", "ana 17:5 14/17:10 red:50", "luis 17/20:4"),
            ("settle", "it", "17", "ana voisins:18 17:50", "--limits", "straight:1-20"),
            ("settle", "es", "0", "ana rojo:50"),
            ("settle", "it", "5", "ana red:1"),
            ("settle", "sd", "00", "ana 0/00:5"),
        ),
    ),
    Answer("run", list[coups.RunAnswer], (("run", SCRIPTS),)),
    Answer(
        "rules",
        coups.RulesAnswer,
        (
            ("rules", "ar", "14"),
            ("rules", "it", "prison"),
            ("rules", "bg", "--lang", "fr"),
            ("rules", "fran", "zero", "--origins"),
        ),
    ),
    Answer(
        "rules --diff",
        coups.RulesDiffAnswer,
        (("rules", "--diff", "fr", "es"), ("rules", "--diff", "fram", "fr", "zero", "wheel")),
    ),
    Answer("wheel", coups.WheelAnswer, (("wheel",), ("wheel", "sd"))),
    Answer(
        "wheel --neighbours",
        coups.NeighboursAnswer,
        (("wheel", "--neighbours", "17"), ("wheel", "sd", "--neighbours", "00")),
    ),
    Answer(
        "wheel --table",
        coups.NeighboursTableAnswer,
        (("wheel", "--table"), ("wheel", "fram", "--table")),
    ),
    Answer("pays", coups.PaysAnswer, (("pays", "it", "--upto", "10"),)),
    Answer(
        "announce",
        coups.AnnounceAnswer,
        (("announce", "it", "voisins:18"), ("announce", "bg"), ("announce", "es")),
    ),
    Answer(
        "odds",
        figures.OddsAnswer,
        (
            ("odds", "it", "red:1"),
            ("odds", "ar", "low+d3:6", "--compare", "--coups", "10"),
            ("odds", "ar", "red:10", "--bankroll", "100", "--target", "200"),
            ("odds", "es", "red:10", "--bankroll", "50", "--coups", "5", "--system", "martingale"),
        ),
    ),
    Answer(
        "simulate",
        figures.SimulateAnswer,
        (("simulate", "ar", "red:10", "--coups", "3", "--players", "20", "--bankroll", "100"),),
    ),
    Answer(
        "tell",
        house.TellAnswer,
        (("tell", URL, "mesa", "CloseTable", "--token", TOKEN),),
    ),
    Answer("verify log", house.VerifyLogAnswer, (("verify", "log", STORE),)),
    Answer("verify ledger", house.VerifyLedgerAnswer, (("verify", "ledger", STORE),)),
    Answer("verify ball", house.VerifyBallAnswer, (("verify", "ball", STORE),)),
    Answer(
        "verify ball --coup",
        house.VerifyCoupAnswer,
        (("verify", "ball", STORE, "es", "--coup", "2"),),
    ),
    Answer("verify house", house.VerifyHouseAnswer, (("verify", "house", STORE),)),
    Answer("backup", house.CopyAnswer, (("backup", STORE, BACKUP),)),
    Answer("restore", house.CopyAnswer, (("restore", BACKUP, COPY),)),
)
"""Every command that prints JSON, in the order of the help."""
