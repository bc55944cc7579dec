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

ModuleType = type(sys)

__all__ = [
    "Article",
    "Bet",
    "Cloth",
    "Comparison",
    "Coup",
    "Explanation",
    "Happened",
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
    "Record",
    "RecordError",
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
    "Staking",
    "Strategy",
    "System",
    "Table",
    "TableRefusedError",
    "TooLargeError",
    "Trials",
    "UnknownSpotError",
    "UsageError",
    "View",
    "__version__",
    "cloth",
    "compare",
    "connect",
    "dump_record",
    "environment",
    "houses",
    "load",
    "load_record",
    "odds",
    "parse",
    "read_log",
    "settle",
    "simulate",
    "spot",
    "systems",
    "trials",
    "widget",
]


def _public(name: str) -> object:
    """Imports a public name when it is first used."""
    from importlib import import_module

    from novamas.api.places import PLACES

    place = PLACES.get(name)
    if place is None:
        raise AttributeError(f"module 'novamas' has no attribute {name!r}")
    module, _, called = place.partition(":")
    found: object = getattr(import_module(f"novamas.{module}"), called or name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


# Type checkers read the names from the stub beside this file, and report one that is not there.
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
