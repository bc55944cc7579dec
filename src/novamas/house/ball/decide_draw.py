"""Decisions on the ball of a drawn table: its commitments, the players' nonces, and the draw.

A commitment is bound to a spin together with the reveal of the previous one. So every stake, also
one that rides or is laid while the last spin is paid, comes after the commitment it depends on.
"""

from __future__ import annotations

from collections.abc import Iterator

from novamas.game.rulebook.behaviours import Act
from novamas.game.wheel import Pocket
from novamas.house.ball import fair_draw
from novamas.house.refusals import HouseRefusalReason
from novamas.house.table import commands, events
from novamas.house.table.events import BallMode
from novamas.house.table.state import HouseTable, is_single
from novamas.table.decide.checks import require_act_or_management, require_player
from novamas.table.events import BallPocketed, Event
from novamas.table.refusals import Refusal, Refused
from novamas.table.state import BETTING, Phase

OPENING = 4.0
"""Seconds that players have after the close to open their nonces; the draw waits no longer."""
REOPENING = 8.0
"""The same after a server loaded a table whose betting is closed: clients reconnect first."""

# The players' nonces ------------------------------------------------------------------------------


def commit_nonce(house_table: HouseTable, command: commands.CommitNonce) -> Iterator[Event]:
    """A player publishes the hash of a nonce while nobody can know the number yet."""
    require_player(house_table.state, command.by)
    standing = house_table.commitment
    if standing is None or house_table.state.phase is Phase.CLOSED:
        raise Refused(HouseRefusalReason.NONCE_NOT_NOW, detail="no spin takes nonces at the moment")
    if command.commitment != standing.commitment:
        raise Refused(HouseRefusalReason.NONCE_NOT_NOW, detail="another commitment stands now")
    if not fair_draw.is_hash(command.hash):
        raise Refused(
            HouseRefusalReason.NONCE_NOT_VALID, detail="hash: 64 digits of lower-case hexadecimal"
        )
    yield events.NonceCommitted(player=str(command.by), spin=standing.spin, hash=command.hash)


def open_nonce(house_table: HouseTable, command: commands.OpenNonce) -> Iterator[Event]:
    """A player opens the nonce that they committed to; they need not be seated any more."""
    standing, expected = house_table.commitment, house_table.hashes.get(str(command.by))
    if standing is None or house_table.state.phase is not Phase.CLOSED:
        raise Refused(
            HouseRefusalReason.NONCE_NOT_NOW, detail="nonces are opened while the ball runs"
        )
    if expected is None or str(command.by) in house_table.opened:
        raise Refused(
            HouseRefusalReason.NONCE_NOT_NOW, detail="nothing of yours is left to be opened"
        )
    if not fair_draw.is_nonce(command.nonce):
        detail = f"a nonce is one line of at most {fair_draw.LONGEST_NONCE} characters"
        raise Refused(HouseRefusalReason.NONCE_NOT_VALID, detail=detail)
    bound = (house_table.table, standing.spin, standing.commitment, str(command.by))
    if fair_draw.nonce_hash(*bound, command.nonce) != expected:
        raise Refused(
            HouseRefusalReason.NONCE_NOT_VALID, detail="this nonce does not have your hash"
        )
    yield events.NonceOpened(player=str(command.by), spin=standing.spin, nonce=command.nonce)


def withheld(house_table: HouseTable) -> dict[str, str]:
    """The hashes whose nonces are not opened, by player."""
    return {
        name: known for name, known in house_table.hashes.items() if name not in house_table.opened
    }


# The draw -----------------------------------------------------------------------------------------


def may_draw(house_table: HouseTable, command: commands.DrawBall) -> Refusal | None:
    """Why somebody may not draw the ball: only its post may do it early."""
    try:
        require_act_or_management(house_table.state, command.by, Act.POCKET_BALL)
    except Refused as refused:
        return refused.refusal
    return None


