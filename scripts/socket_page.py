"""Writes docs/reference/socket.md: every message of a table's socket, from its definitions.

    python -m scripts.socket_page

The commands and events are described by their classes, the permissions by the matrix, the limits by
their constants. A test compares the committed page with them, and sends its examples.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from novamas.house.ball import fair_draw
from novamas.web import app, command_reader, quotas, server
from novamas.web.permissions import MESSAGES, STAFF_FIELDS
from novamas.web.socket_schema import socket_schema
from scripts.ledger import ROOT

PAGE = ROOT / "docs" / "reference" / "socket.md"
REFRESH = "make socket-page"
SCHEMA = socket_schema()

GROUPS = {
    "A seat, chips and tips": (
        *("Sit", "BuyChips", "StepAway", "ComeBack", "ClaimCustody", "GiveTip", "Leave"),
        *("SeatPlayer", "SeePlayerOff"),
    ),
    "Stakes": (
        *("PlaceStake", "Announce", "MoveStake", "WithdrawStake", "ChooseAfterZero"),
        *("ReplayAnnouncement", "CorrectStake", "OrderCorrection", "NoticeExcess"),
        "DeclareOrphan",
    ),
    "The draw": ("CommitNonce", "OpenNonce"),
    "The coup": (
        *("LaunchBall", "CallLastBets", "CloseBetting", "GrantException", "VoidBall"),
        *("PocketBall", "DrawBall", "CallNumber", "CorrectNumber", "SignNumber"),
        *("CollectLosers", "PayNext", "PayWinners"),
    ),
    "The table and its staff": (
        *("TakePost", "LeavePost", "InspectTable", "OpenTable", "Suspend", "Resume"),
        *("ChangeLimits", "ReopenTable", "InspectBall", "AnnounceLastGames", "CloseTable"),
    ),
    "The bank and the box": (
        *("OpenBank", "FillBank", "CreditBank", "CountBank", "CountFloat", "SignFloat"),
        "EmptyBox",
    ),
    "What takes two people": (
        *("RecordWrongPayment", "ProposeSale", "ConfirmProposal", "DropProposal"),
        "CorrectWrongPayment",
    ),
    "Disputes": ("RaiseDispute", "WithdrawDispute", "DecideDispute"),
}
"""Every command of the socket, in the order of the page."""

SAMPLES: dict[str, Any] = {
    "amount": 100,
    "call": "voisins",
    "cause": "ball_out",
    "choice": "half",
    "commitment": "6b" * 32,
    "counted": 99_900,
    "coup": 12,
    "hash": "2e" * 32,
    "id": "b1",
    "limits": {"straight": {"min": 100, "max": 2000}},
    "mode": "rifare",
    "new_id": "b2",
    "nonce": "my words 7c4a8d09ca3762af61e59520943dc264",
    "number": 17,
    "on": "17/20",
    "player": "ana",
    "post": "croupier",
    "reason": "as the player asked",
    "says": "my chip lay on 20",
    "upheld": False,
}
"""Values for the fields of examples, by name."""
OWN_SAMPLES: dict[str, dict[str, Any]] = {
    "Announce": {"id": "a1", "call": "voisins", "amount": 900},
    "BuyChips": {"amount": 5000},
    "ReplayAnnouncement": {"id": "a1", "new_id": "a2"},
    "OpenBank": {"amount": 1_000_000},
    "RecordWrongPayment": {"id": "w1"},
    "ProposeSale": {"id": "s1", "amount": 2_000_000},
    **{name: {"id": "w1"} for name in ("ConfirmProposal", "DropProposal", "CorrectWrongPayment")},
    **{name: {"id": 1} for name in ("WithdrawDispute", "DecideDispute")},
}
"""Values of the fields of one command's example."""

VECTOR = (
    "es",
    12,
    fair_draw.committed("es", 7, bytes(32)).hex(),
    "ana",
    "seven 00112233445566778899aabbccddeeff",
)
"""Table, spin, commitment, player and nonce of the test vector."""


# Types in words -----------------------------------------------------------------------------------


