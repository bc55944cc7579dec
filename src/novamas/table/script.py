"""Table scripts: written sequences of play, played through the real table.

A script opens a table, staffs it, seats its players, and gives its commands in order. A refused
command changes nothing and is listed. See `docs/reference/scripts.md` for the format.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from enum import StrEnum
from typing import Any

from novamas.game import staffing
from novamas.game.chips import ForeignChips, takes
from novamas.game.limits import Limits, LimitsError
from novamas.game.post_zones import ZoneError, read_zone
from novamas.game.rulebook.behaviours import (
    Act,
    Cause,
    ChipKind,
    ColourWorth,
    LimitsKept,
    Replay,
    Winning,
)
from novamas.game.rulebook.model import Rulebook
from novamas.table import commands
from novamas.table.decide import EventsOrRefusal, decide
from novamas.table.events import ChipsBought, Event
from novamas.table.evolve import evolve
from novamas.table.identity import MANAGEMENT, Identity
from novamas.table.refusals import Refusal
from novamas.table.results import CoupTally, Tally
from novamas.table.script_fields import Fields, ScriptError
from novamas.table.state import BETTING, Phase, Setup, State

KEYS = ("rulebook", "script", "id", "purses", "chip", "value_chips", "limits", "settings")
"""The keys of a script that the table reads; other keys are for people and for tests."""
COLOURS = 10_000
"""The most colours that a table can have."""


def run_script(
    data: object,
    load: Callable[[str], Rulebook],
    *,
    where: str = "script",
    seat: Callable[[State], Table] | None = None,
) -> dict[str, Any]:
    """Plays a script and returns its outcome as plain data.

    `seat` gives a table elsewhere, set up as the script requires; without it the script is played
    in this process.
    """
    fields = Fields(where, data)
    id = fields.take("id", None)
    if isinstance(id, str):
        fields.where = where = f"{where} {id}"
    fields.no_slips(KEYS)
    book = load(fields.text("rulebook"))
    given = fields.take("script")
    if not isinstance(given, list):
        raise fields.error("script", "expected a list of commands")
    run = ScriptRun(book, fields, seat)
    for index, each in enumerate(given):
        run.play(index, Fields(f"{where}.script[{index}]", each))
    return {"id": id, **run.outcome()}


Table = Callable[[State, commands.Command], EventsOrRefusal]
"""The table of a script: in this process, or at a house elsewhere."""


class ScriptRun:
    """A script being played, command by command."""

    def __init__(
        self, book: Rulebook, fields: Fields, seat: Callable[[State], Table] | None = None
    ) -> None:
        purses = fields.table("purses", {})
        self.chips = _chips(fields)
        self.state = State.fresh(book, _setup(book, fields, self.chips, _players(fields)))
        self._table: Table = decide if seat is None else seat(self.state)
        self.tally = Tally()
        self.log: list[Event] = []
        """Everything that happened, from the first post taken on."""
        self.refused: list[int] = []
        self.refusals: list[dict[str, Any]] = []
        self._open(fields, purses)

    def _open(self, fields: Fields, purses: Mapping[str, Any]) -> None:
        """Staffs the table, seats its players with what they hold, and opens it."""
        for post in staffing.missing(self.state.book, {}, double=self.state.setup.double):
            number = len(self.state.posts_of(post)) + 1
            self._must(fields, commands.TakePost(by=f"{post}-{number}", post=post))
        value = fields.take("value_chips", [])
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise fields.error("value_chips", "expected a list of players")
        # Where the house takes no value chips, the table refuses each stake laid in them.
        takes_value = takes(self.state.book, ChipKind.VALUE)
        # Where it takes no colour, all play value chips without a chip of their own.
        takes_colour = takes(self.state.book, ChipKind.COLOUR)
        self.value_players = frozenset() if takes_value else frozenset(value)
        seller = self.state.who_may(Act.SELL_CHIPS) or ""
        for player, purse in purses.items():
            if type(purse) is not int or purse < 0:
                raise fields.error(f"purses.{player}", "expected a whole number of at least 0")
            self._must(fields, commands.Sit(by=player))
            if purse:
                self._must(
                    fields,
                    commands.BuyChips(
                        by=seller,
                        player=player,
                        amount=purse,
                        chip=self.chips.get(player) if takes_colour else None,
                        value_chips=player in value and takes_value,
                    ),
                )
        if self.state.book.wheel.inspected:
            self._must(fields, commands.InspectTable(by=self.staff(Act.INSPECT_TABLE)))
        self._must(fields, commands.OpenTable(by=MANAGEMENT))

    def _must(self, fields: Fields, command: commands.Command) -> None:
        refusal = self._act(command)
        if refusal is not None:
            raise ScriptError(fields.where, f"the table cannot be set up: {refusal}")

    def _act(self, command: commands.Command) -> Refusal | None:
        decision = self._table(self.state, command)
        if isinstance(decision, Refusal):
            return decision
        for event in decision:
            self.tally.note(self.state, event)
            self.log.append(event)
            evolve(self.state, event)
        return None

    def play(self, index: int, fields: Fields) -> None:
        """Gives one command of the script; a refusal is listed and the script goes on."""
        do = fields.text("do")
        if do not in _COMMANDS:
            raise fields.error("do", f"expected one of {', '.join(_COMMANDS)}; found {do!r}")
        for command in _COMMANDS[do](self, fields):
            fields.done()
            refusal = command if isinstance(command, Refusal) else self._act(command)
            if refusal is not None:
                self.refused.append(index)
                self.refusals.append(
                    {
                        "index": index,
                        "why": refusal.why.value,
                        "articles": list(refusal.articles),
                        "detail": refusal.detail,
                    }
                )
                return

    def first_chip(self, player: str) -> int | None:
        """The value of a player's chip by the script, until they have bought a colour."""
        bought = (event for event in self.log if isinstance(event, ChipsBought))
        has_bought = any(each.player == player and not each.value_chips for each in bought)
        mine = takes(self.state.book, ChipKind.COLOUR) and not has_bought
        return self.chips.get(player) if mine else None

    def chip_of(self, player: str) -> int:
        """The value of a player's chip by the script: their own, or else the table's."""
        return self.chips.get(player, self.state.setup.chip)

    def staff(self, act: Act) -> Identity:
        """A person at the table whose post may do the act."""
        return self.state.who_may(act) or MANAGEMENT

    def outcome(self) -> dict[str, Any]:
        """The outcome of the script, in the words of the format."""
        state, tally = self.state, self.tally
        outcome: dict[str, Any] = {
            "coups": [_coup_outcome(coup) for coup in tally.coups],
            "refused": self.refused,
            "refusals": self.refusals,
            "purses": {name: player.purse for name, player in state.players.items()},
            "bank": state.bank,
            "wheel": tally.directions,
        }
        if state.custody:
            outcome["custody"] = dict(state.custody)
        if tally.coups:
            outcome["payment_order"] = tally.coups[-1].payment_order
        outcome["reductions"] = list(self._reductions())
        last = next((coup for coup in reversed(tally.coups) if coup.reductions), None)
        if last is not None:
            order = [reduction.player for reduction in last.reductions]
            outcome["reduction_order"] = order
            outcome["payment_order_players"] = order[::-1]
        if tally.games_left:
            outcome["last_games_left"] = tally.games_left
        return outcome

    def _reductions(self) -> Iterator[dict[str, Any]]:
        for number, coup in enumerate(self.tally.coups, start=1):
            # The players at that time: some may have left since.
            seats = {name: seat for seat, name in enumerate(coup.purses)}
            last = len(seats)
            for made in sorted(coup.reductions, key=lambda each: seats.get(each.player, last)):
                yield {
                    "coup": number,
                    "player": made.player,
                    "straights": made.straights,
                    "left": {kind.value: count for kind, count in made.left.items()},
                    "freed_to_bank": made.freed,
                    "paid": made.paid,
                    "stays": made.stays,
                }


