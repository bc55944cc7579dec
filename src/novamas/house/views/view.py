"""The base of views: typed structs that the house answers with.

The struct is the only definition of its schema: answers are encoded from it, and OpenAPI, the
socket's schema and the front end's types are generated from it.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

Texts = dict[str, str]
Limits = dict[str, dict[str, int]]
"""Class of spots, or spot → its minimum and its maximum."""
Ratio = Annotated[tuple[int, int], msgspec.Meta(description="a fraction: so many for so many")]


class View(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A part of an answer; a field that has its default is left out."""