def kind(schema: dict[str, Any]) -> str:
    """A type in words, with a link where it has fields of its own."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        part = SCHEMA["$defs"].get(name) or SCHEMA["events"][name]["data"]
        return _one_of(part["enum"]) if "enum" in part else f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(kind(each) for each in schema["anyOf"])
    if "enum" in schema:
        return _one_of(schema["enum"])
    if isinstance(schema.get("type"), list):
        return " or ".join(kind({"type": each}) for each in schema["type"])
    if schema.get("type") == "array":
        parts = schema.get("prefixItems")
        if parts:
            return f"list: {', '.join(kind(each) for each in parts)}"
        return f"list of {kind(schema['items'])}"
    if schema.get("type") == "object":
        inner = schema.get("additionalProperties")
        return f"object: name → {kind(inner)}" if isinstance(inner, dict) else "object"
    return PLAIN[schema["type"]]


PLAIN = {"string": "text", "integer": "whole number", "boolean": "true or false", "null": "null"}


def _one_of(values: list[Any]) -> str:
    return " or ".join(f"`{each}`" for each in values)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _fields(schema: dict[str, Any], *, marks: dict[str, str] | None = None) -> Iterator[str]:
    """The fields of an object as a table."""
    required = set(schema.get("required", ()))
    yield "| field | type | meaning |"
    yield "|---|---|---|"
    for name, each in schema["properties"].items():
        meaning = each.get("description", "")
        if name not in required:
            default = json.dumps(each["default"], ensure_ascii=False) if "default" in each else ""
            meaning += f" *Optional{f', `{default}` if left out' if default else ''}.*"
        meaning += (marks or {}).get(name, "")
        yield f"| `{name}` | {_cell(kind(each))} | {_cell(meaning)} |"


# Commands -----------------------------------------------------------------------------------------


def example(name: str) -> dict[str, Any]:
    """A request with a command: the fields that it must have."""
    own = OWN_SAMPLES.get(name, {})
    needed = SCHEMA["commands"][name]["with"]["required"]
    fields = {each: own.get(each, SAMPLES.get(each)) for each in needed}
    request: dict[str, Any] = {"id": "c1", "do": name}
    return {**request, "with": fields} if fields else request


def _command(name: str) -> Iterator[str]:
    command = SCHEMA["commands"][name]
    who = [post for post in sorted(MESSAGES[name]) if post != "management"]
    yield f"#### {name}"
    yield ""
    yield f"{command['with']['description']} For: {', '.join(who)}."
    yield ""
    if command["with"]["properties"]:
        staff = STAFF_FIELDS.get(name, frozenset())
        marks = dict.fromkeys(staff, " *Only the staff may set it.*")
        yield from _fields(command["with"], marks=marks)
    else:
        yield "It has no fields."
    yield ""
    yield "```json"
    yield json.dumps(example(name), ensure_ascii=False)
    yield "```"
    yield ""


def _commands() -> Iterator[str]:
    for group, names in GROUPS.items():
        yield f"### {group}"
        yield ""
        if group in NOTES:
            yield from (NOTES[group], "")
        for name in names:
            yield from _command(name)


# The framing of the nonce -------------------------------------------------------------------------


def vector_rows() -> list[tuple[str, bytes]]:
    """The parts of the test vector in their order, each as the bytes that are hashed."""
    table, spin, commitment, player, nonce = VECTOR
    fields = {
        "the tag `novamas nonce 1`": "novamas nonce 1",
        f"the table, `{table}`": table,
        f"the spin, `{spin}`, in decimal digits": str(spin),
        "the commitment, as its 64 hexadecimal digits": commitment,
        f"the player, `{player}`": player,
        f"the nonce, `{nonce}`": nonce,
    }
    return [
        (field, len(text.encode()).to_bytes(4, "big") + text.encode())
        for field, text in fields.items()
    ]


def _framing() -> str:
    rows = vector_rows()
    digest = hashlib.sha256(b"".join(framed for _, framed in rows)).hexdigest()
    shown = "\n".join(
        f"| {field} | `{framed[:4].hex()}` | `{framed[4:].hex()}` |" for field, framed in rows
    )
    return f"""\
