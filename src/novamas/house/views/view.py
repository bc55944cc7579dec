"""What a view is: a typed struct that the house answers with.

The struct is the one definition of its shape: answers are encoded from it, and OpenAPI, the
socket's schema and the front end's types are generated from it.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

Texts = dict[str, str]
Limits = dict[str, dict[str, int]]
"""Class of spots, or spot → its least and its most."""
Ratio = Annotated[tuple[int, int], msgspec.Meta(description="a fraction: so many for so many")]


class View(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Something that the house shows; a field that has its default is left out."""