def draw_ball(house_table: HouseTable, secret: bytes) -> tuple[Event, ...]:
    """Draws the committed ball: reveals the secret, and pockets the ball."""
    standing = house_table.commitment
    if standing is None or house_table.state.phase is not Phase.CLOSED:
        raise ValueError("no committed ball is running")
    if not opens(house_table, standing, secret):
        raise ValueError("the secret does not open the commitment")
    nonces, unopened = dict(house_table.opened), withheld(house_table)
    number = drawn_number(house_table, standing, secret)
    revealed = events.BallRevealed(
        coup=standing.coup,
        spin=standing.spin,
        secret=secret.hex(),
        nonces=nonces,
        withheld=unopened,
        number=number,
        zeros=standing.zeros,
    )
    return revealed, BallPocketed(number=number, last=False)


def opens(house_table: HouseTable, commitment: events.BallCommitted, secret: bytes) -> bool:
    """Whether a secret is the one that was committed to."""
    if is_single(commitment):
        return (
            fair_draw.single_commitment(house_table.table, commitment.spin, secret)
            == commitment.commitment
        )
    return (
        fair_draw.committed(house_table.table, commitment.place, secret).hex()
        == commitment.commitment
    )


def drawn_number(
    house_table: HouseTable, commitment: events.BallCommitted, secret: bytes
) -> Pocket:
    """The number of a secret with what the players have opened so far."""
    pockets = house_table.state.book.wheel.pockets.pockets
    table, spin, opened = house_table.table, commitment.spin, house_table.opened
    if is_single(commitment):
        index = fair_draw.single_draw(table, spin, secret, opened, pockets=len(pockets))
    else:
        unopened = withheld(house_table)
        index = fair_draw.draw(table, spin, secret, opened, unopened, pockets=len(pockets))
    return pockets[index]


# The commitments ----------------------------------------------------------------------------------


def may_bind(house_table: HouseTable) -> bool:
    """Whether the next spin of a drawn table can be bound: its ball is not running yet."""
    drawn = house_table.ball is BallMode.DRAWN and house_table.stopped is None
    return drawn and house_table.state.phase not in (Phase.OPENING, Phase.CLOSED, Phase.ENDED)


def needs_commitment(house_table: HouseTable) -> bool:
    """Whether somebody could stake on a spin without a commitment."""
    return house_table.commitment is None and may_bind(house_table)


def has_drawn(house_table: HouseTable) -> bool:
    """Whether the table had a commitment before, by a chain or by version 0.1.0."""
    return (
        house_table.chain is not None
        or house_table.commitment is not None
        or bool(house_table.drawn)
    )


def next_spin(house_table: HouseTable) -> int:
    """The next spin whose betting is not closed."""
    # The ball may run while stakes are still taken: then its spin is counted already.
    runs = house_table.state.phase in BETTING and house_table.state.ball_launched
    return house_table.state.spins if runs else house_table.state.spins + 1


def commit_chain(
    house_table: HouseTable, chain: fair_draw.Chain, reason: events.ChainReason
) -> events.BallChainCommitted:
    """Commits the house to a chain of secrets; the rest of the old chain is void."""
    number = 1 if house_table.chain is None else house_table.chain.number + 1
    return events.BallChainCommitted(
        number=number, tip=chain.tip.hex(), length=chain.length, reason=reason
    )


def bind(house_table: HouseTable, chain: fair_draw.Chain) -> events.BallCommitted:
    """Binds the next secret of the chain to the next spin."""
    if house_table.chain is None or house_table.chain.tip != chain.tip.hex():
        raise ValueError("the chain is not the one that was committed")
    place = house_table.place + 1
    is_open = house_table.state.phase in BETTING
    return events.BallCommitted(
        coup=house_table.state.coup if is_open else house_table.state.coup + 1,
        spin=next_spin(house_table),
        chain=house_table.chain.number,
        place=place,
        commitment=chain.commitment(place).hex(),
        zeros=house_table.state.book.wheel.pockets.zeros,
    )
