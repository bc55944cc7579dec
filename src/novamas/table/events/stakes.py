"""Events of stakes: laid, announced, moved, withdrawn, and given back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from novamas.game.rulebook.behaviours import ChipKind, Replay
from novamas.table.accounts import (
    BANK,
    CLOTH,
    ELSEWHERE,
    PRISON,
    Transfers,
    custody,
    owner,
    purse,
)
from novamas.table.decision_record import Decision, DecisionKind, Side
from novamas.table.events.event import Event, SeenBy, event, script_command

if TYPE_CHECKING:
    from novamas.table.state import State


@event(SeenBy.EVERYBODY)
class StakePlaced(Event):
    """A stake was laid."""

    id: str
    player: str
    on: str
    amount: int
    chip: int
    chips: ChipKind
    by: str
    announcement: str | None = None
    """The id of the announcement that it is a piece of, if it is one."""
    call: str | None = None
    principal: str | None = None
    """The player for whom it was laid, where a maximum counts them."""
    unclear: bool = False
    """Whether its value was not clear at a glance."""
    unattended: bool = False
    exception: bool = False
    """Whether it was laid after betting closed, by the chief's exception."""
    change_pending: bool = False
    """Whether it is in value chips because there was no time to change them."""
    denomination: int | None = None
    """What one of its value chips is worth."""

    def move(self, moved: Transfers, state: State) -> None:
        foreign = self.chips is ChipKind.FOREIGN
        moved.move(ELSEWHERE if foreign else purse(self.player), CLOTH, self.amount)

    def decision(self, state: State) -> Decision | None:
        if not self.exception:
            return None
        return Decision(
            kind=DecisionKind.LATE_STAKE,
            by=self.by,
            about=self.player,
            before=Side(spot=self.on, amount=0),
            after=Side(spot=self.on, amount=self.amount),
            articles=state.book.betting.cites.exception_after_close,
        )

    def as_script(self, state: State) -> dict[str, Any]:
        stakes = state.stakes.values()
        behind = next((s.id for s in stakes if self.principal and s.whose == self.principal), None)
        if self.chips is ChipKind.FOREIGN:
            foreign = {
                "count": self.amount // self.chip,
                "table": "elsewhere",
                "opening_minimum": self.chip,
            }
            if not self.unclear:
                foreign["value"] = self.chip
            return script_command(
                "stake",
                id=self.id,
                player=self.player,
                on=self.on,
                foreign=foreign,
                unattended=self.unattended or None,
                **{"for": behind},
            )
        return script_command(
            "stake",
            id=self.id,
            player=self.player,
            on=self.on,
            amount=self.amount,
            chips=self.chips.value,
            value_unclear=self.unclear or None,
            unattended=self.unattended or None,
            change_pending=self.change_pending or None,
            denomination=self.denomination,
            **{"for": behind},
        )


@event(SeenBy.EVERYBODY)
class AnnouncementPlaced(Event):
    """An announcement was taken, or played again."""

    id: str
    player: str
    call: str
    amount: int
    by: str
    stakes: tuple[StakePlaced, ...]
    """Its pieces."""
    from_cloth: tuple[str, ...] = ()
    """Winning pieces on the cloth that count towards it (a completare, per il tutto)."""
    replays: str | None = None
    """The id of the announcement that is played again, if it is a replay."""
    mode: Replay | None = None
    articles: tuple[str, ...] = ()

    def move(self, moved: Transfers, state: State) -> None:
        for id in self.from_cloth:
            stake = state.stakes[id]
            moved.move(CLOTH, purse(stake.player), stake.amount)
        for placed in self.stakes:
            placed.move(moved, state)

    def as_script(self, state: State) -> dict[str, Any]:
        if self.replays is not None and self.mode is not None:
            return script_command(
                "replay", id=self.replays, mode=self.mode.value, **{"as": self.id}
            )
        return script_command(
            "announce", id=self.id, player=self.player, call=self.call, amount=self.amount
        )


