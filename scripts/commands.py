"""Writes docs/reference/commands.md: every command with its options, from the argparse parser.

    python -m scripts.commands

A test compares the committed page with what the parser says now.
"""

from argparse import SUPPRESS, Action, ArgumentParser, _HelpAction
from collections.abc import Iterator

from novamas.cli.parser import build_parser
from novamas.cli.parser_tree import arguments, leaves
from scripts.ledger import ROOT

PAGE = ROOT / "docs" / "reference" / "commands.md"
REFRESH = "make commands"
EVERYWHERE = {"help", "no_color"}
"""The options that every command has; the page lists them once."""

INTRODUCTION = f"""\
# Commands

Every command of `novamas`, with its arguments and options. This page is generated from the parser:
`{REFRESH}` writes it again. `novamas COMMAND --help` prints the same in the terminal.

Every command also takes `--help`, and `--no-color` for output without colours; `novamas --version`
prints the version. `novamas completion SHELL` prints a script that completes all of this in bash,
zsh or fish. What holds without an option stands in brackets behind it.

| command | what it does |
|---|---|
"""

CODES = """\
## Exit codes

| code | meaning |
|---|---|
| 0 | all is well |
| 1 | a check failed, or the command could not do its work: a port is taken, a disk is full |
| 2 | the input is wrong: an unknown option, a bet that cannot be read, a file that is missing |
| 74 | the output could not be written: the disk is full, or the output is closed |
| 130 | Ctrl-C ended the command |
| 141 | the program that read the output has ended, as `head` does |
"""


def page() -> str:
    """The text of the page."""
    found = [(leaf.parser, leaf.does) for leaf in leaves(build_parser())]
    rows = [f"| [`{parser.prog}`](#{_anchor(parser)}) | {_cell(does)} |" for parser, does in found]
    sections = ["\n".join(_section(parser)) for parser, _ in found]
    return INTRODUCTION + "\n".join(rows) + "\n\n" + "\n\n".join(sections) + "\n\n" + CODES


def _anchor(parser: ArgumentParser) -> str:
    return parser.prog.replace(" ", "-")


def _section(parser: ArgumentParser) -> Iterator[str]:
    yield f"## {parser.prog}\n"
    yield f"{_prose(parser.description or '')}\n"
    yield "```text"
    yield _usage(parser)
    yield "```"
    actions = sorted(
        filter(_is_shown, arguments(parser)), key=lambda each: bool(each.option_strings)
    )
    if actions:
        yield "\n| argument | what it is |"
        yield "|---|---|"
        yield from (f"| {_named(each)} | {_cell(_help(each))} |" for each in actions)
    examples = (parser.epilog or "").removeprefix("examples:\n")
    if examples:
        yield "\nExamples:\n"
        yield "```sh"
        yield from (line.strip() for line in examples.splitlines())
        yield "```"


def _is_shown(action: Action) -> bool:
    everywhere = isinstance(action, _HelpAction) or action.dest in EVERYWHERE
    return not everywhere and action.help is not SUPPRESS


def _usage(parser: ArgumentParser) -> str:
    """The command with its arguments; one word stands for the options, which are listed below."""
    words = [parser.prog]
    options = []
    for action in filter(_is_shown, arguments(parser)):
        if not action.option_strings:
            words.append(_placed(action))
        elif action.required:
            words.append(f"{action.option_strings[-1]} {_value(action)}")
        else:
            options.append(action)
    return " ".join([*words, *(["[OPTION …]"] if options else [])])


def _placed(action: Action) -> str:
    value = _value(action)
    many = {"+": f"{value} …", "*": f"[{value} …]", "?": f"[{value}]"}
    return many.get(str(action.nargs), value)


def _value(action: Action) -> str:
    if isinstance(action.metavar, str) and action.metavar != action.dest:
        return action.metavar
    return "|".join(map(str, action.choices)) if action.choices else action.dest.upper()


def _named(action: Action) -> str:
    if not action.option_strings:
        return f"`{_cell(_value(action))}`"
    value = "" if action.nargs == 0 else f" {_cell(_value(action))}"
    return ", ".join(f"`{flag}{value}`" for flag in action.option_strings)


def _help(action: Action) -> str:
    return _prose((action.help or "").replace("%%", "%"))


def _prose(text: str) -> str:
    """A help text, escaped so that Markdown shows it as the terminal does."""
    for sign in ("*", "<", "[", "]", "~"):
        text = text.replace(sign, f"\\{sign}")
    return text


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def main() -> None:
    """Writes the page."""
    PAGE.write_text(page(), "utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