A player adds a text, the nonce, to the ball of a drawn table. While betting is open they send its
hash with `CommitNonce`; a later hash replaces an earlier one. After the close, when
`BettingClosed` has come, they send the nonce itself with `OpenNonce`. The spin and the commitment
stand in `draw` of the first message, and in every `BallCommitted`. A nonce is one line of 1 to
{fair_draw.LONGEST_NONCE} characters without control characters; it should hold at least 16 random
bytes, made after the commitment came.

The hash is SHA-256 over six fields, one after the other. Each is its length in bytes as four
bytes, the highest first, and then its text in UTF-8. The hash is sent as 64 lower-case hexadecimal
digits. A test vector:

| field | length | bytes |
|---|---|---|
{shown}

The hash of all these bytes is

```text
{digest}
```

The command `SetNonce` of version 0.1.0, which published a text for all later spins, is gone; its
event `NonceSet` is only in logs of that version. [Fairness](../explanation/fairness.md) says how
the number follows from the nonces."""


STAKES = """\
`on` and `call` are read as [the notation](notation.md) is, in the words of any house too: `17/20`,
`rojo`, `tre primi`, `serie 5/8`. The event has the plain name. A player gives these commands for
themselves, the croupier for players, where the book allows it."""

TWO_PEOPLE = """\
One person proposes, and another at another post, or a chief, confirms. Until then nothing moves;
the proposal is under `proposals` of the table, for the staff."""

NOTES = {"Stakes": STAKES, "The draw": _framing(), "What takes two people": TWO_PEOPLE}
"""What stands before the commands of a group."""


# Messages of the house ----------------------------------------------------------------------------

MESSAGES_OUT = """\
### table

The first message: the table as it stands, as this person may see it. `GET /api/tables/{table}`
gives the same, and OpenAPI describes it as `TableView`.

```text
{"table": {"table": "es", "seq": 7, "rulebook": "es", …}}
```

### clock

When the current step ends, by the time of the house, in milliseconds since 1970. It comes after
the first message and whenever it changes. `ends` is null where a person deals, or while the table
rests. `playing` says how many players are at their screens or have stakes on the cloth. It is no
event and has no number. It comes again after two seconds in which nothing was said,
so a client that hears nothing for much longer has lost its connection, and may come back.

```json
{"clock": {"step": "betting", "ends": 1700000020000, "now": 1700000000000, "playing": 1}}
```

### ack

The command under this id is done and durable; `first` and `seq` are the numbers of its first and
last event.

```json
{"ack": "c1", "first": 8, "seq": 8}
```

### refused

The table refused the command under this id, and nothing changed. `why` is a stable reason,
`articles` are the articles behind it, `detail` is a sentence for people, and `seq` is where the log
stood.

```json
{"refused": "c4", "why": "not_seated", "articles": [], "detail": "ana has no seat", "seq": 10}
```

### problem

The request did not reach the table: the house could not read it, or this session may not make it.
`problem` is a sentence for people, `why` a stable reason, and `id` the id of the request, or null
if it could not be read.

```json
{"problem": "do: LaunchBall is not for a player", "id": "c5", "why": "not_for_you"}
```

### An event

