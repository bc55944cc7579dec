"""`novamas completion`: the completion of the command for a shell, made from its parser.

The scripts are static: they ask nothing of the command while a person types.
"""

from __future__ import annotations

from argparse import Action, Namespace, _SubParsersAction
from collections.abc import Callable, Iterator
from typing import NamedTuple

from novamas.cli.parser import CALL, FILE, HOUSE, KEY, Parser, build_parser
from novamas.cli.terminal import Terminal
from novamas.rulebooks import HOUSES, load


class Argument(NamedTuple):
    """An argument as a shell completes it."""

    flags: tuple[str, ...]
    """The names of an option; none for what has only a place."""
    help: str
    choices: tuple[str, ...]
    files: bool
    takes_value: bool


class Command(NamedTuple):
    """A command as a shell completes it."""

    name: str
    help: str
    options: tuple[Argument, ...]
    places: tuple[Argument, ...]


def run(args: Namespace, terminal: Terminal) -> int:
    """Prints the script of the shell."""
    terminal.out.write(SHELLS[args.shell](commands()) + "\n")
    return 0


def commands() -> list[Command]:
    """The commands of the command line, read off its parser."""
    parser = build_parser()
    (subparsers,) = (a for a in parser._actions if isinstance(a, _SubParsersAction))  # noqa: SLF001 - The parser has no other door.
    helps = {choice.dest: choice.help or "" for choice in subparsers._choices_actions}  # noqa: SLF001 - The same.
    return [_command(name, helps[name], sub) for name, sub in subparsers.choices.items()]


def _command(name: str, does: str, parser: Parser) -> Command:
    arguments = [_argument(action) for action in parser._actions]  # noqa: SLF001 - The same.
    options = tuple(each for each in arguments if each.flags)
    places = tuple(each for each in arguments if not each.flags)
    return Command(name, does, options, places)


def _argument(action: Action) -> Argument:
    choices = tuple(map(str, action.choices or ()))
    files = action.metavar in (FILE, KEY)
    if action.metavar == HOUSE:
        choices = HOUSES
    elif action.metavar == CALL:
        choices = tuple(dict.fromkeys(n for h in HOUSES for n in load(h).announcements.calls))
    return Argument(
        tuple(action.option_strings), action.help or "", choices, files, action.nargs != 0
    )


def _bash(known: list[Command]) -> str:
    first = " ".join((*(command.name for command in known), "--help", "--version"))
    lines = [
        "# bash completion of novamas",
        "_novamas() {",
        '    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"',
        "    COMPREPLY=()",
        "    if ((COMP_CWORD == 1)); then",
        f'        COMPREPLY=($(compgen -W "{first}" -- "$cur"))',
        "        return",
        "    fi",
        '    case "${COMP_WORDS[1]}" in',
    ]
    for command in known:
        lines += [f"    {command.name})", *_bash_command(command), "        ;;"]
    return "\n".join([*lines, "    esac", "}", "complete -F _novamas novamas"])


def _bash_command(command: Command) -> Iterator[str]:
    valued = [option for option in command.options if option.takes_value]
    if valued:
        yield '        case "$prev" in'
        for option in valued:
            yield f"        {'|'.join(option.flags)}) {_bash_reply(option)}; return ;;"
        yield "        esac"
    flags = " ".join(flag for option in command.options for flag in option.flags)
    yield "        if [[ $cur == -* ]]; then"
    yield f'            COMPREPLY=($(compgen -W "{flags}" -- "$cur"))'
    yield "            return"
    yield "        fi"
    for place, argument in enumerate(command.places, start=2):
        if argument.choices or argument.files:
            at = f"COMP_CWORD >= {place}" if argument.files else f"COMP_CWORD == {place}"
            yield f"        if (({at})); then {_bash_reply(argument)}; fi"


def _bash_reply(argument: Argument) -> str:
    if argument.choices:
        return f'COMPREPLY=($(compgen -W "{" ".join(argument.choices)}" -- "$cur"))'
    return 'COMPREPLY=($(compgen -f -- "$cur"))' if argument.files else ":"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _zsh(known: list[Command]) -> str:
    lines = ["#compdef novamas", "_novamas() {", "    local -a commands", "    commands=("]
    lines += [f"        {_quoted(f'{c.name}:{c.help}')}" for c in known]
    lines += [
        "    )",
        "    if ((CURRENT == 2)); then",
        "        _describe -t commands command commands",
        "        return",
        "    fi",
        '    case "${words[2]}" in',
    ]
    for command in known:
        # The command's own name is the first word of what is completed below it.
        lines += [
            f"    {command.name})",
            "        shift words; ((CURRENT--))",
            "        _arguments \\",
        ]
        specs = [*map(_zsh_option, command.options), *map(_zsh_place, command.places)]
        lines += [f"            {spec} \\" for spec in specs]
        lines[-1] = lines[-1].removesuffix(" \\")
        lines.append("        ;;")
    lines += ["    esac", "}"]
    # Loaded by its first call as a function, it is then called; sourced, it is made known.
    lines.append(
        'if [[ $funcstack[1] == _novamas ]]; then _novamas "$@"; else compdef _novamas novamas; fi'
    )
    return "\n".join(lines)


def _zsh_option(option: Argument) -> str:
    flag = option.flags[-1]
    said = option.help.replace("[", "(").replace("]", ")").replace(":", " ")
    value = f":value:{_zsh_action(option)}" if option.takes_value else ""
    return _quoted(f"{flag}[{said}]{value}")


def _zsh_place(argument: Argument) -> str:
    many = "*" if argument.files else ""
    return _quoted(f"{many}:argument:{_zsh_action(argument)}")


def _zsh_action(argument: Argument) -> str:
    if argument.choices:
        return f"({' '.join(argument.choices)})"
    return "_files" if argument.files else " "


def _fish(known: list[Command]) -> str:
    names = " ".join(command.name for command in known)
    alone = f"not __fish_seen_subcommand_from {names}"
    lines = ["# fish completion of novamas", "complete -c novamas -f"]
    lines += [
        f"complete -c novamas -n '{alone}' -a {command.name} -d {_fished(command.help)}"
        for command in known
    ]
    lines.append(f"complete -c novamas -n '{alone}' -l version -d 'show the version'")
    for command in known:
        seen = f"-n '__fish_seen_subcommand_from {command.name}'"
        lines += [f"complete -c novamas {seen} {_fish_option(each)}" for each in command.options]
        for place in command.places:
            if place.choices:
                lines.append(f"complete -c novamas {seen} -a '{' '.join(place.choices)}'")
            elif place.files:
                lines.append(f"complete -c novamas {seen} -F")
    return "\n".join(lines)


def _fish_option(option: Argument) -> str:
    names = " ".join(
        f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags
    )
    value = ""
    if option.takes_value:
        words = f" -a '{' '.join(option.choices)}'" if option.choices else ""
        value = f" -r{words}{' -F' if option.files else ''}"
    return f"{names}{value} -d {_fished(option.help)}"


def _fished(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: dict[str, Callable[[list[Command]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
