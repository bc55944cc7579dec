"""What a table may do, written down beside it: the way of a coup, the posts, and the money."""

import dataclasses

from novamas.game.lines import Line
from novamas.game.rulebook.behaviours import Act, ChipKind
from novamas.table import commands, events
from novamas.table.state import BETTING, Phase, State

# The way of a coup, written down: which event leads from where to where ---------------------------

ANY_BETTING = set(BETTING)
LEADS: dict[type[events.Event], set[tuple[Phase, Phase]]] = {
    events.TableOpened: {(Phase.OPENING, Phase.BETTING)},
    events.ChoiceMade: {(Phase.CHOOSING, Phase.CHOOSING), (Phase.CHOOSING, Phase.BETTING)},
    events.BettingClosed: {(Phase.BETTING, Phase.CLOSED), (Phase.CHOOSING, Phase.CLOSED)},
    events.BallVoided: {
        (Phase.BETTING, Phase.BETTING),
        (Phase.CHOOSING, Phase.CHOOSING),
        (Phase.CLOSED, Phase.BETTING),
        (Phase.CLOSED, Phase.CHOOSING),
    },
    events.BallPocketed: {(Phase.CLOSED, Phase.POCKETED)},
    events.NumberCalled: {(Phase.POCKETED, Phase.COLLECTING)},
    events.LosersCollected: {(Phase.COLLECTING, Phase.PAYING)},
    events.CoupEnded: {
        (Phase.PAYING, Phase.BETTING),
        (Phase.PAYING, Phase.CHOOSING),
        (Phase.PAYING, Phase.ENDED),
    },
    events.TableClosed: {
        (Phase.OPENING, Phase.ENDED),
        (Phase.BETTING, Phase.ENDED),
        (Phase.CHOOSING, Phase.ENDED),
        (Phase.ENDED, Phase.ENDED),
    },
}
"""Every other event leaves the phase as it is."""

MOVES_CHIPS: dict[type[events.Event], set[Phase]] = {
    events.AnnouncementPlaced: ANY_BETTING,
    events.StakeMoved: ANY_BETTING,
    events.StakeWithdrawn: {*ANY_BETTING, Phase.ENDED},
    events.StakesReturned: {*ANY_BETTING, Phase.CLOSED, Phase.POCKETED, Phase.ENDED},
    events.ChoiceMade: ANY_BETTING,
    events.TableReopened: {Phase.BETTING},
    events.OrphanDeclared: ANY_BETTING,
    events.LosersCollected: {Phase.COLLECTING},
    events.WinnersPaid: {Phase.PAYING},
}
"""When an event may change what lies on the cloth; `StakePlaced` has its exceptions apart."""

ACT_OF: dict[type[commands.Command], Act] = {
    commands.LaunchBall: Act.LAUNCH_BALL,
    commands.CloseBetting: Act.CLOSE_BETTING,
    commands.GrantException: Act.GRANT_EXCEPTION,
    commands.NoticeExcess: Act.NOTICE_EXCESS,
    commands.VoidBall: Act.VOID_BALL,
    commands.PocketBall: Act.POCKET_BALL,
    commands.CallNumber: Act.CALL_NUMBER,
    commands.CorrectNumber: Act.POCKET_BALL,
    commands.SignNumber: Act.SIGN_NUMBER,
    commands.CollectLosers: Act.COLLECT,
    commands.PayNext: Act.PAY,
    commands.PayWinners: Act.PAY,
    commands.BuyChips: Act.SELL_CHIPS,
    commands.ClaimCustody: Act.PAY,
    commands.CorrectStake: Act.CORRECT,
    commands.OrderCorrection: Act.ORDER_CORRECTION,
    commands.ChangeLimits: Act.CHANGE_LIMITS,
    commands.Suspend: Act.SUSPEND,
    commands.Resume: Act.SUSPEND,
    commands.AnnounceLastGames: Act.ANNOUNCE_LAST_GAMES,
    commands.CloseTable: Act.CLOSE_TABLE,
    commands.ReopenTable: Act.CHANGE_LIMITS,
    commands.DeclareOrphan: Act.DECLARE_ORPHAN,
    commands.InspectTable: Act.INSPECT_TABLE,
    commands.InspectBall: Act.INSPECT_BALL,
}
"""What a post must be given before it may do it."""

MANAGEMENT_MAY = {Act.CHANGE_LIMITS, Act.SUSPEND, Act.CLOSE_TABLE}

FOR_PLAYERS = (
    commands.PlaceStake,
    commands.Announce,
    commands.MoveStake,
    commands.WithdrawStake,
    commands.ChooseAfterZero,
    commands.ReplayAnnouncement,
)
"""What a player does, or a post that may place for players."""


def photograph(state: State) -> dict[str, str]:
    """Everything that a state holds, written out: no change escapes it, however deep."""
    return {
        field.name: repr(getattr(state, field.name))
        for field in dataclasses.fields(state)
        if field.name != "book"
    }


def total(state: State) -> int:
    """All that is at the table, wherever it lies, and what the bank gained."""
    return (
        sum(player.purse for player in state.players.values())
        + sum(stake.amount for stake in state.stakes.values())
        + sum(prisoner.amount for prisoner in state.prison.values())
        + sum(state.custody.values())
        + state.bank
    )


def handed_back(line: Line) -> int:
    """Of chips of another table, what goes back to its owner as it is."""
    return line.hand - line.won if line.stake.kind is ChipKind.FOREIGN else 0


class Brought:
    """What came to the table and left it, told from the events alone."""

    def __init__(self) -> None:
        self.sum = 0

    def take_in(self, state: State, happened: events.Event) -> None:
        """Counts an event; `state` is the table right before it."""
        match happened:
            case events.ChipsBought():
                self.sum += happened.amount
            case events.PlayerLeft():
                self.sum -= happened.amount
            case events.StakePlaced(chips=ChipKind.FOREIGN):
                self.sum += happened.amount
            case events.StakeWithdrawn():
                for id, amount in happened.amounts.items():
                    self.sum -= self._foreign(state, id, amount)
            case events.StakesReturned():
                for id, amount, _ in happened.returned:
                    self.sum -= self._foreign(state, id, amount)
            case events.LosersCollected() if state.settlement is not None:
                lines = [line for line in state.settlement.lines if not line.won]
                self.sum -= sum(map(handed_back, lines))
            case events.WinnersPaid():
                due = list(state.due)[: happened.payments]
                self.sum -= sum(handed_back(line) for each in due for line in each.lines)
            case _:
                pass  # Nothing else brings chips to the table or takes them away.

    @staticmethod
    def _foreign(state: State, id: str, amount: int) -> int:
        stake = state.stakes.get(id) or state.prison[id]
        return amount if stake.kind is ChipKind.FOREIGN else 0
