# The public names, for type checkers: at run time each is imported when it is first used.

from novamas.api.coup import Coup, SentBack
from novamas.api.drawing import cloth
from novamas.api.houses import houses, load, parse
from novamas.api.learning import environment
from novamas.api.logs import Log, LoggedCoup, read_log
from novamas.api.odds import Comparison, compare, odds
from novamas.api.plain_data import RecordError
from novamas.api.records import Happened, Record, dump_record, load_record
from novamas.api.settle import settle
from novamas.api.simulate import simulate, systems
from novamas.api.solo import View
from novamas.api.strategies import Staking, Strategy
from novamas.api.table import Table
from novamas.api.trials import Trials, trials
from novamas.api.widget import widget
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

__version__: str

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
