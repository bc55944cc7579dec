"""Events: what happened at the table, in the past tense, never to be changed.

Each has a stable name (`StakePlaced`) and carries plain data: spots in notation, amounts as whole
numbers, and the articles behind any money that it moves.
"""

from novamas.table.events.coup import (
    BallLaunched,
    BallPocketed,
    BallVoided,
    BettingClosed,
    ChoiceMade,
    CoupEnded,
    ExceptionGranted,
    LosersCollected,
    NumberCalled,
    NumberCorrected,
    NumberQuestioned,
    WinnersPaid,
)
from novamas.table.events.event import Event
from novamas.table.events.money import (
    ChipsBought,
    ColourConverted,
    CustodyClaimed,
    TipGiven,
    WrongPaymentCorrected,
    WrongPaymentMade,
)
from novamas.table.events.seats import (
    LastGamesAnnounced,
    LimitsChanged,
    PlayerCameBack,
    PlayerLeft,
    PlayerSat,
    PlayerSteppedAway,
    PostLeft,
    PostTaken,
    TableClosed,
    TableOpened,
    TableResumed,
    TableSuspended,
)
from novamas.table.events.stakes import (
    AnnouncementPlaced,
    CorrectionOrdered,
    StakeMoved,
    StakePlaced,
    StakesReturned,
    StakeWithdrawn,
)

__all__ = [
    "AnnouncementPlaced",
    "BallLaunched",
    "BallPocketed",
    "BallVoided",
    "BettingClosed",
    "ChipsBought",
    "ChoiceMade",
    "ColourConverted",
    "CorrectionOrdered",
    "CoupEnded",
    "CustodyClaimed",
    "Event",
    "ExceptionGranted",
    "LastGamesAnnounced",
    "LimitsChanged",
    "LosersCollected",
    "NumberCalled",
    "NumberCorrected",
    "NumberQuestioned",
    "PlayerCameBack",
    "PlayerLeft",
    "PlayerSat",
    "PlayerSteppedAway",
    "PostLeft",
    "PostTaken",
    "StakeMoved",
    "StakePlaced",
    "StakeWithdrawn",
    "StakesReturned",
    "TableClosed",
    "TableOpened",
    "TableResumed",
    "TableSuspended",
    "TipGiven",
    "WinnersPaid",
    "WrongPaymentCorrected",
    "WrongPaymentMade",
]