def _coup_outcome(coup: CoupTally) -> dict[str, Any]:
    return {
        "number": coup.number,
        "players": {
            name: {
                "won": sums.won,
                "returned": sums.returned,
                "lost": sums.lost,
                "held": sums.held,
            }
            for name, sums in coup.players.items()
        },
        "purses": coup.purses,
    }


def _players(fields: Fields) -> set[str]:
    """All players: those with a purse, and those who sit down during the script."""
    given = fields.take("script", [])
    sitting = (each for each in given if isinstance(each, dict) and each.get("do") == "sit")
    return {*fields.table("purses", {}), *(str(each.get("player")) for each in sitting)}


def _chips(fields: Fields) -> dict[str, int]:
    """What a chip of each player is worth, where the script has it by player."""
    given = fields.take("chip", 1)
    by_player: dict[str, int] = given if isinstance(given, dict) else {}
    for each in by_player.values() if by_player else (given,):
        if type(each) is not int or each < 1:
            raise fields.error("chip", "expected a whole number of at least 1, or one by player")
    return by_player


def _setup(
    book: Rulebook, fields: Fields, chips: Mapping[str, int], players: Collection[str]
) -> Setup:
    settings = Fields(f"{fields.where}.settings", fields.table("settings", {}))
    policed = LimitsKept.POLICED in book.limits.kept
    kept = LimitsKept.POLICED if policed else LimitsKept.ENFORCED
    if settings.has("limits"):
        # A house without articles on excess always enforces its maxima.
        asked = settings.one("limits", LimitsKept)
        kept = asked if asked in book.limits.kept else kept
    winning = settings.one("winning", Winning) if settings.has("winning") else Winning.HAND
    colours = settings.whole("colours") if settings.has("colours") else len(players)
    rotation = settings.whole("rotation") if settings.has("rotation") else Setup().rotation
    if not 0 <= colours <= COLOURS:
        raise settings.error("colours", f"expected a whole number from 0 to {COLOURS}")
    if rotation < 1:
        raise settings.error("rotation", "expected a whole number of at least 1")
    try:
        zone = read_zone(book, settings.texts("zone"))
    except ZoneError as problem:
        raise settings.error("zone", str(problem)) from None
    double = settings.flag("double")
    settings.done()
    try:
        limits = Limits.of(fields.table("limits", {}))
    except LimitsError as problem:
        raise ScriptError(f"{fields.where}.{problem.field}", problem.problem) from None
    # Where it is given by player, the smallest is the table's chip.
    chip = min(chips.values()) if chips else fields.take("chip", 1)
    # A house that bounds the value of a colour leaves a script's own values alone.
    bounded = book.chips.colour_worth is ColourWorth.STRAIGHT_LIMITS
    return Setup(
        limits=limits,
        winning=winning,
        limits_kept=kept,
        chip=chip,
        own_chips=chips if bounded else {},
        colours=colours,
        rotation=rotation,
        double=double,
        zone=zone,
    )


