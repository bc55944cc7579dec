"""Runs the command in this process: arguments and input in, output and exit code out."""

import contextlib
import io
import os
from typing import Any, NamedTuple
from unittest import mock

from novamas.cli.main import main


class Ran(NamedTuple):
    """What came of a command."""

    code: int
    out: str
    err: str


def novamas(
    *argv: str, stdin: str | bytes = "", encoding: str = "utf-8", columns: int = 100
) -> Ran:
    """What the command says to its arguments and its input."""
    typed = stdin.encode() if isinstance(stdin, str) else stdin
    out, err = io.BytesIO(), io.BytesIO()
    # A stream that closes when it is forgotten would take what was written with it.
    said = io.TextIOWrapper(out, encoding=encoding, write_through=True)
    complained = io.TextIOWrapper(
        err, encoding=encoding, errors="backslashreplace", write_through=True
    )
    read = io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8")
    size = {"COLUMNS": str(columns), "LINES": "1000"}
    with (
        mock.patch.dict(os.environ, size),
        mock.patch("sys.stdin", read),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(complained),
    ):
        code = main(argv)
    told = Ran(code, out.getvalue().decode(encoding), err.getvalue().decode(encoding))
    for stream in (said, complained, read):
        stream.close()
    return told


def good(*argv: str, stdin: str = "", **how: Any) -> str:
    """What a command prints that must go well."""
    ran = novamas(*argv, stdin=stdin, **how)
    assert ran.code == 0, ran.err
    assert ran.err == ""
    return ran.out


def bad(*argv: str, stdin: str | bytes = "") -> str:
    """The complaint about bad input; nothing else is said, and nothing of the machine is shown."""
    ran = novamas(*argv, stdin=stdin)
    assert ran.code == 2, ran
    assert ran.out == ""
    assert ran.err
    assert "Traceback" not in ran.err
    return ran.err
