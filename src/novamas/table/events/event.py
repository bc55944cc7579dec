"""What an event is: plain data with a stable name, and everything the house needs to know of it.

An event says here, where it is defined, who may see it, which of its fields are private, which
chips it moves in the ledger, whether it is a decision, and how it is written in a script. Views,
decision log, export, ledger and the socket's schema follow from that. What it does to a table is in
`evolve`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from novamas.table.accounts import Transfers
    from novamas.table.decision_record import Decision
    from novamas.table.state import State


class SeenBy(Enum):
    """Who sees an event; everybody else sees only its number in the log."""

    EVERYBODY = "everybody"
    PLAYER = "the player and the staff"
    """The player whom it names, and the staff."""
    STAFF = "the staff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened."""

    seen_by: ClassVar[SeenBy] = SeenBy.STAFF
    private: ClassVar[frozenset[str]] = frozenset()
    """The fields of its stored data that only the player concerned and the staff may see."""
    names_command: ClassVar[bool] = False
    """Whether it is the main event of its command, although other events came before it."""

    def move(self, moved: Transfers, state: State) -> None:
        """Moves its chips in the ledger; `state` is the table right before it. Most move none."""

    def decision(self, state: State) -> Decision | None:
        """Its decision record, if it is a decision; `state` is the table right before it."""
        return None

    def as_script(self, state: State) -> dict[str, Any] | None:
        """The command of the script format that leads to it, if there is one."""
        return None


DEFINED: dict[str, type[Event]] = {}
"""All defined events by name; the name of an event never changes."""

_Made = TypeVar("_Made", bound=Event)


@dataclass_transform(kw_only_default=True, frozen_default=True)
def event(
    seen_by: SeenBy, *, private: Collection[str] = (), names_command: bool = False
) -> Callable[[type[_Made]], type[_Made]]:
    """Defines an event: a frozen dataclass with slots and keywords, known by its name.

    >>> @event(SeenBy.EVERYBODY, private=("amount",))
    ... class DoorOpened(Event):
    ...     amount: int
    >>> DoorOpened(amount=3), DoorOpened.seen_by.value, DEFINED.pop("DoorOpened") is DoorOpened
    (DoorOpened(amount=3), 'everybody', True)
    """

    def define(plain: type[_Made]) -> type[_Made]:
        made = dataclass(frozen=True, slots=True, kw_only=True)(plain)
        made.seen_by = seen_by
        made.private = frozenset(private)
        made.names_command = names_command
        if made.__name__ in DEFINED:
            raise ValueError(f"there is an event {made.__name__} already")
        DEFINED[made.__name__] = made
        return made

    return define


def script_command(name: str, **fields: Any) -> dict[str, Any]:
    """A command of a script; fields without a value are left out.

    >>> script_command("buy", player="ana", amount=50, colour=None)
    {'do': 'buy', 'player': 'ana', 'amount': 50}
    """
    return {"do": name, **{key: value for key, value in fields.items() if value is not None}}