@event(SeenBy.EVERYBODY)
class OrphanDeclared(Event):
    """A stake was found abandoned, and went into custody."""

    id: str
    player: str
    """The seat for which the house keeps it."""
    stakes: tuple[str, ...]
    """The stakes: one, or the pieces of an announcement."""
    amount: int
    by: str
    articles: tuple[str, ...]
    reason: str = ""

    def move(self, moved: Transfers, state: State) -> None:
        moved.move(CLOTH, custody(self.player), self.amount)

    def decision(self, state: State) -> Decision:
        return Decision(
            kind=DecisionKind.ORPHAN_DECLARED,
            by=self.by,
            about=self.player,
            why=self.reason,
            before=Side(spot=state.stakes[self.stakes[0]].spot.name, amount=self.amount),
            after=Side(amount=0),
            articles=self.articles,
        )

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("orphan", id=self.id)


@event(SeenBy.EVERYBODY)
class StakeMoved(Event):
    """A stake was moved, by its owner or as a correction."""

    id: str
    on: str
    by: str
    correction: bool
    """Whether a mistake was corrected."""
    articles: tuple[str, ...]
    before: str | None = None
    """Where it lay."""
    reason: str = ""
    ordered_by: str | None = None
    """The person who ordered the correction that `by` carried out."""

    def decision(self, state: State) -> Decision | None:
        if not self.correction:
            return None
        stake = state.stakes[self.id]
        return Decision(
            kind=DecisionKind.STAKE_CORRECTED,
            by=self.ordered_by or self.by,
            hand=self.by if self.ordered_by is not None else None,
            about=stake.player,
            why=self.reason,
            before=Side(spot=stake.spot.name, amount=stake.amount),
            after=Side(spot=self.on, amount=stake.amount),
            articles=self.articles,
        )

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("correct" if self.correction else "move", id=self.id, on=self.on)


@event(SeenBy.EVERYBODY)
class CorrectionOrdered(Event):
    """A correction was ordered; the stake stays until a member of the staff carries it out."""

    id: str
    on: str
    by: str
    articles: tuple[str, ...]
    before: str
    """Where it lies."""
    reason: str = ""

    def decision(self, state: State) -> Decision:
        stake = state.stakes[self.id]
        return Decision(
            kind=DecisionKind.CORRECTION_ORDERED,
            by=self.by,
            about=stake.player,
            why=self.reason,
            before=Side(spot=stake.spot.name, amount=stake.amount),
            after=Side(spot=self.on, amount=stake.amount),
            articles=self.articles,
        )


@event(SeenBy.EVERYBODY)
class StakeWithdrawn(Event):
    """A stake, or a part of it, was taken back by its owner."""

    id: str
    amounts: dict[str, int]
    """Stake → the amount taken from it; several for an announcement."""

    def move(self, moved: Transfers, state: State) -> None:
        for id, amount in self.amounts.items():
            moved.move(CLOTH, owner(state.stakes[id]), amount)

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("withdraw", id=self.id, amount=sum(self.amounts.values()))


@event(SeenBy.EVERYBODY)
class StakesReturned(Event):
    """The house returned stakes, or parts of them."""

    returned: tuple[tuple[str, int, tuple[str, ...]], ...]
    """Stake, amount and the articles by which it is returned."""
    by: str | None = None
    """The person who noticed the excess; None where the rules alone return them."""

    def move(self, moved: Transfers, state: State) -> None:
        for id, amount, _ in self.returned:
            prisoner = state.prison.get(id)
            if prisoner is not None:
                moved.move(PRISON, owner(prisoner), amount)
                moved.move(PRISON, BANK, prisoner.amount - amount)
            else:
                moved.move(CLOTH, owner(state.stakes[id]), amount)

    def decision(self, state: State) -> Decision | None:
        if self.by is None:
            return None
        stakes = [state.stakes[id] for id, _, _ in self.returned]
        lay = sum(each.amount for each in stakes)
        back = sum(amount for _, amount, _ in self.returned)
        spots = {each.spot.name for each in stakes}
        spot = spots.pop() if len(spots) == 1 else None
        cited = (id for _, _, articles in self.returned for id in articles)
        return Decision(
            kind=DecisionKind.EXCESS_RETURNED,
            by=self.by,
            about=", ".join(dict.fromkeys(each.player for each in stakes)),
            before=Side(spot=spot, amount=lay),
            after=Side(spot=spot, amount=lay - back),
            articles=tuple(dict.fromkeys(cited)),
        )

    def as_script(self, state: State) -> dict[str, Any] | None:
        """A command for noticed excess; None for a return at the close, which follows by itself."""
        stake = state.stakes.get(self.returned[0][0])
        if stake is None:
            return None
        return script_command("notice_excess", id=stake.announcement or stake.id)
