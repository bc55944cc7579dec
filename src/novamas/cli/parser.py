"""The arguments of every command. Nothing heavy is imported here."""

from __future__ import annotations

from novamas import __version__
from novamas.cli import house_parser
from novamas.cli.parser_base import (
    ARTICLE,
    CALL,
    CHOICE,
    FILE,
    HOUSE,
    SYSTEM,
    Parser,
    add_command,
    add_json,
    add_language,
    add_output,
    whole_parser,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from novamas.cli.parser_base import Commands

HOUSES = "ar, es, it, bg, fr, fram, fran, esam, sd, or the path of a rulebook file (.toml)"
LIMITS = 'minima and maxima by class: "straight:1-100 simple:5-1000"'
MINIMUM = "the table's minimum, from which the house's own list gives the maxima"


def build_parser() -> Parser:
    """The parser of the whole command line."""
    parser = whole_parser(
        "novamas",
        "A roulette house that plays by the book.",
        "examples:\n"
        '  novamas settle ar 17 "ana 17:5 14/17:10 red:50" "luis 17/20:4"\n'
        "  novamas rules ar 14\n"
        "  novamas play es\n\n"
        "`novamas COMMAND --help` explains a command.\n"
        "Exit codes: 0 when all is well, 1 when a check fails or something cannot be done,\n"
        "2 for wrong input, 74 or 141 when the output cannot be written.",
    )
    parser.add_argument("--version", action="version", version=f"novamas {__version__}")
    parser.add_argument("--no-color", action="store_true", help="print without colours")
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
        house_parser.add_serve,
        house_parser.add_house,
        house_parser.add_tell,
        house_parser.add_verify,
        house_parser.add_backup,
        house_parser.add_restore,
        _completion,
    ):
        add(commands)
    return parser


def _house(command: Parser) -> None:
    command.add_argument("house", metavar=HOUSE, help=HOUSES)


def _terms(command: Parser) -> None:
    """The options for repeated play of a layout: when it ends, and at which table."""
    command.add_argument("--target", metavar="N", help="stop when the purse has grown to this")
    command.add_argument("--stop-loss", metavar="N", help="stop when the purse has fallen to this")
    command.add_argument(
        "--at-limit",
        choices=("cap", "restart"),
        default="cap",
        help="when the system wants more than the maximum: stake the maximum, or start over (cap)",
    )
    command.add_argument(
        "--choice",
        metavar=CHOICE,
        default="prison",
        help="what the player chooses after zero: half, prison, or prison,half for prison at the"
        " first zero and half at the next (prison)",
    )
    command.add_argument("--chip", metavar="N", default="1", help="what a chip is worth (1)")
    command.add_argument("--limits", metavar="TEXT", help=LIMITS)
    command.add_argument("--minimum", metavar="N", help=MINIMUM)


def _play(commands: Commands) -> None:
    command = add_command(
        commands,
        "play",
        "sit down at a table and play against the house",
        "play es",
        "play it --chip 20 --purse 2000",
        "play ar --seed 7 < evening.txt",
    )
    _house(command)
    command.add_argument(
        "--purse", metavar="N", default="1000", help="how much money you bring (1000)"
    )
    command.add_argument("--chip", metavar="N", default="10", help="what a chip is worth (10)")
    command.add_argument("--minimum", metavar="N", help="the table's minimum (one chip)")
    command.add_argument("--limits", metavar="TEXT", help=LIMITS)
    command.add_argument(
        "--winning",
        choices=("hand", "cloth"),
        help="winning stakes go back to the hand, or stay on the cloth (by the book)",
    )
    command.add_argument("--coups", metavar="N", help="close the table after this many coups")
    command.add_argument(
        "--seed", metavar="N", help="draw the same numbers each time, for a demonstration"
    )
    command.add_argument("--name", default="you", help="your name at the table (you)")
    command.add_argument("--fast", action="store_true", help="do not show the ball running")
    command.add_argument(
        "--plain",
        action="store_true",
        help="play line by line instead of on the full screen, as for a screen reader",
    )
    add_language(command)


