"""The arguments of every command. Nothing heavy is imported here.

What an argument stands for is told by its metavar; shell completion goes by it too.
"""

from __future__ import annotations

import re
import sys
from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter

from novamas import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import _SubParsersAction
    from typing import NoReturn, TypeAlias

    from _typeshed import SupportsWrite

    Commands: TypeAlias = _SubParsersAction["Parser"]

HOUSE = "HOUSE"
FILE = "FILE"
KEY = "KEY"
KEYS = "a file, credential:NAME, or command:LINE, which prints it"
CHECKPOINTS_KEY = "the key that signs the checkpoints (beside them); a KEY as of --ball-key"
STOLEN = "take none of these passwords: lines of SHA-1 in hexadecimal, sorted"
CALL = "CALL"
ONE_LOG = "one table, or register; all if not given"
HOUSES = "ar, es, it, bg, or the path of a rulebook file (.toml)"


class _Formatter(RawDescriptionHelpFormatter):
    """Help with examples as they were written, and room for the names of the arguments."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26)
        # The longest command, indented; by itself it is not counted.
        self._action_max_length = 14


class Parser(ArgumentParser):
    """A parser that says what may have been meant, and where to read more."""

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # The parser's own way keeps quiet about help that could not be written.
        (sys.stderr if file is None else file).write(message)

    def error(self, message: str) -> NoReturn:
        """Ends with what is wrong, and what to do about it."""
        wrong = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)
        if wrong:
            from difflib import get_close_matches

            near = get_close_matches(wrong[1], re.findall(r"[\w-]+", wrong[2]), n=1)
            message += f"; did you mean {near[0]}?" if near else ""
        self.exit(2, f"{self.prog}: {message}\n  `{self.prog} --help` tells how it is used\n")


def build_parser() -> Parser:
    """The parser of the whole command line."""
    parser = Parser(
        prog="novamas",
        description="A roulette house that plays by the book.",
        epilog=(
            "examples:\n"
            '  novamas settle ar 17 "ana 17:5 14/17:10 red:50" "luis 17/20:4"\n'
            "  novamas rules ar 14\n"
            "  novamas play es\n\n"
            "`novamas COMMAND --help` tells more about a command.\n"
            "It ends with 0 when all is well, 1 when a check fails or something cannot be done,\n"
            "2 when it was asked wrongly, 74 or 141 when its output cannot be written."
        ),
        formatter_class=_Formatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"novamas {__version__}")
    parser.add_argument("--no-color", action="store_true", help="no colours")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for add in (
        _play,
        _settle,
        _run,
        _rules,
        _cloth,
        _wheel,
        _pays,
        _announce,
        _odds,
        _simulate,
        _serve,
        _init,
        _tell,
        _verify,
        _log,
        _ledger,
        _backup,
        _restore,
        _completion,
    ):
        add(commands)
    return parser


def _command(commands: Commands, name: str, does: str, *examples: str) -> Parser:
    """A command with what all of them have."""
    listed = "\n".join(f"  novamas {example}" for example in examples)
    command = commands.add_parser(
        name,
        help=does,
        description=f"{does[0].upper()}{does[1:]}.",
        epilog=f"examples:\n{listed}" if listed else None,
        formatter_class=_Formatter,
        allow_abbrev=False,
    )
    command.add_argument("--no-color", action="store_true", default=SUPPRESS, help="no colours")
    return command


def _json(command: Parser) -> None:
    command.add_argument("--json", action="store_true", help="print it as JSON")


def _house(command: Parser) -> None:
    command.add_argument("house", metavar=HOUSE, help=HOUSES)


def _terms(command: Parser) -> None:
    """On what terms a layout is played again and again: when it ends, and at which table."""
    command.add_argument("--target", metavar="N", help="stop when the purse has reached this")
    command.add_argument("--stop-loss", metavar="N", help="stop when it has fallen to this")
    command.add_argument(
        "--at-limit",
        choices=("cap", "restart"),
        default="cap",
        help="lay the maximum when the system wants more, or begin again (cap)",
    )
    command.add_argument(
        "--choice",
        metavar="HOW",
        default="prison",
        help="after zero: half or prison; prison,half is prison first, then half (prison)",
    )
    command.add_argument("--chip", metavar="N", default="1", help="what a chip is worth (1)")
    command.add_argument("--limits", metavar="TEXT", help='"straight:1-100 simple:5-1000"')
    command.add_argument("--minimum", metavar="N", help="limits by the house's own list")


def _play(commands: Commands) -> None:
    command = _command(
        commands,
        "play",
        "sit down at a table and play against the house",
        "play es",
        "play it --chip 20 --purse 2000",
        "play ar --seed 7 < evening.txt",
    )
    _house(command)
    command.add_argument("--purse", metavar="N", default="1000", help="what you bring (1000)")
    command.add_argument("--chip", metavar="N", default="10", help="what a chip is worth (10)")
    command.add_argument("--minimum", metavar="N", help="the table's minimum (a chip)")
    command.add_argument("--limits", metavar="TEXT", help='"straight:10-300 simple:10-5000"')
    command.add_argument("--winning", choices=("hand", "cloth"), help="where winning stakes go")
    command.add_argument("--coups", metavar="N", help="close the table after so many coups")
    command.add_argument(
        "--seed", metavar="N", help="the same numbers each time, to show something"
    )
    command.add_argument("--name", default="you", help="the name you play by")
    command.add_argument("--fast", action="store_true", help="do not wait for the ball")


def _settle(commands: Commands) -> None:
    command = _command(
        commands,
        "settle",
        "settle a coup: who wins and loses what, by which articles",
        'settle ar 17 "ana 17:5 14/17:10 red:50" "luis 17/20:4"',
        'settle it 0 "ana rosso:7 vicini:18" --why',
        'settle ar 17 "ana 17:500" --limits "straight:1-100 split:1-200 street:1-300"',
    )
    _house(command)
    command.add_argument("number", metavar="NUMBER", help="the number that came out, 0 to 36")
    command.add_argument("hands", metavar="HAND", nargs="+", help='"ana 17:5 red:50 voisins:9"')
    command.add_argument("--limits", metavar="TEXT", help='"straight:1-100 simple:5-1000"')
    command.add_argument("--minimum", metavar="N", help="limits by the house's own list")
    command.add_argument(
        "--chip",
        action="append",
        default=[],
        metavar="[PLAYER=]N",
        help="what a chip is worth (1), for all or for a player; may be given again",
    )
    command.add_argument(
        "--value-chips",
        action="append",
        default=[],
        metavar="PLAYER",
        help="this player has value chips and no colour; may be given again",
    )
    command.add_argument(
        "--winning",
        choices=("hand", "cloth"),
        default="hand",
        help="where winning stakes go (hand)",
    )
    command.add_argument("--last", action="store_true", help="it is the session's last coup")
    command.add_argument(
        "--as-laid", action="store_true", help="settle also what is too little to play"
    )
    command.add_argument("--why", action="store_true", help="explain every line")
    command.add_argument(
        "--lang", default="en", metavar="LANG", help="language: en or the house's (en)"
    )
    _json(command)


def _run(commands: Commands) -> None:
    command = _command(
        commands,
        "run",
        "play table scripts and tell what came of them",
        "run evening.json",
        "run --json scripts/*.json",
        "run - < evening.json",
    )
    command.add_argument("files", metavar=FILE, nargs="+", help="JSON lists of scripts; - is input")
    command.add_argument("--on", metavar="URL", help="play them at a house that is being served")
    command.add_argument("--key", help="the management's key, which the house printed")
    _json(command)


def _rules(commands: Commands) -> None:
    command = _command(
        commands,
        "rules",
        "read a house's articles, and the behaviours its book chooses",
        "rules it",
        "rules ar 14",
        "rules es 7.2.b zero --lang es",
    )
    _house(command)
    command.add_argument(
        "articles",
        metavar="ARTICLE",
        nargs="*",
        default=[],
        help="such as 14, AR-14.b, or a section: zero",
    )
    command.add_argument("--lang", metavar="LANG", help="en or the house's; both if not given")
    _json(command)


def _cloth(commands: Commands) -> None:
    command = _command(
        commands,
        "cloth",
        "draw a house's cloth, with stakes on it",
        "cloth it",
        'cloth it --svg cloth.svg --stakes "ana 17:5 red:50; luis 8/11:10" --number 17',
    )
    _house(command)
    command.add_argument("--stakes", metavar="TEXT", help='"ana 17:5 red:50; luis 8/11:10"')
    command.add_argument("--number", metavar="NUMBER", help="the number that came out")
    command.add_argument(
        "--chip",
        action="append",
        default=[],
        metavar="[PLAYER=]N",
        help="what a chip is worth (1); may be given again",
    )
    command.add_argument("--svg", metavar=FILE, help="write an SVG picture; - is the output")
    command.add_argument("--upright", action="store_true", help="the picture with zero on top")


def _wheel(commands: Commands) -> None:
    command = _command(
        commands,
        "wheel",
        "show the wheel, or the neighbours of a number",
        "wheel",
        "wheel --neighbours 17",
        "wheel --table",
    )
    command.add_argument("--neighbours", metavar="NUMBER", help="a number and those beside it")
    command.add_argument("--each-side", metavar="N", help="so many neighbours on each side (2)")
    command.add_argument("--table", action="store_true", help="the whole table of neighbours")
    _json(command)


def _pays(commands: Commands) -> None:
    command = _command(
        commands,
        "pays",
        "print what so many chips win on the numbers",
        "pays it",
        "pays ar --upto 20 --step 1",
    )
    _house(command)
    command.add_argument("--upto", metavar="N", default="100", help="up to so many chips (100)")
    command.add_argument("--step", metavar="N", default="5", help="in steps of so many (5)")
    _json(command)


def _announce(commands: Commands) -> None:
    command = _command(
        commands,
        "announce",
        "tell what an announcement lays, costs and wins",
        "announce it",
        "announce it voisins:18",
        "announce bg 17~2:5",
    )
    _house(command)
    command.add_argument(
        "call", metavar=CALL, nargs="?", help="voisins:18, 17~2:5, f4; or all (all)"
    )
    _json(command)


def _odds(commands: Commands) -> None:
    command = _command(
        commands,
        "odds",
        "tell what a layout, a number of coups, a purse and a system really come to",
        'odds it "red:10 17:5"',
        'odds es "red:10" --choice half --compare',
        'odds bg "17:1" --coups 1000000 --chart law.svg',
        'odds ar "red:10" --bankroll 500 --target 1000 --system martingale --limits simple:10-500',
    )
    _house(command)
    command.add_argument("layout", metavar="BET", nargs="+", help='"red:10 17:5 voisins:9"')
    command.add_argument("--coups", metavar="N", help="the result of so many coups")
    command.add_argument("--bankroll", metavar="N", help="the purse one comes with")
    command.add_argument("--system", metavar="NAME", help="flat, martingale, labouchere:1,2,3 …")
    _terms(command)
    command.add_argument(
        "--lays-on", action="store_true", help="lay the layout also while a part is in prison"
    )
    command.add_argument(
        "--divisible", action="store_true", help="halve stakes without end, in one round"
    )
    command.add_argument("--compare", action="store_true", help="the four houses side by side")
    command.add_argument("--chart", metavar=FILE, help="draw it: .svg or .png; - is the output")
    _json(command)


def _serve(commands: Commands) -> None:
    command = _command(
        commands,
        "serve",
        "open a house: on this machine alone, or to people with accounts",
        "serve --local --open",
        "serve --local --store house.db --checkpoints elsewhere/house.checkpoints",
        "serve --store house.db --host 0.0.0.0 --name house.example.org"
        " --certificate tls-certificate.pem --key tls-key.pem",
    )
    command.add_argument(
        "--local", action="store_true", help="on the loopback alone, with play money"
    )
    command.add_argument("--host", metavar="ADDRESS", help="where to listen (127.0.0.1)")
    command.add_argument(
        "--name",
        metavar="NAME",
        action="append",
        help="a name under which people reach it; may be given more than once",
    )
    command.add_argument(
        "--certificate", metavar=FILE, help="speak TLS with this certificate, in PEM"
    )
    command.add_argument("--key", metavar=FILE, help="the certificate's private key, in PEM")
    command.add_argument(
        "--proxy",
        metavar="ADDRESS",
        action="append",
        help="believe a proxy that speaks TLS; may be given more than once",
    )
    command.add_argument("--port", metavar="N", default="8037", help="(8037); 0 is any")
    command.add_argument("--open", action="store_true", help="show it in the browser, if it can")
    command.add_argument(
        "--store", metavar=FILE, help="keep everything in this file, or in postgresql://…"
    )
    command.add_argument(
        "--address", metavar="URL", help="where the other servers of the house send people to"
    )
    command.add_argument(
        "--checkpoints", metavar=FILE, help="witness the logs in a file that is kept elsewhere"
    )
    command.add_argument("--checkpoints-key", metavar=KEY, help=CHECKPOINTS_KEY)
    command.add_argument(
        "--ball-key",
        metavar=KEY,
        help="the key that seals the ball's seeds (beside the store's file); " + KEYS,
    )
    command.add_argument(
        "--clock-is-right",
        action="store_true",
        help="open a house that was closed for more than a week: its clock was compared",
    )
    command.add_argument(
        "--second-factor",
        choices=("staff", "everyone"),
        help="who must have a passkey or an app with codes: staff, or players too (staff)",
    )
    command.add_argument("--stolen-passwords", metavar=FILE, help=STOLEN)
    command.add_argument(
        "--log", metavar=FILE, help="write a journal, a line of JSON each; - is the standard error"
    )
    command.add_argument(
        "--metrics", metavar="[HOST:]PORT", help="measures and readiness on a port of their own"
    )


def _init(commands: Commands) -> None:
    command = _command(
        commands,
        "house",
        "make the first chiefs of a house, let one in again, or change the key of the ball",
        "house init house.db --chief Vera --chief Dino",
        'house password house.db --chief Vera --reason "lost the notebook"',
        'house rekey house.db --new-ball-key new.ball-key --reason "the yearly change"',
    )
    whats = ["init", "password", "rekey"]
    command.add_argument("what", metavar="WHAT", choices=whats, help="init, password or rekey")
    command.add_argument("store", metavar=FILE, help="where the house keeps everything")
    command.add_argument(
        "--chief",
        metavar="NAME",
        action="append",
        help="a chief's name; give it twice, for making staff known takes two people",
    )
    command.add_argument("--reason", metavar="TEXT", help="why it is done; goes into the register")
    command.add_argument("--stolen-passwords", metavar=FILE, help=STOLEN)
    command.add_argument(
        "--ball-key", metavar=KEY, help="rekey: the old key (beside the store's file); " + KEYS
    )
    command.add_argument("--new-ball-key", metavar=KEY, help="rekey: the new key, likewise")


def _tell(commands: Commands) -> None:
    command = _command(
        commands,
        "tell",
        "give a table of a house that runs one command, as whoever has signed in",
        "tell https://house.example.org mesa OpenBank amount=100000 --token cashier.token",
        "tell https://house.example.org mesa CloseTable --token chief.token --json",
    )
    command.add_argument("url", metavar="URL", help="where the house is")
    command.add_argument("table", metavar="TABLE", help="the table's name")
    command.add_argument("do", metavar="COMMAND", help="as the table's socket names it")
    command.add_argument("fields", metavar="FIELD=VALUE", nargs="*", help="what it says")
    command.add_argument(
        "--token", metavar=FILE, required=True, help="the file with the token of a sign-in"
    )
    command.add_argument("--id", metavar="ID", help="given twice under one id it happens once")
    _json(command)


def _store(command: Parser, of: str = "one table; all if not given") -> None:
    command.add_argument("store", metavar=FILE, help="where a house keeps everything")
    command.add_argument("table", metavar="TABLE", nargs="?", help=of)


def _verify(commands: Commands) -> None:
    command = _command(
        commands,
        "verify",
        "work every drawn number out again from what the house had committed to",
        "verify house.db",
        "verify house.db ar --coup 12",
    )
    _store(command)
    command.add_argument("--coup", metavar="N", help="tell how the number of this coup came about")
    _json(command)


def _log(commands: Commands) -> None:
    command = _command(
        commands,
        "log",
        "verify that a house's logs are whole and say what was played",
        "log verify house.db",
        "log verify house.db --checkpoints elsewhere/house.checkpoints",
    )
    command.add_argument("what", choices=("verify",), help="verify")
    _store(command, ONE_LOG)
    command.add_argument("--checkpoints", metavar=FILE, help="what was witnessed, kept elsewhere")
    command.add_argument("--checkpoints-key", metavar=KEY, help=CHECKPOINTS_KEY)
    _json(command)


def _ledger(commands: Commands) -> None:
    command = _command(
        commands,
        "ledger",
        "check that a house's books are right to the last chip",
        "ledger check house.db",
        "ledger check house.db ar --json",
    )
    command.add_argument("what", choices=("check",), help="check")
    _store(command, ONE_LOG)
    _json(command)


def _backup(commands: Commands) -> None:
    command = _command(
        commands,
        "backup",
        "copy a whole house to a file, while it goes on, and verify the copy",
        "backup house.db monday.db",
        "backup postgresql://house@127.0.0.1/house monday.db",
    )
    command.add_argument("store", metavar=FILE, help="where the house keeps everything")
    command.add_argument("file", metavar=FILE, help="the new file; it is itself a house's store")
    _json(command)


def _restore(commands: Commands) -> None:
    command = _command(
        commands,
        "restore",
        "make a house of a backup, in a store that has nothing, and verify it",
        "restore monday.db house.db",
        "restore monday.db postgresql://house@127.0.0.1/house",
    )
    command.add_argument("file", metavar=FILE, help="what `novamas backup` has written")
    command.add_argument("store", metavar=FILE, help="a new file, or an empty database")
    _json(command)


def _simulate(commands: Commands) -> None:
    command = _command(
        commands,
        "simulate",
        "play a great many coups by a staking system, and tell what came of it",
        'simulate it "red:10" --system martingale --coups 1e6 --players 100',
        'simulate ar "red:10" --bankroll 500 --target 1000 --limits simple:10-500 --chart out.svg',
        'simulate es "red:10 17:5" --spins evening.csv',
    )
    _house(command)
    command.add_argument("layout", metavar="BET", nargs="+", help='"red:10 17:5 voisins:9"')
    command.add_argument(
        "--system", metavar="NAME", default="flat", help="martingale, labouchere:1,2,3 … or my.py"
    )
    command.add_argument("--coups", metavar="N", help="coups of each player (1000)")
    command.add_argument("--players", metavar="N", help="how many players (10000)")
    command.add_argument("--bankroll", metavar="N", help="the purse one comes with (no end)")
    _terms(command)
    command.add_argument(
        "--seed", metavar="N", default="0", help="the same seed gives the same answer (0)"
    )
    command.add_argument("--threads", metavar="N", help="how many threads (all cores)")
    command.add_argument("--cluster", metavar="ADDRESS", help="play on this Dask scheduler")
    command.add_argument("--spins", metavar=FILE, help="play these recorded numbers, text or CSV")
    command.add_argument("--chart", metavar=FILE, help="draw paths and results to an .svg or .png")
    command.add_argument("--parquet", metavar=FILE, help="write a row for each player")
    _json(command)


def _completion(commands: Commands) -> None:
    command = _command(
        commands,
        "completion",
        "print the completion of this command for a shell",
        "completion bash > ~/.local/share/bash-completion/completions/novamas",
        "completion zsh > ~/.zfunc/_novamas",
        "completion fish > ~/.config/fish/completions/novamas.fish",
    )
    command.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
