"""`novamas completion`: the completion of the command for a shell, made from its parser.

The scripts are static: they do not run the command while a person types.
"""

from __future__ import annotations

from argparse import Action, Namespace
from collections.abc import Callable, Iterator
from typing import NamedTuple

from novamas.cli.parser import build_parser
from novamas.cli.parser_base import ARTICLE, CALL, CHOICE, FILE, HOUSE, KEY, SYSTEM, Parser
from novamas.cli.parser_tree import Leaf, arguments, leaves
from novamas.cli.terminal import Terminal
from novamas.game.rulebook.choices import SECTIONS
from novamas.rulebooks import HOUSES, load


class Argument(NamedTuple):
    """An argument as a shell completes it."""

    flags: tuple[str, ...]
    """The names of an option; empty for a positional argument."""
    help: str
    choices: tuple[str, ...]
    kind: str
    """Values that depend on the house typed before: articles or announcements; or None."""
    files: bool
    takes_value: bool
    many: bool


class Command(NamedTuple):
    """A command as a shell completes it."""

    path: tuple[str, ...]
    """Its words: `verify`, `log`."""
    help: str
    options: tuple[Argument, ...]
    places: tuple[Argument, ...]

    @property
    def name(self) -> str:
        """Its words as they are typed."""
        return " ".join(self.path)

    @property
    def valued(self) -> tuple[Argument, ...]:
        """Its options that take a value."""
        return tuple(option for option in self.options if option.takes_value)


def run(args: Namespace, terminal: Terminal) -> int:
    """Prints the script of the shell."""
    terminal.out.write(SHELLS[args.shell](commands()) + "\n")
    return 0


def commands() -> list[Command]:
    """The commands of the command line, from its parser; subcommands are listed on their own."""
    return [_command(leaf) for leaf in leaves(build_parser())]


def _command(leaf: Leaf[Parser]) -> Command:
    found = [_argument(action) for action in arguments(leaf.parser)]
    options = tuple(each for each in found if each.flags)
    places = tuple(each for each in found if not each.flags)
    return Command(leaf.words, leaf.does, options, places)


def _argument(action: Action) -> Argument:
    kind = str(action.metavar or "")
    return Argument(
        flags=tuple(action.option_strings),
        help=action.help or "",
        choices=_choices(kind) or tuple(map(str, action.choices or ())),
        kind=kind if kind in BY_HOUSE else "",
        files=kind in (FILE, KEY),
        takes_value=action.nargs != 0,
        many=action.nargs in ("*", "+"),
    )


def _choices(kind: str) -> tuple[str, ...]:
    """The values of a metavar that do not depend on the house."""
    if kind == HOUSE:
        return HOUSES
    if kind == SYSTEM:
        from novamas.odds.systems import SYSTEMS

        return tuple(SYSTEMS)
    return ("half", "prison", "prison,half", "half,prison") if kind == CHOICE else ()


def _articles(house: str) -> tuple[str, ...]:
    """The articles of a house, with and without its prefix, and the sections of its book."""
    ids = tuple(load(house).articles)
    prefix = f"{house}-"
    short = (id[len(prefix) :] for id in ids if id.lower().startswith(prefix))
    return (*SECTIONS, *short, *ids)


def _calls(house: str) -> tuple[str, ...]:
    return ("all", *load(house).announcements.calls)


BY_HOUSE: dict[str, Callable[[str], tuple[str, ...]]] = {ARTICLE: _articles, CALL: _calls}
"""Metavar → the function that gives its values at a house."""


def _first_words(known: list[Command]) -> dict[str, list[Command]]:
    """The commands by their first word; several for a command with subcommands."""
    found: dict[str, list[Command]] = {}
    for command in known:
        found.setdefault(command.path[0], []).append(command)
    return found


# bash ---------------------------------------------------------------------------------------------

