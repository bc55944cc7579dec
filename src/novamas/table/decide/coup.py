"""Decisions about the coup: the ball, the close, the number, collecting and paying."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from novamas.game.excess import divide_excess
from novamas.game.limits import levelled, short_stakes
from novamas.game.lines import Settlement, cited
from novamas.game.rulebook.behaviours import Act, Cause, Instant, Invitation, LimitsKept
from novamas.game.settlement import settle
from novamas.game.stakes import Stake
from novamas.game.wheel import Pocket
from novamas.table import commands, events
from novamas.table.decide.checks import (
    require_act,
    require_betting,
    require_not_suspended,
    require_open,
    require_player,
)
from novamas.table.decide.inspections import require_inspected_ball
from novamas.table.identity import Identity
from novamas.table.refusals import RefusalReason, Refused
from novamas.table.state import BETTING, Phase, State
from novamas.wording.calls import invitation, number_call


def launch_ball(state: State, command: commands.LaunchBall) -> Iterator[events.Event]:
    """Spins the wheel and launches the ball; betting stays open."""
    require_act(state, command.by, Act.LAUNCH_BALL)
    require_not_suspended(state)
    require_betting(state, state.book.betting.cites.no_stake)
    if state.ball_launched:
        raise Refused(RefusalReason.BALL_ALREADY_LAUNCHED)
    require_inspected_ball(state)
    post = state.post_of(command.by)
    if post is not None and post.rotates and command.by != state.spinner():
        detail = f"it is the turn of {state.spinner()}"
        raise Refused(RefusalReason.NOT_THEIR_TURN_TO_SPIN, post.cites.rotates, detail)
    yield _launched(state, str(command.by), call=invitation(state.book, Invitation.LAUNCH))


def _launched(state: State, by: str, *, call: str = "") -> events.BallLaunched:
    spin = state.spins + 1
    turns, ball = state.directions(spin)
    return events.BallLaunched(by=by, spin=spin, wheel=turns, ball=ball, call=call)


def close_betting(state: State, command: commands.CloseBetting) -> Iterator[events.Event]:
    """No va más: stakes that are too small go back, the rest play."""
    require_act(state, command.by, Act.CLOSE_BETTING)
    require_betting(state, state.book.betting.cites.no_stake)
    if not state.ball_launched:
        raise Refused(RefusalReason.BALL_NOT_LAUNCHED, detail="launch the ball first")
    yield events.BettingClosed(call=state.book.calls.no_more_bets)
    stakes = state.stakes.values()
    short = short_stakes(state.book, stakes, state.limits, state.setup.limits_kept)
    if short:
        yield events.StakesReturned(
            returned=tuple((each.stake.id, each.stake.amount, each.articles) for each in short)
        )
    gone = {each.stake.id for each in short}
    left = [stake for stake in stakes if stake.id not in gone]
    if back := levelled(state.book, left, state.limits):
        yield events.StakesReturned(
            returned=tuple((each.stake.id, each.back, each.articles) for each in back)
        )


def grant_exception(state: State, command: commands.GrantException) -> Iterator[events.Event]:
    """The chief allows a player one late stake before the ball falls (IT-gioco-7c)."""
    rules = state.book.betting
    articles = rules.cites.exception_after_close
    if not rules.exception_after_close:
        raise Refused(RefusalReason.NO_EXCEPTION_IN_THE_BOOK, articles)
    require_act(state, command.by, Act.GRANT_EXCEPTION)
    require_player(state, command.player)
    require_open(state)
    if state.phase in BETTING:
        raise Refused(RefusalReason.BETTING_NOT_CLOSED, articles, "betting is still open to all")
    if state.phase is not Phase.CLOSED:
        raise Refused(RefusalReason.BALL_ALREADY_POCKETED, articles)
    yield events.ExceptionGranted(
        player=command.player, by=str(command.by), articles=articles, reason=command.reason
    )


def notice_excess(state: State, command: commands.NoticeExcess) -> Iterator[events.Event]:
    """A member of the staff notices a stake above the maximum; if in time, the excess goes back."""
    rules = state.book.excess
    if rules is None or state.setup.limits_kept is LimitsKept.ENFORCED:
        detail = "no stake above a maximum is taken here"
        raise Refused(RefusalReason.LIMITS_ARE_ENFORCED, state.book.limits.cites.kept, detail)
    require_act(state, command.by, Act.NOTICE_EXCESS)
    require_open(state)
    returned: list[tuple[str, int, tuple[str, ...]]] = []
    for whose, spot in dict.fromkeys((s.whose, s.spot) for s in _noticed(state, command.id)):
        most = state.limits.maximum(state.book.terms[spot])
        if most is None or state.on_spot[whose, spot] <= most:
            continue
        multiple = spot.kind.on_numbers
        instant = rules.multiples_until if multiple else rules.chances_until
        articles = rules.cites.multiples_until if multiple else rules.cites.chances_until
        if not _in_time(state.phase, instant):
            raise Refused(
                RefusalReason.NOTICED_TOO_LATE, articles, "the articles decide at the payment"
            )
        there = [s for s in state.stakes.values() if (s.whose, s.spot) == (whose, spot)]
        returned += [
            (each.stake.id, each.excess + each.unclear, articles)
            for each in divide_excess(state.book, there, most)
            if each.excess + each.unclear
        ]
    if not returned:
        raise Refused(RefusalReason.NOTHING_IN_EXCESS, detail=f"{command.id} is within the maximum")
    yield events.StakesReturned(returned=tuple(returned), by=str(command.by))


def _noticed(state: State, id: str) -> list[Stake]:
    announcement = state.announcements.get(id)
    if announcement is not None:
        return [state.stakes[piece] for piece in announcement.pieces if piece in state.stakes]
    if id not in state.stakes:
        raise Refused(RefusalReason.NO_SUCH_STAKE, detail=f"no stake {id!r} lies on the cloth")
    return [state.stakes[id]]


def _in_time(phase: Phase, instant: Instant) -> bool:
    before = {
        Instant.CLOSED: BETTING,
        Instant.POCKETED: (*BETTING, Phase.CLOSED),
        Instant.CALLED: (*BETTING, Phase.CLOSED, Phase.POCKETED),
    }
    return phase in before[instant]


def void_ball(state: State, command: commands.VoidBall) -> Iterator[events.Event]:
    """No va esta bola: the ball does not count, the stakes stay, and betting opens again."""
    require_act(state, command.by, Act.VOID_BALL)
    require_open(state)
    rules = state.book.wheel
    if command.cause not in rules.causes:
        known = ", ".join(cause for cause in Cause if cause in rules.causes)
        raise Refused(
            RefusalReason.CAUSE_NOT_IN_THE_BOOK, rules.cites.causes, f"causes here: {known}"
        )
    if state.phase not in (*BETTING, Phase.CLOSED):
        raise Refused(
            RefusalReason.BALL_ALREADY_POCKETED, rules.cites.too_late, "the number stands"
        )
    if not state.ball_launched:
        if command.cause is not Cause.BALL_ESCAPED:
            raise Refused(
                RefusalReason.BALL_NOT_LAUNCHED, rules.cites.too_late, "no ball is running"
            )
        # A ball that slips from the hand was never launched, but the wheel had been turned.
        yield _launched(state, state.spinner() or str(command.by))
    yield events.BallVoided(
        cause=command.cause,
        call=state.book.calls.void,
        by=str(command.by),
        articles=cited(rules.cites.of_cause[command.cause], rules.cites.stakes_stay),
    )


def _require_pocket(state: State, number: Pocket) -> None:
    """Requires that the wheel has the number."""
    wheel = state.book.wheel
    if number not in wheel.pockets:
        detail = f"the wheel has the numbers {wheel.pockets.described}"
        raise Refused(RefusalReason.NUMBER_NOT_ON_THE_WHEEL, wheel.cites.order, detail)


def pocket_ball(state: State, command: commands.PocketBall) -> Iterator[events.Event]:
    """The ball lies in a pocket; the number is not called yet."""
    require_act(state, command.by, Act.POCKET_BALL)
    require_open(state)
    _require_pocket(state, command.number)
    if state.phase in BETTING:
        raise Refused(RefusalReason.BETTING_NOT_CLOSED, detail="close betting first")
    if state.phase is not Phase.CLOSED:
        raise Refused(RefusalReason.BALL_ALREADY_POCKETED)
    closing = state.book.closing
    if command.last and closing.last_games:
        detail = f"the last coup is the last of the {closing.last_games} last games"
        raise Refused(RefusalReason.LAST_GAMES_NOT_PLAYED, closing.cites.last_games, detail)
    yield events.BallPocketed(number=command.number, last=command.last)


def call_number(state: State, command: commands.CallNumber) -> Iterator[events.Event]:
    """The number is called and marked with the dolly; this settles the coup."""
    require_act(state, command.by, Act.CALL_NUMBER)
    if state.phase is not Phase.POCKETED or state.number is None:
        raise Refused(RefusalReason.BALL_NOT_POCKETED)
    away = {player.name for player in state.players.values() if player.away}
    stakes, prison = list(state.stakes.values()), list(state.prison.values())
    if away:
        stakes = [replace(s, away=True) if s.player in away else s for s in stakes]
        prison = [replace(p, away=True) if p.player in away else p for p in prison]
    settlement = settle(
        state.book,
        state.number,
        stakes,
        prison=prison,
        limits=state.limits,
        winning=state.setup.winning,
        last=state.last or state.games_left == 1,
        coup=state.coup,
        on_spot=state.on_spot,
    )
    if state.setup.live and state.book.absence.to_custody:
        settlement = _riding_whole_chips(settlement, state.setup.chip)
    yield events.NumberCalled(call=number_call(state.book, state.number), settlement=settlement)


def _riding_whole_chips(settlement: Settlement, chip: int) -> Settlement:
    """At a live table only whole chips ride for an absent player; what is over is set aside."""
    if not any(line.stays % chip for line in settlement.lines):
        return settlement
    lines = tuple(
        line._replace(stays=line.stays - rest, aside=line.aside + rest)
        if (rest := line.stays % chip)
        else line
        for line in settlement.lines
    )
    return settlement._replace(lines=lines)


def correct_number(state: State, command: commands.CorrectNumber) -> Iterator[events.Event]:
    """Enters another number; after the call, a second person must sign it (NV-06)."""
    require_act(state, command.by, Act.POCKET_BALL)
    before = _open_number(state)
    _require_pocket(state, command.number)
    if state.phase is Phase.COLLECTING:
        yield events.NumberQuestioned(
            before=before,
            number=command.number,
            by=str(command.by),
            reason=command.reason,
            articles=_signing(state),
        )
    else:
        yield events.NumberCorrected(
            before=before,
            number=command.number,
            by=str(command.by),
            second=None,
            reason=command.reason,
            articles=_signing(state),
        )


def sign_number(state: State, command: commands.SignNumber) -> Iterator[events.Event]:
    """A second person signs, and the number is called again."""
    require_act(state, command.by, Act.SIGN_NUMBER)
    before, asked = _open_number(state), state.questioned
    if asked is None or asked.number != command.number:
        raise Refused(
            RefusalReason.NUMBER_NOT_QUESTIONED, _signing(state), "this is not what was asked"
        )
    yield events.NumberCorrected(
        before=before,
        number=asked.number,
        by=asked.by,
        second=str(command.by),
        reason=asked.reason,
        articles=_signing(state),
    )


def _open_number(state: State) -> Pocket:
    """The number of the coup; requires that nothing was collected or paid yet."""
    if state.phase is Phase.PAYING:
        detail = "what was paid wrongly is put right payment by payment"
        raise Refused(RefusalReason.LOSERS_ARE_COLLECTED, _signing(state), detail)
    if state.phase not in (Phase.POCKETED, Phase.COLLECTING) or state.number is None:
        raise Refused(RefusalReason.BALL_NOT_POCKETED)
    return state.number


def _signing(state: State) -> tuple[str, ...]:
    """The articles on changing a number."""
    return state.book.wheel.cites.corrected


def collect_losers(state: State, command: commands.CollectLosers) -> Iterator[events.Event]:
    """Collects the losing chips, and divides what zero divides."""
    require_act(state, command.by, Act.COLLECT)
    if state.phase is not Phase.COLLECTING:
        raise Refused(RefusalReason.NUMBER_NOT_CALLED)
    if state.questioned is not None:
        asked = state.questioned
        detail = f"{asked.by} says that {asked.number} came out; a second person has to sign"
        raise Refused(RefusalReason.NUMBER_IS_QUESTIONED, _signing(state), detail)
    yield events.LosersCollected()
    if not state.due:
        yield _ended(state)


def pay_next(state: State, command: commands.PayNext) -> Iterator[events.Event]:
    """Makes the next payment of the house's order."""
    yield from _pay(state, command.by, payments=1)


def pay_winners(state: State, command: commands.PayWinners) -> Iterator[events.Event]:
    """Makes all payments that are still due, in order."""
    yield from _pay(state, command.by, payments=len(state.due))


def _pay(state: State, by: Identity, *, payments: int) -> Iterator[events.Event]:
    require_act(state, by, Act.PAY)
    if state.phase is not Phase.PAYING:
        raise Refused(RefusalReason.LOSERS_NOT_COLLECTED, detail="collect the losing chips first")
    yield events.WinnersPaid(payments=payments)
    if payments == len(state.due):
        yield _ended(state)


def _ended(state: State) -> events.CoupEnded:
    left = None if state.games_left is None else state.games_left - 1
    book = state.book
    call = invitation(book, Invitation.BETTING) if left is None else book.calls.games_left[left]
    return events.CoupEnded(coup=state.coup, games_left=left, call=call)