def _settle(commands: Commands) -> None:
    command = add_command(
        commands,
        "settle",
        "settle a coup: who wins and loses what, by which articles",
        'settle ar 17 "ana 17:5 14/17:10 red:50" "luis 17/20:4"',
        'settle it 0 "ana rosso:7 vicini:18" --why',
        'settle ar 17 "ana 17:500" --limits "straight:1-100 split:1-200 street:1-300"',
    )
    _house(command)
    command.add_argument(
        "number", metavar="NUMBER", help="the number that came out: 0 to 36, or 00"
    )
    command.add_argument(
        "hands",
        metavar="HAND",
        nargs="+",
        help='a player and their bets: "ana 17:5 red:50 voisins:9"',
    )
    command.add_argument("--limits", metavar="TEXT", help=LIMITS)
    command.add_argument("--minimum", metavar="N", help=MINIMUM)
    command.add_argument(
        "--chip",
        action="append",
        default=[],
        metavar="[PLAYER=]N",
        help="what a chip is worth, for all or for one player; may be given again (1)",
    )
    command.add_argument(
        "--value-chips",
        action="append",
        default=[],
        metavar="PLAYER",
        help="this player stakes value chips instead of a colour; may be given again",
    )
    command.add_argument(
        "--winning",
        choices=("hand", "cloth"),
        default="hand",
        help="winning stakes go back to the hand, or stay on the cloth (hand)",
    )
    command.add_argument(
        "--last", action="store_true", help="settle it as the last coup of the day"
    )
    command.add_argument(
        "--as-laid", action="store_true", help="settle also stakes that are too little to play"
    )
    command.add_argument(
        "--why", action="store_true", help="explain every line, with the text of its articles"
    )
    add_output(command)


def _run(commands: Commands) -> None:
    command = add_command(
        commands,
        "run",
        "play table scripts and print their results",
        "run evening.json",
        "run --json scripts/*.json",
        "run - < evening.json",
    )
    command.add_argument(
        "files", metavar=FILE, nargs="+", help="a JSON list of scripts; - is the standard input"
    )
    command.add_argument("--on", metavar="URL", help="play them at a running house")
    command.add_argument(
        "--key", help="the management's key, which the house printed when it opened"
    )
    add_output(command)


def _rules(commands: Commands) -> None:
    command = add_command(
        commands,
        "rules",
        "read a house's articles, or search their texts",
        "rules it",
        "rules ar 14",
        "rules es 7.2.b zero --lang es",
        "rules it prison",
        "rules --diff fr es",
        "rules fran --origins",
    )
    command.add_argument("house", metavar=HOUSE, nargs="?", help=HOUSES)
    command.add_argument(
        "articles",
        metavar=ARTICLE,
        nargs="*",
        default=[],
        help="an article (14, AR-14.b), a section (zero), or a word to search for (prison)",
    )
    command.add_argument(
        "--diff",
        nargs=2,
        metavar=HOUSE,
        help="show what differs between two houses, and what each keeps of a stake",
    )
    command.add_argument(
        "--origins",
        action="store_true",
        help="of a book that extends another, show which book each choice comes from",
    )
    add_language(command, default=None, otherwise="en and the house's own")
    add_json(command)


def _cloth(commands: Commands) -> None:
    command = add_command(
        commands,
        "cloth",
        "draw a house's cloth, with stakes on it",
        "cloth it",
        'cloth it --svg cloth.svg --stakes "ana 17:5 red:50; luis 8/11:10" --number 17',
    )
    _house(command)
    command.add_argument(
        "--stakes", metavar="TEXT", help='the stakes on it: "ana 17:5 red:50; luis 8/11:10"'
    )
    command.add_argument(
        "--number", metavar="NUMBER", help="the number that came out, marked with the dolly"
    )
    command.add_argument(
        "--chip",
        action="append",
        default=[],
        metavar="[PLAYER=]N",
        help="what a chip is worth, for all or for one player; may be given again (1)",
    )
    command.add_argument(
        "--svg", metavar=FILE, help="write a picture in SVG to FILE; - is the standard output"
    )
    command.add_argument("--upright", action="store_true", help="draw the picture with zero on top")
    add_language(command)


def _wheel(commands: Commands) -> None:
    command = add_command(
        commands,
        "wheel",
        "show the wheel, or the neighbours of a number",
        "wheel",
        "wheel sd",
        "wheel --neighbours 17",
        "wheel --table",
    )
    command.add_argument("house", metavar=HOUSE, nargs="?", help=f"{HOUSES} (the European wheel)")
    command.add_argument(
        "--neighbours", metavar="NUMBER", help="show this number and those beside it"
    )
    command.add_argument("--each-side", metavar="N", help="how many neighbours on each side (2)")
    command.add_argument("--table", action="store_true", help="show the neighbours of every number")
    add_output(command)