_BASH_START = """\
# bash completion of novamas
_novamas_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_novamas_files() { COMPREPLY=($(compgen -f -- "$cur")); }
# The words from place $1 on that are no options, without the values of the options in $2.
_novamas_places() {
    local i
    places=()
    for ((i = $1; i < COMP_CWORD; i++)); do
        case "${COMP_WORDS[i]}" in
        --*) if [[ " $2 " == *" ${COMP_WORDS[i]} "* ]]; then ((i++)); fi ;;
        *) places+=("${COMP_WORDS[i]}") ;;
        esac
    done
}"""


def _bash(known: list[Command]) -> str:
    first = " ".join((*_first_words(known), "--help", "--version"))
    lines = [_BASH_START]
    for kind, words_of in BY_HOUSE.items():
        lines += [f"_novamas_{kind}() {{", '    case "${places[0]}" in']
        lines += [
            f'    {house}) _novamas_words "{" ".join(words_of(house))}" ;;' for house in HOUSES
        ]
        lines += ["    esac", "}"]
    lines += [
        "_novamas() {",
        '    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"',
        '    local command="${COMP_WORDS[1]}" start=2 places',
        "    COMPREPLY=()",
        f'    if ((COMP_CWORD == 1)); then _novamas_words "{first}"; return; fi',
        '    case "$command" in',
    ]
    for word, below in _first_words(known).items():
        if len(below[0].path) > 1:
            parts = " ".join(each.path[1] for each in below)
            lines.append(f"    {word})")
            lines.append(
                f'        if ((COMP_CWORD == 2)); then _novamas_words "{parts} --help"; return; fi'
            )
            lines.append('        command="$command ${COMP_WORDS[2]}" start=3 ;;')
    lines += ["    esac", '    case "$command" in']
    for command in known:
        lines += [f'    "{command.name}")', *_bash_command(command), "        ;;"]
    return "\n".join([*lines, "    esac", "}", "complete -F _novamas novamas"])


def _bash_command(command: Command) -> Iterator[str]:
    if command.valued:
        yield '        case "$prev" in'
        for option in command.valued:
            yield f"        {'|'.join(option.flags)}) {_bash_reply(option)}; return ;;"
        yield "        esac"
    flags = " ".join(flag for option in command.options for flag in option.flags)
    yield f'        if [[ $cur == -* ]]; then _novamas_words "{flags}"; return; fi'
    valued = " ".join(flag for option in command.valued for flag in option.flags)
    yield f'        _novamas_places $start "{valued}"'
    for place, argument in enumerate(command.places):
        if argument.choices or argument.files or argument.kind:
            at = f"{'>=' if argument.many else '=='} {place}"
            yield f"        if ((${{#places[@]}} {at})); then {_bash_reply(argument)}; fi"


def _bash_reply(argument: Argument) -> str:
    if argument.kind:
        return f"_novamas_{argument.kind}"
    if argument.choices:
        return f'_novamas_words "{" ".join(argument.choices)}"'
    return "_novamas_files" if argument.files else ":"


# zsh ----------------------------------------------------------------------------------------------


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _zsh(known: list[Command]) -> str:
    lines = ["#compdef novamas"]
    for kind, words_of in BY_HOUSE.items():
        # The house is the first word that names one.
        houses = "|".join(HOUSES)
        lines += [f"_novamas_{kind}() {{", f'    case "${{words[(r)({houses})]}}" in']
        lines += [f"    {house}) compadd -- {' '.join(words_of(house))} ;;" for house in HOUSES]
        lines += ["    esac", "}"]
    lines.append("_novamas() {")
    lines += _zsh_describe(
        {
            word: below[0].help if len(below) == 1 else ""
            for word, below in _first_words(known).items()
        }
    )
    lines.append('    case "${words[1]}" in')
    for word, below in _first_words(known).items():
        lines.append(f"    {word})")
        if len(below[0].path) == 1:
            lines += _zsh_command(below[0])
        else:
            lines += _zsh_describe({each.path[1]: each.help for each in below})
            lines.append('        case "${words[1]}" in')
            for each in below:
                lines += [f"        {each.path[1]})", *_zsh_command(each), "        ;;"]
            lines.append("        esac")
        lines.append("        ;;")
    lines += ["    esac", "}"]
    # An autoloaded script calls its function; a sourced one registers it.
    lines.append(
        'if [[ $funcstack[1] == _novamas ]]; then _novamas "$@"; else compdef _novamas novamas; fi'
    )
    return "\n".join(lines)


