"""Identity: who gives a command, as a type.

A person is known by their name. The management holds no post at the table; those who act for it are
`Officer`s. The automatic croupier holds posts like a person, under names that no person has. Events
and logs have the written form of an identity, and this module alone knows it.
"""

from __future__ import annotations

from dataclasses import dataclass

_MANAGEMENT, _AUTOMATIC = "management", "auto"


@dataclass(frozen=True, slots=True)
class Officer:
    """A member of the house's management, or the management itself if no name is known.

    >>> str(Officer("Vera")), str(Officer())
    ('management Vera', 'management')
    """

    name: str = ""

    def __str__(self) -> str:
        return f"{_MANAGEMENT} {self.name}" if self.name else _MANAGEMENT


@dataclass(frozen=True, slots=True)
class Automatic:
    """The name of the automatic croupier at one of its posts.

    >>> str(Automatic("croupier", 1))
    'auto croupier 1'
    >>> Automatic.read("auto croupier 1"), Automatic.read("ana")
    (Automatic(post='croupier', number=1), None)
    """

    post: str
    number: int

    def __str__(self) -> str:
        return f"{_AUTOMATIC} {self.post} {self.number}"

    @classmethod
    def read(cls, written: str) -> Automatic | None:
        """Reads such a name; None if it is a person's."""
        first, _, rest = written.partition(" ")
        post, _, number = rest.rpartition(" ")
        is_one = first == _AUTOMATIC and bool(post) and number.isdecimal()
        return cls(post, int(number)) if is_one else None


Identity = str | Officer
"""A person by name, or an officer of the house."""

MANAGEMENT = Officer()
"""Opens and closes the house's tables and may suspend them."""


def is_management(who: Identity) -> bool:
    """Whether somebody acts for the management.

    >>> is_management(Officer("Vera")), is_management("management Vera")
    (True, False)
    """
    return isinstance(who, Officer)


def read_identity(written: str) -> Identity:
    """Reads the written form of an identity from a log, or from the management's own command.

    >>> read_identity("management Vera"), read_identity("Vera")
    (Officer(name='Vera'), 'Vera')
    """
    first, _, name = written.partition(" ")
    return Officer(name) if first == _MANAGEMENT else written