# The commands of the format -----------------------------------------------------------------------


def _stake(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    player = fields.text("player")
    foreign = None
    if fields.has("foreign"):
        chips = Fields(f"{fields.where}.foreign", fields.take("foreign"))
        foreign = ForeignChips(
            number=chips.whole("count"),
            table=chips.text("table"),
            opening_minimum=chips.whole("opening_minimum"),
            value=chips.whole("value") if chips.has("value") else None,
        )
        chips.done()
    kind = fields.one("chips", ChipKind) if fields.has("chips") else None
    if fields.flag("value_chips") or player in run.value_players:
        kind = ChipKind.VALUE
    laid_for = fields.text("for") if fields.has("for") else None
    covered, unclear = fields.flag("covered", default=True), fields.flag("value_unclear")
    unattended, pending = fields.flag("unattended"), fields.flag("change_pending")
    by_staff = foreign or laid_for is not None or not covered or unclear or unattended or pending
    yield commands.PlaceStake(
        by=fields.who("by", run.staff(Act.PLACE_FOR_PLAYER) if by_staff else player),
        id=fields.text("id"),
        player=player,
        on=fields.text("on"),
        amount=fields.whole("amount") if foreign is None else foreign.worth,
        chips=kind,
        covered=covered,
        value_unclear=unclear,
        laid_for=laid_for,
        unattended=unattended,
        change_pending=pending,
        denomination=fields.whole("denomination") if fields.has("denomination") else None,
        foreign=foreign,
    )


def _announce(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    player, covered = fields.text("player"), fields.flag("covered", default=True)
    yield commands.Announce(
        by=fields.who("by", player if covered else run.staff(Act.PLACE_FOR_PLAYER)),
        id=fields.text("id"),
        player=player,
        call=fields.text("call"),
        amount=fields.whole("amount"),
        covered=covered,
    )


def _owner_of(run: ScriptRun, id: str) -> str:
    """The owner of a stake, announcement or prisoner; in a script players act for themselves."""
    state = run.state
    owned = (
        state.stakes.get(id)
        or state.announcements.get(id)
        or state.prison.get(id)
        or (state.won[id].announcement if id in state.won else None)
    )
    return owned.player if owned is not None else ""


def _withdraw(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    id = fields.text("id")
    amount = fields.whole("amount") if fields.has("amount") else None
    by = fields.who("by", _owner_of(run, id))
    yield commands.WithdrawStake(by=by, id=id, amount=amount)


def _move(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    id = fields.text("id")
    yield commands.MoveStake(by=_owner_of(run, id), id=id, on=fields.text("on"))


def _correct(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    by, id = fields.who("by", run.staff(Act.CORRECT)), fields.text("id")
    on = fields.text("on")
    if fields.has("ordered_by"):
        yield commands.OrderCorrection(by=fields.text("ordered_by"), id=id, on=on)
    yield commands.CorrectStake(by=by, id=id, on=on)


def _notice_excess(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.NoticeExcess(by=run.staff(Act.NOTICE_EXCESS), id=fields.text("id"))


def _sit(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.Sit(by=fields.text("player"))


def _buy(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    player = fields.text("player")
    chip = fields.whole("chip") if fields.has("chip") else run.first_chip(player)
    if not takes(run.state.book, ChipKind.COLOUR) and chip == run.chip_of(player):
        # Where all play value chips, the script's chip is everyone's without a purchase.
        chip = None
    yield commands.BuyChips(
        by=run.staff(Act.SELL_CHIPS),
        player=player,
        amount=fields.whole("amount"),
        colour=fields.text("colour") if fields.has("colour") else None,
        value_chips=fields.flag("value_chips"),
        chip=chip,
    )


def _leave(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.Leave(by=fields.text("player"))


def _orphan(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.DeclareOrphan(by=run.staff(Act.DECLARE_ORPHAN), id=fields.text("id"))


def _reopen(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.ReopenTable(by=run.staff(Act.CHANGE_LIMITS), limits=fields.table("limits"))


def _launch(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    # A script's staff inspects the ball without a command.
    if run.state.ball_to_inspect:
        yield commands.InspectBall(by=run.staff(Act.INSPECT_BALL))
    yield commands.LaunchBall(by=run.staff(Act.LAUNCH_BALL))


def _no_more_bets(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    if run.state.phase in BETTING and not run.state.ball_launched:
        yield from _launch(run, fields)
    yield commands.CloseBetting(by=run.staff(Act.CLOSE_BETTING))


def _exception(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.GrantException(by=run.staff(Act.GRANT_EXCEPTION), player=fields.text("player"))


def _void(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.VoidBall(by=run.staff(Act.VOID_BALL), cause=fields.one("cause", Cause))


def _pocket(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.PocketBall(
        by=run.staff(Act.POCKET_BALL), number=fields.pocket("number"), last=fields.flag("last")
    )


def _call(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.CallNumber(by=run.staff(Act.CALL_NUMBER))


def _collect(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.CollectLosers(by=run.staff(Act.COLLECT))


class NotInScript(StrEnum):
    """A command of a script cannot be given to the table as it is written, and why."""

    MORE_PAYMENTS_THAN_DUE = "more_payments_than_due"


def _pay(run: ScriptRun, fields: Fields) -> Iterator[commands.Command | Refusal]:
    """Makes a number of payments, or none if one is refused."""
    payments, due = fields.whole("payments"), len(run.state.due)
    if payments < 1:
        raise fields.error("payments", "expected a whole number of at least 1")
    if run.state.phase is Phase.PAYING and payments > due:
        yield Refusal(
            NotInScript.MORE_PAYMENTS_THAN_DUE, detail=f"of {payments} asked for, {due} due"
        )
    for _ in range(payments):
        yield commands.PayNext(by=run.staff(Act.PAY))


def _number(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    """Plays a number from pocketed to paid; without winners, the coup ends with the collection."""
    yield commands.PocketBall(
        by=run.staff(Act.POCKET_BALL),
        number=fields.pocket("number"),
        last=fields.flag("last"),
    )
    yield commands.CallNumber(by=run.staff(Act.CALL_NUMBER))
    yield commands.CollectLosers(by=run.staff(Act.COLLECT))
    if run.state.phase is Phase.PAYING:
        yield commands.PayWinners(by=run.staff(Act.PAY))


def _choose(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    id = fields.text("id")
    choice = fields.one("choice", commands.Choice)
    yield commands.ChooseAfterZero(by=_owner_of(run, id), id=id, choice=choice)


def _replay(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    id = fields.text("id")
    yield commands.ReplayAnnouncement(
        by=_owner_of(run, id),
        id=id,
        mode=fields.one("mode", Replay),
        new_id=fields.text("as"),
    )


def _change_limits(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.ChangeLimits(by=run.staff(Act.CHANGE_LIMITS), limits=fields.table("limits"))


def _last_games(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.AnnounceLastGames(by=run.staff(Act.ANNOUNCE_LAST_GAMES))


def _step_away(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.StepAway(by=fields.text("player"))


def _come_back(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.ComeBack(by=fields.text("player"))


def _claim(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.ClaimCustody(by=run.staff(Act.PAY), player=fields.text("player"))


def _suspend(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.Suspend(by=MANAGEMENT, reason=fields.text_or("reason", ""))


def _resume(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.Resume(by=MANAGEMENT)


def _close(run: ScriptRun, fields: Fields) -> Iterator[commands.Command]:
    yield commands.CloseTable(by=MANAGEMENT)


_COMMANDS: dict[str, Callable[[ScriptRun, Fields], Iterator[commands.Command | Refusal]]] = {
    "stake": _stake,
    "announce": _announce,
    "withdraw": _withdraw,
    "move": _move,
    "correct": _correct,
    "sit": _sit,
    "buy": _buy,
    "leave": _leave,
    "notice_excess": _notice_excess,
    "orphan": _orphan,
    "reopen": _reopen,
    "launch": _launch,
    "no_more_bets": _no_more_bets,
    "exception": _exception,
    "void": _void,
    "number": _number,
    "pocket": _pocket,
    "call": _call,
    "collect": _collect,
    "pay": _pay,
    "choose": _choose,
    "replay": _replay,
    "change_limits": _change_limits,
    "last_games": _last_games,
    "step_away": _step_away,
    "come_back": _come_back,
    "claim": _claim,
    "suspend": _suspend,
    "resume": _resume,
    "close": _close,
}
