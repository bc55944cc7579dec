"""A roulette house that plays by the book.

The rulebook is data, the engine is a small closed set of behaviours that the data chooses, and
every chip that moves cites the article that moved it.

    import novamas as nv
    coup = nv.settle("ar", 17, "ana 17:5 14/17:10 red:50", "luis 17/20:4")
    print(coup.net, coup.explain())

Every public name is an attribute of this package. A name is imported when it is first used (PEP
562), so that the import stays light and the core runs on the standard library alone.
"""

import sys

__version__ = "0.1.0"

# `typing` takes longer to import than the rest of this module; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from novamas.api.coup import Coup, SentBack
    from novamas.api.drawing import cloth
    from novamas.api.houses import houses, load, parse
    from novamas.api.logs import Log, LoggedCoup, read_log
    from novamas.api.odds import Comparison, compare, odds
    from novamas.api.settle import settle
    from novamas.api.simulate import simulate, systems
    from novamas.api.table import Table
    from novamas.drawing.svg import ClothPicture as Cloth
    from novamas.game.cloth import Spot, UnknownSpotError, spot
    from novamas.game.errors import MissingExtraError, NovamasError, UsageError
    from novamas.game.limits import Limits, LimitsError
    from novamas.game.lines import Line
    from novamas.game.notation import Bet, NotationError
    from novamas.game.payment import Payment
    from novamas.game.reduction import Reduction
    from novamas.game.rulebook.model import Article, Rulebook
    from novamas.game.rulebook.toml_section import RulebookError
    from novamas.game.stakes import Prisoner, Stake
    from novamas.odds.errors import LayoutError, TooLargeError
    from novamas.odds.one_coup import Odds
    from novamas.odds.systems import System
    from novamas.simulation.result import Result as Simulation
    from novamas.table.croupier import TableRefusedError
    from novamas.table.refusals import Refusal
    from novamas.web.bot import Seat, SeatCoup, connect
    from novamas.wording.explain import Explanation
else:
    ModuleType = type(sys)

__all__ = [
    "Article",
    "Bet",
    "Cloth",
    "Comparison",
    "Coup",
    "Explanation",
    "LayoutError",
    "Limits",
    "LimitsError",
    "Line",
    "Log",
    "LoggedCoup",
    "MissingExtraError",
    "NotationError",
    "NovamasError",
    "Odds",
    "Payment",
    "Prisoner",
    "Reduction",
    "Refusal",
    "Rulebook",
    "RulebookError",
    "Seat",
    "SeatCoup",
    "SentBack",
    "Simulation",
    "Spot",
    "Stake",
    "System",
    "Table",
    "TableRefusedError",
    "TooLargeError",
    "UnknownSpotError",
    "UsageError",
    "__version__",
    "cloth",
    "compare",
    "connect",
    "houses",
    "load",
    "odds",
    "parse",
    "read_log",
    "settle",
    "simulate",
    "spot",
    "systems",
]

_PLACES = {
    "Article": "game.rulebook.model",
    "Bet": "game.notation",
    "Cloth": "drawing.svg:ClothPicture",
    "Comparison": "api.odds",
    "Coup": "api.coup",
    "Explanation": "wording.explain",
    "LayoutError": "odds.errors",
    "Limits": "game.limits",
    "LimitsError": "game.limits",
    "Line": "game.lines",
    "Log": "api.logs",
    "LoggedCoup": "api.logs",
    "MissingExtraError": "game.errors",
    "NotationError": "game.notation",
    "NovamasError": "game.errors",
    "Odds": "odds.one_coup",
    "Payment": "game.payment",
    "Prisoner": "game.stakes",
    "Reduction": "game.reduction",
    "Refusal": "table.refusals",
    "Rulebook": "game.rulebook.model",
    "RulebookError": "game.rulebook.toml_section",
    "Seat": "web.bot",
    "SeatCoup": "web.bot",
    "SentBack": "api.coup",
    "Simulation": "simulation.result:Result",
    "Spot": "game.cloth",
    "Stake": "game.stakes",
    "System": "odds.systems",
    "Table": "api.table",
    "TableRefusedError": "table.croupier",
    "TooLargeError": "odds.errors",
    "UnknownSpotError": "game.cloth",
    "UsageError": "game.errors",
    "cloth": "api.drawing",
    "compare": "api.odds",
    "connect": "web.bot",
    "houses": "api.houses",
    "load": "api.houses",
    "odds": "api.odds",
    "parse": "api.houses",
    "read_log": "api.logs",
    "settle": "api.settle",
    "simulate": "api.simulate",
    "spot": "game.cloth",
    "systems": "api.simulate",
}
"""Public name → where it is written, and what it is called there if not the same."""


def _public(name: str) -> object:
    """Imports a public name when it is first used."""
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module 'novamas' has no attribute {name!r}")
    from importlib import import_module

    module, _, called = place.partition(":")
    found: object = getattr(import_module(f"novamas.{module}"), called or name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if not TYPE_CHECKING:
    # Type checkers know the names from above, and tell of one that does not exist.
    __getattr__ = _public


class _Package(ModuleType):
    """This package, in which `odds` is the function and not the subpackage of the same name.

    When a module of `novamas.odds` is imported, Python sets that attribute to the subpackage; the
    subpackage stays what `from novamas.odds.one_coup import …` finds.
    """

    @property
    def odds(self) -> object:
        """The function `novamas.api.odds.odds`."""
        return globals().get("odds") or _public("odds")

    @odds.setter
    def odds(self, _: object) -> None:
        """Leaves the name to the function."""


sys.modules[__name__].__class__ = _Package
