"""Wrong input: each gets a clear error that names the argument and says what would be right."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import novamas as nv

PAGE = "docs/examples/paris.toml"


def table() -> Any:
    return nv.Table("it", players={"anna": 100, "luca": 50}, seed=7)


lib: Any = nv
"""The library as a program sees it that is not checked for types."""
TRUTH = True

CASES: list[tuple[str, Callable[[], Any], str]] = [
    (
        "pocket 37",
        lambda: lib.settle("ar", 37, "ana 17:5"),
        "pocket: expected a whole number from 0 to 36, not 37",
    ),
    (
        "a pocket as text",
        lambda: lib.settle("ar", "17", "ana 17:5"),
        "pocket: expected a whole number from 0 to 36, not '17'; write 17 without quotes",
    ),
    (
        "a pocket that this wheel has not",
        lambda: lib.settle("ar", "00", "ana 17:5"),
        "pocket: expected a whole number from 0 to 36, not '00'",
    ),
    ("a negative pocket", lambda: lib.settle("ar", -5, "ana 17:5"), "not -5"),
    ("half a pocket", lambda: lib.settle("ar", 2.5, "ana 17:5"), "not 2.5"),
    ("a truth as pocket", lambda: lib.settle("ar", TRUTH, "ana 17:5"), "not True"),
    ("no pocket", lambda: lib.settle("ar", None, "ana 17:5"), "not None"),
    (
        "an unknown house",
        lambda: lib.settle("arr", 17, "ana 17:5"),
        (
            "arr: no such rulebook; the houses are ar, es, it, bg, fr, fram, fran, esam, sd, "
            "or give a file (.toml); "
            "did you mean 'ar'?"
        ),
    ),
    ("a house in capitals", lambda: lib.load("AR"), "did you mean 'ar'?"),
    (
        "a number as house",
        lambda: lib.settle(17, 17, "ana 17:5"),
        "house: expected the id of a house, the path of a rulebook file or a Rulebook, not 17",
    ),
    ("a path that is none", lambda: lib.load("nowhere.toml"), "nowhere.toml: cannot be read"),
    (
        "a path of another kind",
        lambda: lib.load(Path("README.md")),
        "expected the path of a file that ends in .toml",
    ),
    ("stakes without a player", lambda: lib.settle("ar", 17, "17:5"), "expected a player's name"),
    (
        "stakes that are no text",
        lambda: lib.settle("ar", 17, 5),
        "stakes: expected texts such as 'ana 17:5 red:50', or Stakes, not 5",
    ),
    ("an unknown spot", lambda: lib.settle("ar", 17, "ana rad:5"), "did you mean `red`?"),
    ("a spot that is none", lambda: lib.spot("38"), "no spot of the cloth is called '38'"),
    ("numbers that do not touch", lambda: lib.parse("17/22:4"), "17 and 22 do not touch"),
    ("a bet without amount", lambda: lib.parse("17"), "expected `:` and a whole amount"),
    (
        "a bet that is no text",
        lambda: lib.parse(17),
        "text: expected bets such as '17/20:4', not 17",
    ),
    (
        "a spot that the house has not",
        lambda: lib.settle("bg", 17, "ana d1+d2:10"),
        "bg does not offer d1+d2",
    ),
    (
        "a call that does not come out even",
        lambda: lib.settle("it", 17, "ana tiers:7"),
        "tiers has 6 pieces; 7 does not come out even",
    ),
    (
        "a negative stake",
        lambda: lib.settle("ar", 17, lib.Stake("b", "ana", lib.spot("17"), -5)),
        "stakes: b: expected whole amounts of at least 1, not -5",
    ),
    (
        "a negative stake in text",
        lambda: lib.settle("ar", 17, "ana 17:-5"),
        "expected a whole amount",
    ),
    (
        "two stakes of one id",
        lambda: lib.settle("ar", 17, *[lib.Stake("b", "ana", lib.spot("17"), 5)] * 2),
        "two of them are called 'b'",
    ),
    (
        "a stake of a spot not offered",
        lambda: lib.settle("bg", 17, lib.Stake("b", "ana", lib.spot("d1+d2"), 5)),
        "bg does not offer d1+d2",
    ),
    (
        "a prison of something else",
        lambda: lib.settle("es", 17, prison=["red"]),
        "prison: expected Prisoners, not 'red'",
    ),
    (
        "a chip of nothing",
        lambda: lib.settle("ar", 17, "ana 17:5", chip=0),
        "chip: expected a whole number of at least 1, not 0",
    ),
    (
        "a chip of a stranger",
        lambda: lib.settle("ar", 17, "ana 17:5", chip={"anna": 5}),
        "chip: expected one of ana, not 'anna'; did you mean 'ana'?",
    ),
    (
        "limits of another kind",
        lambda: lib.settle("ar", 17, "ana 17:5", limits=5),
        "limits: expected Limits or a dict such as",
    ),
    (
        "limits of no class",
        lambda: lib.settle("ar", 17, "ana 17:5", limits={"strait": {}}),
        "limits.strait: expected one of: straight",
    ),
    (
        "more than the maximum",
        lambda: lib.settle("bg", 17, "ana 17:5 17:2", limits={"straight": {"max": 5}}),
        "ana 17:7 is above the maximum of 5 (AMB-BG-08)",
    ),
    (
        "winnings to nowhere",
        lambda: lib.settle("ar", 17, "ana 17:5", winning="pocket"),
        "winning: expected one of hand, cloth, not 'pocket'",
    ),
    (
        "an unknown language",
        lambda: lib.settle("ar", 17, "ana 17:5").explain(language="de"),
        "language: expected one of en",
    ),
    (
        "an explanation for a stranger",
        lambda: lib.settle("ar", 17, "ana 17:5").explain("luis"),
        "player: expected one of ana, not 'luis'",
    ),
    ("broken TOML", lambda: lib.Rulebook.from_toml("id = "), "rulebook: not valid TOML"),
    (
        "TOML with a wrong key",
        lambda: lib.Rulebook.from_toml(
            Path(PAGE).read_text("utf-8").replace('order = "', 'oder = "', 1) + "\n[nonsense]\n"
        ),
        "nonsense: unknown key",
    ),
    (
        "TOML that is no text",
        lambda: lib.Rulebook.from_toml(b"id"),
        "text: expected the TOML text of a rulebook, not bytes",
    ),
    (
        "an empty layout",
        lambda: lib.odds("ar", ""),
        "a layout has at least one bet, such as red:10",
    ),
    (
        "a layout of another kind",
        lambda: lib.odds("ar", 10),
        "layout: expected bets such as '17:5 red:10', not 10",
    ),
    (
        "an unknown choice",
        lambda: lib.odds("es", "red:10", choice="all"),
        "'all' is no choice after zero: expected half or prison",
    ),
    (
        "a comparison without the house",
        lambda: lib.compare("red:10", houses=["ar"])["es"],
        "house: expected one of ar, not 'es'",
    ),
    (
        "a comparison with an unknown house",
        lambda: lib.compare("red:10", houses=["zz"]),
        "zz: no such rulebook",
    ),
    (
        "a chart of another kind",
        lambda: lib.odds("ar", "red:10").plot("odds.gif"),
        "path: expected a name that ends in .svg or .png, not 'odds.gif'",
    ),
    (
        "an unknown system",
        lambda: lib.simulate("ar", "red:10", system="martingal"),
        "'martingal' is no staking system: expected one of flat, martingale",
    ),
    (
        "the nearest system",
        lambda: lib.simulate("ar", "red:10", system="martingal"),
        "did you mean 'martingale'?",
    ),
    (
        "a system of another kind",
        lambda: lib.simulate("ar", "red:10", system=7),
        "system: expected one of flat, martingale",
    ),
    (
        "no coups",
        lambda: lib.simulate("ar", "red:10", coups=0),
        "coups: expected a whole number of at least 1, not 0",
    ),
    (
        "half a coup",
        lambda: lib.simulate("ar", "red:10", coups=1.5),
        "coups: expected a whole number of at least 1, not 1.5",
    ),
    (
        "a negative purse",
        lambda: lib.simulate("ar", "red:10", bankroll=-1),
        "bankroll: expected a whole number of at least 0, not -1",
    ),
    (
        "a spin that is none",
        lambda: lib.simulate("ar", "red:10", spins=[37]),
        "the number 37, in place 1, is not on the wheel of ar",
    ),
    (
        "a system that fails",
        lambda: lib.simulate("ar", "red:10", coups=9, players=9, system=lambda *_: 1),
        "not two whole numbers",
    ),
    (
        "players in a list",
        lambda: lib.Table("it", players=["anna"]),
        "players: expected a dict such as {'ana': 1000}, not ['anna']",
    ),
    (
        "a player who brings nothing",
        lambda: lib.Table("it", players={"anna": 0}),
        "players: anna: expected a whole number of at least 1, not 0",
    ),
    (
        "a player of no name",
        lambda: lib.Table("it", players={"": 5}),
        "players: expected a player's name",
    ),
    (
        "a player whose name is a number",
        lambda: lib.Table("it", players={7: 5}),
        "players: expected a player's name",
    ),
    (
        "a seed of text",
        lambda: lib.Table("it", seed="seven"),
        "seed: expected a whole number, or None for chance, not 'seven'",
    ),
    ("a player who is seated", lambda: table().sit("anna", 5), "players: anna: already seated"),
    (
        "an unknown player",
        lambda: table().stake("ana", "17:5"),
        "player: expected one of anna, luca, not 'ana'; did you mean 'anna'?",
    ),
    (
        "more than they hold",
        lambda: table().stake("anna", "17:500"),
        "anna 17:500: exceeds purse: 100 in hand",
    ),
    (
        "a stake of nothing",
        lambda: table().stake("anna", "17:0"),
        "an amount begins with a digit from 1 to 9",
    ),
    (
        "a stake that is no bet",
        lambda: table().stake("anna", 17),
        "bets: expected bets such as '17:5 red:10', not 17",
    ),
    ("a stake of no bets", lambda: table().stake("anna", [17]), "bets: expected Bet, not 17"),
    (
        "a spin of 37",
        lambda: table().spin(number=37),
        "number: expected a whole number from 0 to 36, not 37",
    ),
    (
        "a choice without zero",
        lambda: table().choose("anna", "half"),
        "player: anna has nothing to choose about",
    ),
    (
        "a choice that is none",
        lambda: table().choose("anna", "all"),
        "choice: expected one of half, prison, not 'all'",
    ),
    (
        "a negative number of coups",
        lambda: table().play("red:5", coups=-1),
        "coups: expected a whole number of at least 0, not -1",
    ),
    (
        "a strategy of a stranger",
        lambda: list(table().play({"ana": "red:5"}, coups=1)),
        "player: expected one of anna, luca",
    ),
    (
        "a cloth with a number that is none",
        lambda: lib.cloth("it", number="17"),
        "number: expected a whole number from 0 to 36",
    ),
    (
        "a cloth with a spot not there",
        lambda: lib.cloth("bg", "ana d1+d2:10"),
        "bg does not offer d1+d2",
    ),
    (
        "a cloth that hangs",
        lambda: lib.cloth("it", orientation="up"),
        "orientation: expected one of landscape, portrait, not 'up'",
    ),
    (
        "a store that is not there",
        lambda: lib.read_log("nowhere.db"),
        "store: there is no file 'nowhere.db'",
    ),
    ("a store that is none", lambda: lib.read_log("README.md"), "README.md"),
    (
        "a store elsewhere",
        lambda: lib.read_log("mysql://house"),
        "a store is a file, or a database at postgresql://",
    ),
    (
        "a house without an address",
        lambda: lib.connect("127.0.0.1:8037", "es", "ana"),
        "url: expected an address such as http://127.0.0.1:8037",
    ),
    (
        "a house that does not answer",
        lambda: lib.connect("http://127.0.0.1:1", "es", "ana").__enter__(),
        "no house answers at http://127.0.0.1:1",
    ),
    (
        "a seat that is not taken",
        lambda: lib.connect("http://127.0.0.1:1", "es", "ana").stake("17:5"),
        "is not connected; write `with nv.connect",
    ),
]


@pytest.mark.parametrize(("call", "told"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_wrong_input_is_told(
    call: Callable[[], Any], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    with pytest.raises(nv.NovamasError) as raised:
        call()
    assert told in str(raised.value)


LIBRARY = ("api", "game", "house", "odds", "rulebooks", "simulation", "table")


def modules() -> Iterator[Any]:
    """Every module of the library."""
    for name in LIBRARY:
        package = importlib.import_module(f"novamas.{name}")
        yield package
        for found in pkgutil.walk_packages(package.__path__, f"novamas.{name}."):
            yield importlib.import_module(found.name)


def test_every_exception_of_the_library_is_a_novamas_error() -> None:
    """But `Refused`, which never leaves a decision, and those of the verifier, a program apart."""
    inside = {"Refused"}
    strangers = [
        f"{module.__name__}.{name}"
        for module in modules()
        for name, thing in vars(module).items()
        if inspect.isclass(thing)
        and issubclass(thing, BaseException)
        and thing.__module__ == module.__name__
        and not issubclass(thing, nv.NovamasError)
        and name not in inside
        and module.__name__ != "novamas.house.ball.verify_ball"
    ]
    assert strangers == []


def test_no_plain_exception_is_raised_for_what_a_caller_passes() -> None:
    plain = {"ValueError", "TypeError", "LookupError", "RuntimeError", "Exception", "ImportError"}
    raised = [
        f"{module.__name__}:{node.lineno}"
        for module in modules()
        if module.__name__.split(".")[1] in ("api", "game", "odds", "rulebooks", "simulation")
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Raise)
        and isinstance(node.exc, ast.Call)
        and isinstance(node.exc.func, ast.Name)
        and node.exc.func.id in plain
    ]
    assert raised == []


def test_callers_that_expect_the_exceptions_of_python_still_catch_them() -> None:
    with pytest.raises(ValueError, match="pocket"):
        nv.settle("ar", 37, "ana 17:5")
    with pytest.raises(ValueError, match="no such rulebook"):
        nv.load("zz")
    assert issubclass(nv.MissingExtraError, ImportError)
