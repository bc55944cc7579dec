"""The page of the commands is what the parser says now."""

import re
from argparse import ArgumentParser

from novamas.cli.commands.completion import commands as completed
from novamas.cli.parser_tree import leaves
from scripts import commands


def test_the_page_is_what_the_parser_says_now() -> None:
    current = commands.PAGE.read_text("utf-8") == commands.page()
    assert current, f"docs/reference/commands.md is out of date: run `{commands.REFRESH}`"


def test_every_command_and_option_is_on_the_page() -> None:
    """The completion reads the same parser in another way, and must find nothing more."""
    page = commands.PAGE.read_text("utf-8")
    for command in completed():
        name = command.name
        sections = re.findall(
            rf"^## novamas {re.escape(name)}\b.*?(?=^## )", page, flags=re.MULTILINE | re.DOTALL
        )
        assert sections, f"{name} is not on the page"
        for option in command.options:
            for flag in set(option.flags) - {"-h", "--help", "--no-color"}:
                assert any(f"`{flag}" in section for section in sections), f"{name} {flag}"


def test_commands_of_commands_are_followed_to_the_last() -> None:
    parser = ArgumentParser(prog="novamas")
    outer = parser.add_subparsers()
    verify = outer.add_parser("verify", help="verify things").add_subparsers()
    ball = verify.add_parser("ball", help="verify the ball", description="Verify the ball.")
    ball.add_argument("store", metavar="FILE", help="a store | or a backup")
    ball.add_argument("--coup", metavar="N", required=True, help="the coup <N>")
    ball.add_argument("--quiet", action="store_true", help="say nothing")
    outer.add_parser("play", help="play")
    found = list(leaves(parser))
    assert [(each.words, each.does) for each in found] == [
        (("verify", "ball"), "verify the ball"),
        (("play",), "play"),
    ]
    section = "\n".join(commands._section(found[0].parser))
    assert "novamas verify ball FILE --coup N [OPTION …]" in section
    assert "| `FILE` | a store \\| or a backup |" in section
    assert "| `--coup N` | the coup \\<N> |" in section