def _pays(commands: Commands) -> None:
    command = add_command(
        commands,
        "pays",
        "print what a number of chips wins on each kind of bet",
        "pays it",
        "pays ar --upto 20 --step 1",
    )
    _house(command)
    command.add_argument("--upto", metavar="N", default="100", help="the last row, in chips (100)")
    command.add_argument(
        "--step", metavar="N", default="5", help="chips from one row to the next (5)"
    )
    add_output(command)


def _announce(commands: Commands) -> None:
    command = add_command(
        commands,
        "announce",
        "show where an announcement lies, what it costs and what it wins",
        "announce it",
        "announce it voisins:18",
        "announce bg 17~2:5",
    )
    _house(command)
    command.add_argument(
        "call",
        metavar=CALL,
        nargs="?",
        help="an announcement (voisins:18, 17~2:5, f4), or all (all)",
    )
    add_output(command)


def _odds(commands: Commands) -> None:
    command = add_command(
        commands,
        "odds",
        "work out the exact odds of a layout, of many coups, or of a purse and a system",
        'odds it "red:10 17:5"',
        'odds es "red:10" --choice half --compare',
        'odds bg "17:1" --coups 1000000 --chart law.svg',
        'odds ar "red:10" --bankroll 500 --target 1000 --system martingale --limits simple:10-500',
    )
    _house(command)
    command.add_argument(
        "layout", metavar="BET", nargs="+", help='the bets of the layout: "red:10 17:5 voisins:9"'
    )
    command.add_argument("--coups", metavar="N", help="also work out the result of this many coups")
    command.add_argument("--bankroll", metavar="N", help="also work out how a purse of N ends")
    command.add_argument(
        "--system",
        metavar=SYSTEM,
        help="the staking system of the purse: flat, martingale, labouchere:1,2,3 … (flat)",
    )
    _terms(command)
    command.add_argument(
        "--lays-on",
        action="store_true",
        help="stake the layout again even while a part of it is in prison",
    )
    command.add_argument(
        "--divisible",
        action="store_true",
        help="halve stakes below one unit too, as published odds do",
    )
    command.add_argument("--compare", action="store_true", help="compare the houses side by side")
    command.add_argument(
        "--chart",
        metavar=FILE,
        help="draw the last answer to an .svg or .png; - is the standard output",
    )
    add_output(command)


def _simulate(commands: Commands) -> None:
    command = add_command(
        commands,
        "simulate",
        "play many coups by a staking system, and print the statistics",
        'simulate it "red:10" --system martingale --limits simple:10-500 --coups 1e6 --players 100',
        'simulate ar "red:10" --bankroll 500 --target 1000 --limits simple:10-500 --chart out.svg',
        'simulate es "red:10 17:5" --spins evening.csv',
    )
    _house(command)
    command.add_argument(
        "layout", metavar="BET", nargs="+", help='the bets of the layout: "red:10 17:5 voisins:9"'
    )
    command.add_argument(
        "--system",
        metavar=SYSTEM,
        default="flat",
        help="the staking system: martingale, labouchere:1,2,3 …, or your own file my.py (flat)",
    )
    command.add_argument("--coups", metavar="N", help="how many coups each player plays (1000)")
    command.add_argument("--players", metavar="N", help="how many players (10000)")
    command.add_argument("--bankroll", metavar="N", help="the purse of each player (unlimited)")
    _terms(command)
    command.add_argument(
        "--seed", metavar="N", default="0", help="the same seed gives the same answer (0)"
    )
    command.add_argument(
        "--to-the-end",
        action="store_true",
        help="after the last coup, follow what is in prison until it is decided",
    )
    command.add_argument("--threads", metavar="N", help="how many threads to use (all cores)")
    command.add_argument(
        "--cluster", metavar="ADDRESS", help="run on the Dask scheduler at this address"
    )
    command.add_argument(
        "--spins", metavar=FILE, help="play the recorded numbers of this text or CSV file"
    )
    command.add_argument(
        "--chart", metavar=FILE, help="draw paths and results to an .svg or .png file"
    )
    command.add_argument(
        "--parquet", metavar=FILE, help="write one row for each player to a Parquet file"
    )
    add_output(command)


def _completion(commands: Commands) -> None:
    command = add_command(
        commands,
        "completion",
        "print the script that completes novamas in a shell",
        "completion bash > ~/.local/share/bash-completion/completions/novamas",
        "completion zsh > ~/.zfunc/_novamas",
        "completion fish > ~/.config/fish/completions/novamas.fish",
    )
    command.add_argument("shell", choices=("bash", "zsh", "fish"), help="which shell")
