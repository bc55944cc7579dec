"""The automatic croupier of the command line is the table's own."""

from __future__ import annotations

from novamas.table.croupier import Croupier, TableRefusedError

__all__ = ["Croupier", "TableRefusedError"]
