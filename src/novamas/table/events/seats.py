"""Events of the table and of the people at it: posts, seats, the placard, opening and closing."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from novamas.table.accounts import CLOTH, DESK, Transfers, owner, purse
from novamas.table.decision_record import Decision, DecisionKind, Side, Standing
from novamas.table.events.event import Event, SeenBy, event, script_command

if TYPE_CHECKING:
    from novamas.table.state import State


@event(SeenBy.EVERYBODY)
class PostTaken(Event):
    """A person took a post."""

    person: str
    post: str
    place: int | None = None
    """The place among the holders of the post: that of the person who was relieved, or the last one
    if nobody was."""


@event(SeenBy.EVERYBODY)
class PostLeft(Event):
    """A person left a post."""

    person: str
    post: str


@event(SeenBy.EVERYBODY)
class TableOpened(Event):
    """The table opened for play."""

    call: str
    """The invitation to bet, where the house calls it when betting opens."""


@event(SeenBy.EVERYBODY)
class TableInspected(Event):
    """Table, wheel and ball were inspected before the table opened."""

    by: str
    articles: tuple[str, ...]
    done: str = ""
    """What was done."""
    licence: str = ""
    """The licence of the person who inspected."""


@event(SeenBy.EVERYBODY)
class TableReopened(Event):
    """The table was closed and opened again with another placard; what lay on it went back."""

    by: str
    limits: dict[str, dict[str, int]]
    """The complete placard that applies now."""
    before: dict[str, dict[str, int]]
    """The placard that it replaces."""
    returned: tuple[tuple[str, int], ...]
    """The stakes that went back, each with its amount."""
    articles: tuple[str, ...]
    call: str = ""
    """The invitation to bet, where the house calls it when betting opens."""
    reason: str = ""

    def move(self, moved: Transfers, state: State) -> None:
        for id, amount in self.returned:
            moved.move(CLOTH, owner(state.stakes[id]), amount)

    def decision(self, state: State) -> Decision:
        before, after = self.before, self.limits
        changed = {n for n in {*before, *after} if before.get(n) != after.get(n)}
        return Decision(
            kind=DecisionKind.TABLE_REOPENED,
            by=self.by,
            why=self.reason,
            before=Side(limits={n: each for n, each in before.items() if n in changed}),
            after=Side(limits={n: each for n, each in after.items() if n in changed}),
            articles=self.articles,
        )

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("reopen", limits=self.limits)


@event(SeenBy.EVERYBODY)
class TableSuspended(Event):
    """Play was suspended."""

    by: str
    reason: str
    articles: tuple[str, ...]

    def decision(self, state: State) -> Decision:
        return Decision(
            kind=DecisionKind.SUSPENDED,
            by=self.by,
            why=self.reason,
            before=Side(standing=Standing.IN_PLAY),
            after=Side(standing=Standing.SUSPENDED),
            articles=self.articles,
        )

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("suspend", reason=self.reason)


@event(SeenBy.EVERYBODY)
class TableResumed(Event):
    """Play went on."""

    by: str
    reason: str = ""

    def decision(self, state: State) -> Decision:
        return Decision(
            kind=DecisionKind.RESUMED,
            by=self.by,
            why=self.reason,
            before=Side(standing=Standing.SUSPENDED),
            after=Side(standing=Standing.IN_PLAY),
        )

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("resume")


@event(SeenBy.EVERYBODY)
class LimitsChanged(Event):
    """The placard was changed."""

    by: str
    limits: dict[str, dict[str, int]]
    """The complete placard that applies now or later."""
    articles: tuple[str, ...]
    from_next_coup: bool = False
    """Whether it applies only later (AMB-IT-27)."""
    before: dict[str, dict[str, int]] = field(default_factory=dict)
    """The placard that it replaces."""
    reason: str = ""

    def decision(self, state: State) -> Decision:
        # Older logs do not have the previous placard; the table does.
        hung = self.before or (state.coming_limits or state.limits).as_data()
        changed = {n for n in {*hung, *self.limits} if hung.get(n) != self.limits.get(n)}
        return Decision(
            kind=DecisionKind.LIMITS_CHANGED,
            by=self.by,
            why=self.reason,
            before=Side(limits={name: hung[name] for name in hung if name in changed}),
            after=Side(limits={n: each for n, each in self.limits.items() if n in changed}),
            articles=self.articles,
        )

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("change_limits", limits=self.limits)


@event(SeenBy.EVERYBODY)
class LastGamesAnnounced(Event):
    """The last games were announced."""

    games: int
    """How many games are still played."""
    call: str
    """What the croupier says."""
    articles: tuple[str, ...]

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("last_games")


@event(SeenBy.EVERYBODY, names_command=True)
class TableClosed(Event):
    """The table closed."""

    by: str
    articles: tuple[str, ...]

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("close")


@event(SeenBy.EVERYBODY)
class PlayerSat(Event):
    """A player took a seat."""

    player: str

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("sit", player=self.player)


@event(SeenBy.EVERYBODY, names_command=True)
class PlayerSteppedAway(Event):
    """A player left the table for a while."""

    player: str

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("step_away", player=self.player)


@event(SeenBy.EVERYBODY)
class PlayerCameBack(Event):
    """A player came back."""

    player: str

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("come_back", player=self.player)


@event(SeenBy.EVERYBODY, private=("amount",), names_command=True)
class PlayerLeft(Event):
    """A player left for good."""

    player: str
    amount: int
    """What they take with them."""

    def move(self, moved: Transfers, state: State) -> None:
        moved.move(purse(self.player), DESK, self.amount)

    def as_script(self, state: State) -> dict[str, Any]:
        return script_command("leave", player=self.player)