def _zsh_describe(words: dict[str, str]) -> list[str]:
    """Completes one of some words, or continues after it."""
    listed = " ".join(_quoted(f"{word}:{does}" if does else word) for word, does in words.items())
    return [
        f"    local -a known; known=({listed})",
        "    if ((CURRENT == 2)); then _describe -t commands command known; return; fi",
        "    shift words; ((CURRENT--))",
    ]


def _zsh_command(command: Command) -> list[str]:
    specs = [*map(_zsh_option, command.options), *map(_zsh_place, command.places)]
    lines = ["        _arguments \\", *(f"            {spec} \\" for spec in specs)]
    lines[-1] = lines[-1].removesuffix(" \\")
    return lines


def _zsh_option(option: Argument) -> str:
    flag = option.flags[-1]
    said = option.help.replace("[", "(").replace("]", ")").replace(":", " ")
    value = f":value:{_zsh_action(option)}" if option.takes_value else ""
    return _quoted(f"{flag}[{said}]{value}")


def _zsh_place(argument: Argument) -> str:
    return _quoted(f"{'*' if argument.many else ''}:argument:{_zsh_action(argument)}")


def _zsh_action(argument: Argument) -> str:
    if argument.kind:
        return f"_novamas_{argument.kind}"
    if argument.choices:
        return f"({' '.join(argument.choices)})"
    return "_files" if argument.files else " "


# fish ---------------------------------------------------------------------------------------------

_FISH_START = """\
# fish completion of novamas
# Whether the words after the command's name begin with these.
function __novamas_in
    set -l typed (commandline -opc)
    set -e typed[1]
    set -l many (count $argv)
    test "$typed[1..$many]" = "$argv"
end
# Whether so many words were typed after the command's name.
function __novamas_typed
    test (count (commandline -opc)) -eq (math $argv[1] + 1)
end
complete -c novamas -f"""


def _fish(known: list[Command]) -> str:
    lines = [_FISH_START]
    for word, below in _first_words(known).items():
        does = below[0].help if len(below) == 1 else ""
        lines.append(f"complete -c novamas -n '__novamas_typed 0' -a {word} -d {_fished(does)}")
        if len(below[0].path) > 1:
            at = f"'__novamas_typed 1; and __novamas_in {word}'"
            lines += [
                f"complete -c novamas -n {at} -a {each.path[1]} -d {_fished(each.help)}"
                for each in below
            ]
    lines.append("complete -c novamas -n '__novamas_typed 0' -l version -d 'show the version'")
    for command in known:
        inside = f"__novamas_in {command.name}"
        lines += [
            f"complete -c novamas -n '{inside}' {_fish_option(each)}" for each in command.options
        ]
        for place in command.places:
            if place.kind:
                lines += [
                    f"complete -c novamas -n '{inside} {house}'"
                    f" -a '{' '.join(BY_HOUSE[place.kind](house))}'"
                    for house in HOUSES
                ]
            elif place.choices:
                at = f"'{inside}; and __novamas_typed {len(command.path)}'"
                lines.append(f"complete -c novamas -n {at} -a '{' '.join(place.choices)}'")
            elif place.files:
                lines.append(f"complete -c novamas -n '{inside}' -F")
    return "\n".join(lines)


def _fish_option(option: Argument) -> str:
    names = " ".join(
        f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags
    )
    value = ""
    if option.takes_value:
        words = f" -a '{' '.join(option.choices)}'" if option.choices else ""
        # `-x` offers no files beside the words.
        value = f" -x{words}" if words else f" -r{' -F' if option.files else ''}"
    return f"{names}{value} -d {_fished(option.help)}"


def _fished(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: dict[str, Callable[[list[Command]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