Every event of the log is one message, numbered without a gap. `seq` is its number, `at` when it
happened, `type` its name and `data` its fields. Private fields are under `yours`, and only the
player whom they concern gets them; the staff gets all fields in `data`. An event that a person may
not see has the type `Hidden` and no data. The auditor also gets `version`, `command`, `previous`
and `hash`, as they are stored. [The events](#the-events) are listed below.

```text
{"seq": 9, "at": 1700000000000, "type": "ChipsBought",
 "data": {"player": "ana", "colour": "blue", …}, "yours": {"amount": 1000}}
```
"""


def _reasons(message: str) -> str:
    return ", ".join(f"`{each}`" for each in SCHEMA[message]["properties"]["why"]["enum"])


def _events() -> Iterator[str]:
    for name, event in SCHEMA["events"].items():
        data = event["data"]
        yield from (
            f"### {name}",
            "",
            f"{' '.join(data['description'].split())} For {event['for']}.",
            "",
        )
        if data["properties"]:
            private = dict.fromkeys(event["only_yours"], " *Private.*")
            yield from (*_fields(data, marks=private), "")
        else:
            yield from ("It has no fields.", "")


def _parts() -> Iterator[str]:
    for name, each in sorted(SCHEMA["$defs"].items()):
        if "properties" in each and name not in SCHEMA["events"]:
            meaning = " ".join(each["description"].split())
            yield from (f"### {name}", "", meaning, "", *_fields(each), "")


def page() -> str:
    """The text of the page."""
    closes = "\n".join(f"| {code} | {why} |" for code, why in SCHEMA["closes"].items())
    request = [
        "| field | type | meaning |",
        "|---|---|---|",
        (
            f"| `id` | text | An id of one's own, of 1 to {command_reader.LONGEST_ID} printable"
            " characters. |"
        ),
        "| `do` | text | The name of the command. |",
        "| `with` | object | The fields of the command. *Optional, if it has none.* |",
        "| `as` | text | The person for whom the management of a local house acts. *Optional.* |",
    ]
    return (
        f"""\
# The socket of a table

Every message of the WebSocket `/api/tables/{{table}}/socket`. This page is generated from the
definitions: `{REFRESH}` writes it again. `GET /api/schema/socket` gives the same as JSON schemas,
version {SCHEMA["version"]}; [the house](house.md#at-a-tables-socket) shows a conversation.

## Connecting

A program sends its token in the header `Authorization: Bearer …`. A browser cannot set a header
there: it sends its session cookie, and in local mode `?token=…`. Without a token one only looks
on. A page of another site is refused at the handshake. Every message is a JSON object in a text
frame; a request has at most
{command_reader.LARGEST_MESSAGE:,} characters.

### Reconnecting

`?after=SEQ` gives the number of the last event that the client has. The house sends the first
message and the clock, then every event after that number, then what is new; so nothing is missed
and nothing comes twice. A request without an answer is sent again under the same id: it is done
once and gets the same answer, also after a restart of the house. Another request under a used id
is refused as `id_reused`. The digest that binds an id is of the request as it was sent, so `"on":
"rojo"` and `"on": "red"` are two requests.

### How the house closes a connection

| code | because |
|---|---|
{closes}

After 1012 and 1013 a client comes back, first at once and then after a pause that grows. After
4421 it goes to the address that the reason names. After the others it does not come back by
itself.

### How much one may send

A local house counts nothing. In house mode these are the limits:

| what | at most | at once |
|---|---|---|
| open sockets of a person, at all tables | {quotas.SOCKETS} | |
| open sockets of an address that only look on | {quotas.ONLOOKERS} | |
| requests of a person over all their sockets | {server.RATE:.0f} a second | {2 * server.RATE:.0f} |
| bytes of these requests | {quotas.BYTES:,.0f} a second | {quotas.BYTES_AT_ONCE:,.0f} |
| refusals of a person | {quotas.REFUSALS:.0f} a second | {quotas.REFUSALS_AT_ONCE:.0f} |
| handshakes and HTTP requests of an address | {app.REQUESTS:.0f} a second | {app.AT_ONCE:.0f} |

A socket too many is closed with 1013. A request beyond the limit is answered with the problem
`too_often` and not done; the house reads the next one {quotas.PAUSE * 1000:.0f} milliseconds
later.

## Requests

{chr(10).join(request)}

The token says who asks; a request cannot say it. Answers and events may come in either order.

## Messages of the house

{MESSAGES_OUT}
### Reasons of a refusal

{_reasons("refused")}.

### Reasons of a problem

{_reasons("problem")}.

## The commands

Each has who may give it; the management of a local house may give all. At a table the rulebook's
posts come on top: the matrix says who may ask, the book says who may do it. A field that is not
listed is refused, and so is a field of another type.

{chr(10).join(_commands())}
## The events

{chr(10).join(_events())}
## Parts of messages

{chr(10).join(_parts())}""".rstrip()
        + "\n"
    )


def main() -> None:
    """Writes the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
