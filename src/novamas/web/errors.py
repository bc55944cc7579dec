"""Errors over HTTP: a status, a stable reason code, and a sentence for people.

Clients tell errors apart by the reason, and can translate it.
"""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as AnyHTTPException

from novamas.house.people.decide import RegisterError
from novamas.house.refusals import Problem
from novamas.web.passwords import BadPasswordError

BY_STATUS = {
    401: Problem.NOT_SIGNED_IN,
    403: Problem.NOT_FOR_YOU,
    404: Problem.NO_SUCH_THING,
    413: Problem.TOO_LONG,
    429: Problem.TOO_OFTEN,
}
"""The reason of an error that the framework found before any route ran."""


class NotDoneError(HTTPException):
    """A refusal by a route, with its reason."""

    def __init__(
        self, status: int, why: Problem, detail: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(status, detail, dict(headers) if headers is not None else None)
        self.why = why


def refused(problem: BadPasswordError | RegisterError, status: int = 409) -> NotDoneError:
    """Turns an error about a person or their money into a refusal."""
    return NotDoneError(status, problem.why, str(problem))


def problem_response(
    status: int, why: Problem, detail: str, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """An error as a response."""
    return JSONResponse({"detail": detail, "why": why}, status_code=status, headers=headers)


async def answered(_: Request, problem: Exception) -> JSONResponse:
    """The response to an error of a route, or of the framework."""
    if not isinstance(problem, AnyHTTPException):
        raise problem
    found = getattr(problem, "why", None)
    why = found or BY_STATUS.get(problem.status_code, Problem.NOT_UNDERSTOOD)
    return problem_response(problem.status_code, why, str(problem.detail), problem.headers)


async def not_understood(_: Request, problem: Exception) -> JSONResponse:
    """The response to an invalid request; names the wrong field, and echoes no input."""
    wrong = problem.errors()[0] if isinstance(problem, RequestValidationError) else {}
    field = ".".join(str(part) for part in wrong.get("loc", ())[1:])
    text = f"{field}: {wrong.get('msg', 'not understood')}"
    shown = text.encode("ascii", "backslashreplace").decode()
    return problem_response(422, Problem.NOT_UNDERSTOOD, shown)
