"""The class of the notebook widget, by anywidget's interface; imported when one is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

HERE = Path(__file__).parent


class CoupsWidget(anywidget.AnyWidget):
    """Coups, one at a time."""

    _esm: ClassVar[Path] = HERE / "widget.js"
    _css: ClassVar[Path] = HERE / "widget.css"

    coups: Any = traitlets.List().tag(sync=True)
    """The coups, as `novamas.api.widget.shown` makes them."""
    place: Any = traitlets.Int(0).tag(sync=True)
    """The coup that is shown, from 0 on."""

    @traitlets.validate("place")
    def _within(self, proposal: dict[str, Any]) -> int:
        return max(0, min(int(proposal["value"]), len(self.coups) - 1))

    def __repr__(self) -> str:
        count = len(self.coups)
        return f"<CoupsWidget: coup {self.place + 1} of {count}>"
