"""Deciding about the ball of a drawn table: its commitments, the players' nonces, and the draw.

A commitment is bound to a spin together with the reveal of the one before it. So every stake, also
one that rides or is laid while the last spin is paid, comes after the commitment it depends on.
"""

from __future__ import annotations

from collections.abc import Iterator

from novamas.game.rulebook import Act
from novamas.house import ball, commands, events
from novamas.house.events import BallMode
from novamas.house.hall import Hall
from novamas.house.refusals import HouseWhy
from novamas.table.checks import require_act_or_management, require_player
from novamas.table.events import BallPocketed, Event
from novamas.table.refusals import Refusal, Refused
from novamas.table.state import BETTING, Phase

OPENING = 4.0
"""Seconds that players have after the close to open their nonces; the draw waits no longer."""
REOPENING = 8.0
"""The same after a server took up a table whose betting is closed: clients come back first."""

# The players' nonces ------------------------------------------------------------------------------


def commit_nonce(hall: Hall, command: commands.CommitNonce) -> Iterator[Event]:
    """A player publishes the hash of a nonce while nobody can know the number yet."""
    require_player(hall.state, command.by)
    standing = hall.commitment
    if standing is None or hall.state.phase is Phase.CLOSED:
        raise Refused(HouseWhy.NONCE_NOT_NOW, detail="no spin takes nonces at the moment")
    if command.commitment != standing.commitment:
        raise Refused(HouseWhy.NONCE_NOT_NOW, detail="another commitment stands now")
    if not ball.is_hash(command.hash):
        raise Refused(HouseWhy.NONCE_NOT_VALID, detail="hash: 64 digits of lower-case hexadecimal")
    yield events.NonceCommitted(player=command.by, spin=standing.spin, hash=command.hash)


def open_nonce(hall: Hall, command: commands.OpenNonce) -> Iterator[Event]:
    """A player opens the nonce that they committed to; they need not be seated any more."""
    standing, expected = hall.commitment, hall.hashes.get(command.by)
    if standing is None or hall.state.phase is not Phase.CLOSED:
        raise Refused(HouseWhy.NONCE_NOT_NOW, detail="nonces are opened while the ball runs")
    if expected is None or command.by in hall.opened:
        raise Refused(HouseWhy.NONCE_NOT_NOW, detail="nothing of yours is left to be opened")
    if not ball.is_nonce(command.nonce):
        detail = f"a nonce is one line of at most {ball.LONGEST_NONCE} characters"
        raise Refused(HouseWhy.NONCE_NOT_VALID, detail=detail)
    bound = (hall.table, standing.spin, standing.commitment, command.by)
    if ball.nonce_hash(*bound, command.nonce) != expected:
        raise Refused(HouseWhy.NONCE_NOT_VALID, detail="this nonce does not have your hash")
    yield events.NonceOpened(player=command.by, spin=standing.spin, nonce=command.nonce)


def withheld(hall: Hall) -> dict[str, str]:
    """The hashes whose nonces are not opened, by player."""
    return {name: known for name, known in hall.hashes.items() if name not in hall.opened}


# The draw -----------------------------------------------------------------------------------------


def may_draw(hall: Hall, command: commands.DrawBall) -> Refusal | None:
    """Why somebody may not let the ball fall; nobody hastens it who is not at its post."""
    try:
        require_act_or_management(hall.state, command.by, Act.POCKET_BALL)
    except Refused as refused:
        return refused.refusal
    return None


def draw_ball(hall: Hall, secret: bytes) -> tuple[Event, ...]:
    """The committed ball falls: it is revealed, and lies in its pocket."""
    standing = hall.commitment
    if standing is None or hall.state.phase is not Phase.CLOSED:
        raise ValueError("no committed ball is running")
    if ball.committed(hall.table, standing.place, secret).hex() != standing.commitment:
        raise ValueError("the secret does not open the commitment")
    nonces, unopened = dict(hall.opened), withheld(hall)
    number = ball.draw(hall.table, standing.spin, secret, nonces, unopened)
    revealed = events.BallRevealed(
        coup=standing.coup,
        spin=standing.spin,
        secret=secret.hex(),
        nonces=nonces,
        withheld=unopened,
        number=number,
    )
    return revealed, BallPocketed(number=number, last=False)


# The commitments ----------------------------------------------------------------------------------


def may_bind(hall: Hall) -> bool:
    """Whether the next spin of a drawn table could be bound: its ball does not run yet."""
    drawn = hall.ball is BallMode.DRAWN and hall.stopped is None
    return drawn and hall.state.phase not in (Phase.OPENING, Phase.CLOSED, Phase.ENDED)


def needs_commitment(hall: Hall) -> bool:
    """Whether somebody could stake on a spin to which no commitment is bound."""
    return hall.commitment is None and may_bind(hall)


def next_spin(hall: Hall) -> int:
    """The next spin whose betting is not closed."""
    # The ball may run while stakes are still taken: then its spin is counted already.
    runs = hall.state.phase in BETTING and hall.state.ball_launched
    return hall.state.spins if runs else hall.state.spins + 1


def commit_chain(
    hall: Hall, chain: ball.Chain, reason: events.ChainReason
) -> events.BallChainCommitted:
    """The house commits itself to a chain of secrets; what is left of the old one is void."""
    number = 1 if hall.chain is None else hall.chain.number + 1
    return events.BallChainCommitted(
        number=number, tip=chain.tip.hex(), length=chain.length, reason=reason
    )


def bind(hall: Hall, chain: ball.Chain) -> events.BallCommitted:
    """The next secret of the chain is bound to the next spin."""
    if hall.chain is None or hall.chain.tip != chain.tip.hex():
        raise ValueError("the chain is not the one that was committed")
    place = hall.place + 1
    is_open = hall.state.phase in BETTING
    return events.BallCommitted(
        coup=hall.state.coup if is_open else hall.state.coup + 1,
        spin=next_spin(hall),
        chain=hall.chain.number,
        place=place,
        commitment=chain.commitment(place).hex(),
    )
