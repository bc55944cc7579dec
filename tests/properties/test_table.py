"""No sequence of commands brings a table to a state that the house forbids."""

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from hypothesis import event as note
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from novamas.game import staffing
from novamas.game.chips import ForeignChips, colours
from novamas.game.cloth import SPOTS, Spot
from novamas.game.limits import Limits
from novamas.game.rulebook.behaviours import Act, ChipKind, LimitsKept, Replay, Winning
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket
from novamas.rulebooks import HOUSES, load
from novamas.table import commands, events
from novamas.table.decide import decide
from novamas.table.evolve import evolve
from novamas.table.identity import MANAGEMENT, Identity
from novamas.table.refusals import Refusal, RefusalReason
from novamas.table.state import BETTING, Phase, Setup, State
from tests.properties import said
from tests.properties.allowed import (
    ACT_OF,
    FOR_PLAYERS,
    LEADS,
    MANAGEMENT_MAY,
    MOVES_CHIPS,
    Brought,
    photograph,
    total,
)


class Table(RuleBasedStateMachine):
    """A table of one house, to which anybody may say anything at any time."""

    house: ClassVar[str]

    def __init__(self) -> None:
        super().__init__()
        self.book: Rulebook = load(self.house)
        self.table = State.fresh(self.book)
        self.log: list[events.Event] = []
        self.brought = Brought()
        self.widest: dict[str, int | None] = {}
        self.named = 0

    # Setting up -----------------------------------------------------------------------------------

    @initialize(
        chip=st.sampled_from((1, 2, 5)),
        live=st.booleans(),
        winning=st.sampled_from(Winning),
        kept=st.sampled_from(LimitsKept),
        limits=said.placards,
        count=st.sampled_from((4, 5, 3)),
        rotation=st.integers(1, 3),
    )
    def set_up(
        self,
        *,
        chip: int,
        live: bool,
        winning: Winning,
        kept: LimitsKept,
        limits: dict[str, dict[str, int]],
        count: int,
        rotation: int,
    ) -> None:
        setup = Setup(
            limits=Limits.of(limits),
            winning=winning,
            limits_kept=kept if kept in self.book.limits.kept else self.book.limits.kept[0],
            chip=2 * chip if live else chip,
            colours=count,
            rotation=rotation,
            live=live,
        )
        self.open_with(setup)

    def open_with(self, setup: Setup) -> None:
        """A table set up, staffed, with its players seated, and open."""
        self.table = State.fresh(self.book, setup)
        self.log.clear()
        self.brought = Brought()
        self.widest.clear()
        self.note_limits()
        for post in staffing.missing(self.book, {}):
            number = len(self.table.posts_of(post)) + 1
            self.do(commands.TakePost(by=f"{post}-{number}", post=post))
        seller = self.table.who_may(Act.SELL_CHIPS) or ""
        for player in said.PLAYERS:
            self.do(commands.Sit(by=player))
            amount = 120 * setup.chip
            self.do(commands.BuyChips(by=seller, player=player, amount=amount))
        if self.book.wheel.inspected:
            self.do(commands.InspectTable(by=self.table.who_may(Act.INSPECT_TABLE) or ""))
        self.do(commands.OpenTable(by=MANAGEMENT))
        assert self.table.phase is Phase.BETTING

    # What is said at the table --------------------------------------------------------------------

    @rule(
        laid=said.laid,
        id=st.none() | st.none() | said.ids,
    )
    def lay(self, *, laid: list[tuple[str, str, int, int]], id: str | None) -> None:
        """Players lay stakes, each with a name that is new unless one is said."""
        for player, on, pieces, oddity in laid:
            self.do(
                commands.PlaceStake(
                    by=player,
                    id=id or self.fresh_name("s"),
                    player=player,
                    on=on,
                    amount=pieces * self.chip_of(player),
                    unattended=oddity == 1,
                    foreign=ForeignChips(pieces, "4", 3) if oddity == 2 else None,
                )
            )

    @rule(
        player=said.players,
        id=st.none() | said.ids,
        call=st.sampled_from((("tiers", 6), ("orphelins", 5), ("voisins", 9), ("17~2", 5))),
        pieces=st.integers(1, 3),
    )
    @precondition(lambda self: self.book.announcements.calls)
    def announce(self, *, player: str, id: str | None, call: tuple[str, int], pieces: int) -> None:
        name, count = call
        id = id or self.fresh_name("a")
        amount = pieces * count * self.chip_of(player)
        self.do(commands.Announce(by=player, id=id, player=player, call=name, amount=amount))

    def fresh_name(self, letter: str) -> str:
        """A name that no stake has had."""
        self.named += 1
        return f"{letter}-{self.named}"

    def chip_of(self, player: str) -> int:
        """What a chip of the player's is worth."""
        seated = self.table.players.get(player)
        return seated.chip if seated else 1

    @rule(data=st.data(), kind=st.sampled_from(said.CHANGES), by_staff=st.booleans())
    def change(self, *, data: st.DataObject, kind: type[commands.Command], by_staff: bool) -> None:
        """Something is done to what lies on the cloth."""
        table = self.table
        owners = {id: stake.player for id, stake in table.stakes.items()}
        owners |= {id: called.player for id, called in table.announcements.items()}
        owners |= {id: prisoner.player for id, prisoner in table.prison.items()}
        if not owners:
            return
        id = data.draw(st.sampled_from(sorted(owners)), label="id")
        by = owners[id]
        if by_staff or kind in ACT_OF:
            by = table.who_may(ACT_OF.get(kind, Act.PLACE_FOR_PLAYER)) or by
        self.do(kind(**self.sensible(data, kind, by=by, id=id)))

    @rule(mode=said.FIELDS["mode"], new_id=st.none() | said.ids)
    @precondition(lambda self: self.table.won)
    def replay(self, *, mode: Replay, new_id: str | None) -> None:
        id, won = next(iter(self.table.won.items()))
        by, name = won.announcement.player, new_id or self.fresh_name("a")
        self.do(commands.ReplayAnnouncement(by=by, id=id, mode=mode, new_id=name))

    @rule(choice=said.FIELDS["choice"])
    @precondition(lambda self: self.table.phase is Phase.CHOOSING)
    def choose(self, *, choice: commands.Choice) -> None:
        for prisoner in list(self.table.prison.values()):
            self.do(commands.ChooseAfterZero(by=prisoner.player, id=prisoner.id, choice=choice))

    @rule(data=st.data(), player=said.players, kind=st.sampled_from(said.OF_PLAYERS))
    def of_players(self, *, data: st.DataObject, player: str, kind: type[commands.Command]) -> None:
        """A player comes, goes, buys chips or asks for what the house keeps for them."""
        if kind is commands.ClaimCustody:
            player = next(iter(self.table.custody), player)
        act = ACT_OF.get(kind)
        by = player if act is None else self.table.who_may(act) or player
        given = self.sensible(data, kind, by=by)
        self.do(kind(**{**given, **({"player": player} if "player" in given else {})}))

    @rule(data=st.data(), kind=st.sampled_from(said.OF_STAFF))
    def of_staff(self, *, data: st.DataObject, kind: type[commands.Command]) -> None:
        """The staff and the management do what is not a step of the coup."""
        act = ACT_OF.get(kind)
        newcomer = data.draw(st.sampled_from(("newcomer", *self.table.staff)), label="newcomer")
        by = newcomer if act is None else self.table.who_may(act) or MANAGEMENT
        self.do(kind(**self.sensible(data, kind, by=by)))

    def sensible(
        self, data: st.DataObject, kind: type[commands.Command], **given: object
    ) -> dict[str, Any]:
        """The fields of a command: those given, and the others drawn as people would fill them."""
        names = [f.name for f in dataclasses.fields(kind)]
        drawn = {n: data.draw(said.FIELDS[n], label=n) for n in names if n not in (*given, "by")}
        return {**drawn, **{name: value for name, value in given.items() if name in names}}

    @rule(pocket=said.pockets, last=said.FIELDS["last"])
    def go_on(self, *, pocket: Pocket, last: bool) -> None:
        """The next step of the coup, by someone who may take it."""
        self.do(self.next_step(pocket, last=last))

    @rule(
        data=st.data(),
        pocket=said.pockets,
        laid=said.laid,
        moment=st.none() | st.sampled_from(said.INSIDE_A_COUP),
    )
    def play_on(
        self,
        *,
        data: st.DataObject,
        pocket: Pocket,
        laid: list[tuple[str, str, int, int]],
        moment: Phase | None,
    ) -> None:
        """A whole coup, with something between at a moment of it; or a new table opens."""
        if self.table.phase is Phase.ENDED:
            self.teardown()
            self.open_with(self.table.setup)
        if self.table.suspended:
            self.do(commands.Resume(by=MANAGEMENT))
        if self.table.phase is Phase.OPENING:
            self.do(self.next_step(pocket))
        self.lay(laid=laid, id=None)
        for _ in range(len(Phase)):
            if self.table.phase in (Phase.OPENING, Phase.ENDED):
                break
            self.do(self.next_step(pocket))
            if self.table.phase in BETTING and not self.table.ball_launched:
                break
            if self.table.phase is moment:
                self.meanwhile(data, laid)

    def meanwhile(self, data: st.DataObject, laid: list[tuple[str, str, int, int]]) -> None:
        """Something in the midst of a coup, by who may do it; then perhaps late stakes."""
        kind = data.draw(st.sampled_from(said.MEANWHILE), label="meanwhile")
        given = self.sensible(data, kind)
        if "player" in given:
            given["player"] = laid[0][0]
        self.do(kind(by=self.right_person(kind, given) or laid[0][0], **given))
        self.lay(laid=laid[:2], id=None)

    def next_step(self, pocket: Pocket, *, last: bool = False) -> commands.Command:
        """What the staff does next."""
        table = self.table
        who = {act: table.who_may(act) or "nobody" for act in Act}
        match table.phase:
            case Phase.OPENING:
                return commands.OpenTable(by=MANAGEMENT)
            case Phase.BETTING | Phase.CHOOSING if not table.ball_launched:
                inspect = commands.InspectBall(by=who[Act.INSPECT_BALL])
                launch = commands.LaunchBall(by=who[Act.LAUNCH_BALL])
                return inspect if table.ball_to_inspect else launch
            case Phase.BETTING | Phase.CHOOSING:
                return commands.CloseBetting(by=who[Act.CLOSE_BETTING])
            case Phase.CLOSED:
                return commands.PocketBall(by=who[Act.POCKET_BALL], number=pocket, last=last)
            case Phase.POCKETED:
                return commands.CallNumber(by=who[Act.CALL_NUMBER])
            case Phase.COLLECTING:
                return commands.CollectLosers(by=who[Act.COLLECT])
            case Phase.PAYING:
                return commands.PayNext(by=who[Act.PAY])
            case Phase.ENDED:
                return commands.CloseTable(by=MANAGEMENT)

    @rule(data=st.data(), kind=st.sampled_from(said.all_commands()), rightly=st.booleans())
    def anything(self, *, data: st.DataObject, kind: type[commands.Command], rightly: bool) -> None:
        """Any command with fields that make sense, by the right person or by anybody."""
        given = self.sensible(data, kind)
        people: list[Identity] = [*said.PLAYERS, *self.table.staff, MANAGEMENT, "nobody"]
        anybody = st.sampled_from(people)
        by = self.right_person(kind, given) if rightly else None
        self.do(kind(by=by or data.draw(anybody, label="by"), **given))

    def right_person(self, kind: type[commands.Command], given: dict[str, Any]) -> str | None:
        """Who may ask for it, if anybody may."""
        act = ACT_OF.get(kind)
        if act is not None:
            return self.table.who_may(act)
        player: str | None = given.get("player")
        return player

    @rule(data=st.data(), kind=st.sampled_from(said.all_commands()))
    def nonsense(self, *, data: st.DataObject, kind: type[commands.Command]) -> None:
        """A command of which some fields are of no sense at all."""
        given = self.sensible(data, kind)
        given["by"] = self.right_person(kind, given) or said.PLAYERS[0]
        for name in data.draw(st.lists(st.sampled_from(sorted(given)), min_size=1, unique=True)):
            given[name] = data.draw(said.nonsense, label=name)
        self.do(kind(**given))

    # What must come of it -------------------------------------------------------------------------

    def do(self, command: commands.Command) -> None:
        """Gives a command, and looks whether all that it brings about may be."""
        before = photograph(self.table)
        decision = decide(self.table, command)
        assert photograph(self.table) == before, "deciding changed the table"
        assert decide(self.table, command) == decision, "the same question, another answer"
        if isinstance(decision, Refusal):
            self.check_refusal(decision)
            return
        assert decision, "neither refused nor done"
        self.check_person(command)
        for happened in decision:
            self.happen(happened)
        self.check_money_is_conserved()
        self.check_nothing_is_below_zero()
        self.check_what_lies_on_a_spot_is_counted()
        self.check_an_enforced_maximum_is_kept()
        self.check_everybody_has_one_place()
        self.check_one_colour_has_one_owner()
        self.check_announcements_and_their_pieces_agree()
        self.check_the_coup_stands_where_its_phase_says()
        self.check_no_chip_of_a_live_table_is_broken()

    def check_refusal(self, refusal: Refusal) -> None:
        note(f"refused: {refusal.why.value}")
        assert isinstance(refusal.why, RefusalReason)
        assert set(refusal.articles) <= self.book.articles.keys()
        assert str(refusal)

    def check_person(self, command: commands.Command) -> None:
        """Only a post to which the book gives an act does it; players touch their own chips."""
        post = self.book.posts.get(self.table.staff.get(str(command.by), ""))
        may = post.may if post else frozenset()
        act = ACT_OF.get(type(command))
        if act is not None:
            managed = command.by == MANAGEMENT and act in MANAGEMENT_MAY
            assert act in may or managed
            if post and not post.touches_chips:
                assert act not in {Act.PAY, Act.COLLECT, Act.SELL_CHIPS}
        if isinstance(command, FOR_PLAYERS):
            assert command.by in self.table.players or Act.PLACE_FOR_PLAYER in may

    def happen(self, happened: events.Event) -> None:
        """Makes an event so, and looks at what it changed."""
        table = self.table
        phase, lying, limits = table.phase, self.chips_lying(), table.limits
        self.brought.take_in(table, happened)
        evolve(table, happened)
        self.log.append(happened)
        leads = LEADS.get(type(happened))
        if leads is None:
            assert table.phase is phase
        else:
            assert (phase, table.phase) in leads, type(happened).__name__
        if table.limits is not limits:
            self.note_limits()
        if isinstance(happened, events.StakePlaced):
            self.check_placed(happened, phase)
        elif isinstance(happened, events.AnnouncementPlaced) and phase is Phase.PAYING:
            assert self.book.betting.announcements_while_paying
            for each in happened.stakes:
                self.check_placed(each, phase)
        elif self.chips_lying() != lying:
            assert phase in MOVES_CHIPS[type(happened)], type(happened).__name__

    def chips_lying(self) -> dict[str, tuple[Spot, int]]:
        """Where every chip lies, on the cloth and in prison."""
        table = self.table
        on_cloth = {id: (stake.spot, stake.amount) for id, stake in table.stakes.items()}
        return on_cloth | {id: (held.spot, held.amount) for id, held in table.prison.items()}

    def check_placed(self, placed: events.StakePlaced, phase: Phase) -> None:
        if phase is Phase.CLOSED:
            assert placed.exception
            assert self.book.betting.exception_after_close
        elif phase is Phase.PAYING:
            assert self.book.betting.stakes_while_paying
            assert self.table.number not in SPOTS[placed.on].numbers
        else:
            assert phase in BETTING
            assert not placed.exception

    def note_limits(self) -> None:
        """The widest maximum that each spot has had: what once was rightly laid may lie on."""
        for spot, terms in self.book.terms.items():
            now = self.table.limits.maximum(terms)
            before = self.widest.get(spot.name, 0)
            self.widest[spot.name] = None if now is None or before is None else max(now, before)

    def check_money_is_conserved(self) -> None:
        assert total(self.table) == self.brought.sum

    def check_nothing_is_below_zero(self) -> None:
        table = self.table
        assert all(player.purse >= 0 for player in table.players.values())
        assert all(stake.amount > 0 for stake in table.stakes.values())
        assert all(prisoner.amount > 0 for prisoner in table.prison.values())
        assert all(amount > 0 for amount in table.custody.values())

    def check_what_lies_on_a_spot_is_counted(self) -> None:
        lying: Counter[tuple[str, Spot]] = Counter()
        for stake in self.table.stakes.values():
            lying[stake.whose, stake.spot] += stake.amount
        assert dict(lying) == self.table.on_spot

    def check_an_enforced_maximum_is_kept(self) -> None:
        if self.table.setup.limits_kept is LimitsKept.ENFORCED:
            for (_, spot), amount in self.table.on_spot.items():
                widest = self.widest[spot.name]
                assert widest is None or amount <= widest

    def check_everybody_has_one_place(self) -> None:
        table = self.table
        assert not table.staff.keys() & table.players.keys()
        assert str(MANAGEMENT) not in table.staff
        assert str(MANAGEMENT) not in table.players
        for post in self.book.posts.values():
            holders = len(table.posts_of(post.name))
            assert holders <= post.at_most
            if table.phase not in (Phase.OPENING, Phase.ENDED):
                assert holders >= post.at_least
        owners = {s.player for s in table.stakes.values()} | table.custody.keys()
        owners |= {p.player for p in table.prison.values()}
        assert owners <= table.players.keys()

    def check_one_colour_has_one_owner(self) -> None:
        owned = [p.colour for p in self.table.players.values() if p.colour is not None]
        assert len(set(owned)) == len(owned)
        count = self.book.chips.colours or self.table.setup.colours
        assert set(owned) <= set(colours(count))

    def check_announcements_and_their_pieces_agree(self) -> None:
        table = self.table
        for id, announcement in table.announcements.items():
            lying = [table.stakes[piece] for piece in announcement.pieces if piece in table.stakes]
            # A loser's pieces are swept before the coup ends, and the announcement is told then.
            assert lying or table.phase is Phase.PAYING
            for stake in lying:
                assert stake.announcement == id == announcement.id
                assert (stake.player, stake.call) == (announcement.player, announcement.call)
            assert sum(stake.amount for stake in lying) <= announcement.amount
        for stake in table.stakes.values():
            if stake.announcement is not None:
                assert stake.id in table.announcements[stake.announcement].pieces
        assert not table.stakes.keys() & table.prison.keys()
        assert not table.stakes.keys() & table.announcements.keys()

    def check_the_coup_stands_where_its_phase_says(self) -> None:
        table = self.table
        pending = any(prisoner.pending for prisoner in table.prison.values())
        if table.phase in BETTING:
            assert pending == (table.phase is Phase.CHOOSING)
        else:
            assert not pending or table.phase in (Phase.PAYING, Phase.COLLECTING)
        out = table.phase in (Phase.POCKETED, Phase.COLLECTING, Phase.PAYING)
        assert (table.number is not None) == out
        settled = table.phase in (Phase.COLLECTING, Phase.PAYING)
        assert (table.settlement is not None) == settled
        assert not table.due or settled
        assert table.due or table.phase is not Phase.PAYING
        assert not table.exceptions or table.phase is Phase.CLOSED
        if table.phase in (Phase.CLOSED, Phase.POCKETED):
            assert table.ball_launched
        left = table.games_left
        assert left is None or 0 <= left <= self.book.closing.last_games

    def check_no_chip_of_a_live_table_is_broken(self) -> None:
        table = self.table
        if table.setup.live:
            own = [s for s in table.stakes.values() if s.kind is not ChipKind.FOREIGN]
            assert all(stake.amount % table.setup.chip == 0 for stake in own)

    def teardown(self) -> None:
        """What happened, told again from the start, makes the same table."""
        again = State.fresh(self.book, self.table.setup)
        for happened in self.log:
            evolve(again, happened)
        assert photograph(again) == photograph(self.table)
        for phase in self.phases():
            note(f"reached: {phase}")

    def phases(self) -> Iterator[str]:
        """The events that happened, for the statistics of the run."""
        yield from dict.fromkeys(type(happened).__name__ for happened in self.log)


def machine(of: str) -> type[Table]:
    """The table of a house."""
    return type(f"Table_{of}", (Table,), {"house": of})


@pytest.mark.parametrize("house", HOUSES)
def test_no_sequence_of_commands_brings_a_table_to_a_forbidden_state(house: str) -> None:
    default = settings()
    run_state_machine_as_test(
        machine(house),
        settings=settings(default, max_examples=default.max_examples // 2, stateful_step_count=40),
    )
