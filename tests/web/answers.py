"""Checks an answer against the definition of what was asked for."""

from __future__ import annotations

from typing import Any

import msgspec
from pydantic import BaseModel


def check_shape(shape: Any, answer: object) -> None:
    """Checks an answer against the view, or the model, that is published for it."""
    if isinstance(shape, type) and issubclass(shape, BaseModel):
        shape.model_validate(answer)
    else:
        msgspec.convert(answer, shape)
