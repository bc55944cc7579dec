"""NumPy if it is installed: the core needs only the standard library, but is faster with it."""

from __future__ import annotations

from typing import Any


def numpy_or_none() -> Any:
    """The package NumPy, or None where the extra `maths` is not installed."""
    try:
        import numpy as np
    except ImportError:
        return None
    return np
