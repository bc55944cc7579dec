"""Italy, the replays: an announcement just won is played again from the payment."""

import pytest

from novamas.game.announcements import call_of
from novamas.game.cloth import spot
from novamas.game.rulebook.behaviours import LimitsKept, Replay, Winning
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.events import AnnouncementPlaced
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import Table, coup, opened, place, refused

RIFARE, COMPLETARE, PER_IL_TUTTO = Replay.RIFARE, Replay.COMPLETARE, Replay.PER_IL_TUTTO
BOTH = pytest.mark.parametrize("winning", list(Winning))


def chips(call: str) -> int:
    """How many chips an announcement takes."""
    found = call_of(load("it"), call)
    assert found is not None
    return len(found.pieces)


def won(call: str, pocket: int, winning: Winning = Winning.HAND, unit: int = 1) -> Table:
    """A table at which ana has just won an announcement, called a; it cost all that she had."""
    table = opened("it", {"ana": 1000, "ben": 1000}, winning=winning)
    amount = chips(call) * unit
    table.act(commands.Announce(by="ana", id="a", player="ana", call=call, amount=amount))
    coup(table, pocket)
    return table


def again(mode: Replay, *, by: str = "ana", id: str = "a", new: str = "b") -> commands.Command:
    """The wish to play an announcement again."""
    return commands.ReplayAnnouncement(by=by, id=id, mode=mode, new_id=new)


def lying(table: Table) -> dict[str, int]:
    """What lies on each spot of the cloth."""
    found: dict[str, int] = {}
    for stake in table.state.stakes.values():
        found[stake.spot.name] = found.get(stake.spot.name, 0) + stake.amount
    return found


# What was paid, for which stake, and what is left in hand after a rifare and after a completare.
REPLAYS = [
    ("tiers", 10, 17, 1, 11, 12),
    ("voisins", 2, 22, 2, 13, 15),
    ("voisins", 26, 16, 2, 7, 9),
    ("voisins", 19, 17, 1, 8, 9),
    ("orphelins", 1, 35, 1, 30, 31),
    ("orphelins", 20, 17, 1, 12, 13),
    ("orphelins", 17, 34, 2, 29, 31),
    ("orphelins-plein", 17, 35, 1, 27, 28),
    ("nassa", 26, 35, 1, 30, 31),
    ("nassa", 3, 17, 1, 12, 13),
    ("zerospiel", 26, 35, 1, 31, 32),
    ("zerospiel", 3, 17, 1, 13, 14),
    ("17~2", 6, 35, 1, 30, 31),
]


@BOTH
@pytest.mark.rule("IT-rig-0", "IT-rig-1", "AMB-IT-05", "X-02")
@pytest.mark.parametrize(("call", "pocket", "paid", "stake", "cash", "_"), REPLAYS)
def test_it_rig_1_a_rifare_lays_all_pieces_anew_beside_the_winning_one(
    call: str, pocket: int, paid: int, stake: int, cash: int, _: int, winning: Winning
) -> None:
    table = won(call, pocket, winning)
    before = 1000 - chips(call)
    table.act(again(RIFARE))
    assert table.tally.coups[0].of("ana").won == paid
    assert table.purse("ana") == before + cash
    assert table.state.on_cloth == chips(call) + stake
    assert sum(n for name, n in lying(table).items() if pocket in spot(name).numbers) == 2 * stake
    assert table.state.announcements["b"].amount == chips(call)


@BOTH
@pytest.mark.rule("IT-rig-0", "IT-rig-2", "AMB-IT-08")
@pytest.mark.parametrize(("call", "pocket", "paid", "stake", "_", "cash"), REPLAYS)
def test_it_rig_2_a_completare_counts_every_winning_piece_in(
    call: str, pocket: int, paid: int, stake: int, _: int, cash: int, winning: Winning
) -> None:
    table = won(call, pocket, winning)
    table.act(again(COMPLETARE))
    assert cash == paid - (chips(call) - stake)
    assert table.purse("ana") == 1000 - chips(call) + cash
    assert table.state.on_cloth == chips(call)
    assert set(table.state.announcements) == {"b"}


@BOTH
@pytest.mark.rule("IT-rig-0", "IT-rig-3", "AMB-IT-06")
@pytest.mark.parametrize(
    ("call", "pocket", "in_play", "over"),
    [
        ("tiers", 10, 18, 0),
        ("voisins", 19, 18, 0),
        ("voisins", 26, 18, 0),
        ("voisins", 2, 18, 6),
        ("voisins", 0, 18, 6),
    ],
)
def test_it_rig_3_per_il_tutto_the_serie_triples_and_the_vicini_double(
    call: str, pocket: int, in_play: int, over: int, winning: Winning
) -> None:
    table = won(call, pocket, winning)
    table.act(again(PER_IL_TUTTO))
    assert table.state.on_cloth == in_play
    assert table.purse("ana") == 1000 - chips(call) + over
    assert table.state.announcements["b"].amount == in_play


@pytest.mark.rule("IT-rig-3", "AMB-IT-07")
@pytest.mark.parametrize(
    ("call", "pocket"),
    [
        ("orphelins", 17),
        ("orphelins-plein", 17),
        ("nassa", 26),
        ("zerospiel", 26),
        ("17~2", 6),
        ("f8/9", 18),
        ("f3", 3),
        ("f4/7", 17),
    ],
)
def test_it_amb_07_per_il_tutto_is_for_serie_and_vicini_alone(call: str, pocket: int) -> None:
    table = won(call, pocket)
    refusal = refused(table, again(PER_IL_TUTTO))
    assert (refusal.why, refusal.articles) == (RefusalReason.REPLAY_NOT_OFFERED, ("IT-rig-3",))


@pytest.mark.rule("IT-rig-0", "IT-rig-1", "IT-rig-2", "IT-rig-3")
@pytest.mark.parametrize(
    ("mode", "article"),
    [(RIFARE, "IT-rig-1"), (COMPLETARE, "IT-rig-2"), (PER_IL_TUTTO, "IT-rig-3")],
)
def test_it_rig_0_a_replay_cites_its_article(mode: Replay, article: str) -> None:
    table = won("tiers", 10)
    table.act(again(mode))
    laid = next(e for e in table.events if isinstance(e, AnnouncementPlaced) and e.replays == "a")
    assert laid.articles == ("IT-rig-0", article)
    assert laid.mode is mode


@BOTH
@pytest.mark.rule("IT-rig-1", "AMB-IT-05")
def test_it_amb_05_a_rifare_then_another_split_of_the_serie(winning: Winning) -> None:
    table = won("tiers", 10, winning)
    assert table.purse("ana") == 1000 + (12 if winning is Winning.HAND else 11)
    table.act(again(RIFARE))
    # The piece that was left on 10/11 loses; the new Serie wins on 27/30.
    sums = coup(table, 30).of("ana")
    assert (sums.won, sums.lost) == (17, 6)
    in_hand = table.purse("ana") + table.state.on_cloth
    assert in_hand == 1000 + 23


@BOTH
@pytest.mark.rule("IT-rig-1")
def test_it_rig_1_after_a_rifare_both_pieces_win_when_the_number_repeats(winning: Winning) -> None:
    table = won("tiers", 10, winning)
    table.act(again(RIFARE))
    sums = coup(table, 10).of("ana")
    assert (sums.won, sums.lost) == (34, 5)


@BOTH
@pytest.mark.rule("IT-rig-2")
def test_it_rig_2_an_announcement_is_replayed_coup_after_coup(winning: Winning) -> None:
    table = won("voisins", 19, winning)
    for name, pocket in (("b", 26), ("c", 2)):
        before = {"b": "a", "c": "b"}[name]
        table.act(again(COMPLETARE, id=before, new=name))
        coup(table, pocket)
    # Bought for 9; paid 17, 16 and 22, of which 8 and 7 were taken for the new announcements.
    in_hand = table.purse("ana") + table.state.on_cloth
    assert in_hand == 1000 - 9 + 18 - 9 + 18 - 9 + 24


@BOTH
@pytest.mark.rule("IT-rig-3", "AMB-IT-06")
def test_it_rig_3_vicini_per_il_tutto_twice(winning: Winning) -> None:
    table = won("voisins", 2, winning)
    table.act(again(PER_IL_TUTTO))
    coup(table, 26)
    table.act(again(PER_IL_TUTTO, id="b", new="c"))
    coup(table, 19)
    assert table.purse("ana") + table.state.on_cloth == 1069


@pytest.mark.rule("IT-rig-1", "IT-rig-2", "IT-rig-3")
@pytest.mark.parametrize(
    ("mode", "cash", "in_play"), [(RIFARE, 55, 35), (COMPLETARE, 60, 30), (PER_IL_TUTTO, 0, 90)]
)
def test_it_rig_a_replay_keeps_the_unit(mode: Replay, cash: int, in_play: int) -> None:
    table = won("tiers", 10, unit=5)
    table.act(again(mode))
    assert (table.purse("ana") - 970, table.state.on_cloth) == (cash, in_play)


@pytest.mark.rule("IT-rig-0")
def test_it_rig_0_the_replays_are_offered_in_the_order_of_the_booklet() -> None:
    assert load("it").announcements.replays == (RIFARE, COMPLETARE, PER_IL_TUTTO)


# Who may, and when --------------------------------------------------------------------------------


@pytest.mark.rule("IT-rig-0")
def test_it_rig_0_the_croupier_replays_for_the_player_and_nobody_else_may() -> None:
    table = won("tiers", 10)
    assert refused(table, again(RIFARE, by="ben")).why is RefusalReason.NOT_OF_THIS_POST
    table.act(again(RIFARE, by="croupier-1"))
    assert table.state.announcements["b"].player == "ana"


@BOTH
@pytest.mark.rule("IT-rig-0")
@pytest.mark.parametrize("mode", list(Replay))
def test_it_rig_0_only_an_announcement_that_has_just_won_is_replayed(
    mode: Replay, winning: Winning
) -> None:
    lost = won("tiers", 17, winning)
    refusal = refused(lost, again(mode))
    assert (refusal.why, refusal.articles) == (RefusalReason.NOTHING_TO_REPLAY, ("IT-rig-0",))
    plain = opened("it", {"ana": 100})
    plain.stake("ana", "10/11:5", id="a")
    coup(plain, 10)
    assert refused(plain, again(mode)).why is RefusalReason.NOTHING_TO_REPLAY


@pytest.mark.rule("IT-rig-0")
def test_it_rig_0_a_replay_waits_for_the_end_of_the_payments_and_comes_before_the_close() -> None:
    table = opened("it", {"ana": 100})
    table.act(commands.Announce(by="ana", id="a", player="ana", call="tiers", amount=6))
    table.pocket(10)
    table.call()
    assert refused(table, again(RIFARE)).why is RefusalReason.BETTING_IS_CLOSED
    table.collect()
    assert refused(table, again(RIFARE)).why is RefusalReason.BETTING_IS_CLOSED
    table.pay()
    table.close()
    assert refused(table, again(RIFARE)).why is RefusalReason.BETTING_IS_CLOSED
    table.pocket(17)
    table.call()
    table.collect()
    assert refused(table, again(RIFARE)).why is RefusalReason.NOTHING_TO_REPLAY


@pytest.mark.rule("IT-rig-0")
@pytest.mark.parametrize("mode", list(Replay))
def test_it_rig_0_an_announcement_is_replayed_once(mode: Replay) -> None:
    table = won("tiers", 10)
    table.act(again(mode))
    assert refused(table, again(mode, new="c")).why is RefusalReason.NOTHING_TO_REPLAY


@BOTH
@pytest.mark.rule("IT-rig-1")
def test_it_rig_1_the_new_announcement_cannot_take_the_name_of_the_piece_that_stays(
    winning: Winning,
) -> None:
    table = won("tiers", 10, winning)
    assert refused(table, again(RIFARE, new="a")).why is RefusalReason.ID_IN_USE


@BOTH
@pytest.mark.rule("IT-rig-2", "IT-rig-3")
@pytest.mark.parametrize("mode", [COMPLETARE, PER_IL_TUTTO])
def test_it_rig_2_where_no_piece_stays_the_announcement_keeps_its_name(
    mode: Replay, winning: Winning
) -> None:
    table = won("tiers", 10, winning)
    table.act(again(mode, new="a"))
    assert table.state.announcements["a"].amount == table.state.on_cloth


@BOTH
@pytest.mark.rule("IT-rig-0")
def test_it_rig_0_under_a_name_used_anew_nothing_is_replayed(winning: Winning) -> None:
    table = won("tiers", 10, winning)
    if winning is Winning.CLOTH:
        table.act(commands.WithdrawStake(by="ana", id="a"))
    table.act(commands.Announce(by="ana", id="a", player="ana", call="tiers", amount=12))
    assert refused(table, again(COMPLETARE)).why is RefusalReason.NOTHING_TO_REPLAY
    assert table.state.on_cloth == 12


@pytest.mark.rule("IT-rig-1")
def test_it_rig_1_no_piece_is_laid_over_a_stake_of_its_name() -> None:
    table = won("tiers", 10)
    (winner,) = table.state.won["a"].winners
    table.stake("ana", "17:5", id=winner.stake.id)
    assert refused(table, again(RIFARE)).why is RefusalReason.ID_IN_USE
    table.stake("ben", "17:5", id="b/1")
    assert refused(table, again(COMPLETARE)).why is RefusalReason.ID_IN_USE
    wish = commands.Announce(by="ana", id="b", player="ana", call="tiers", amount=6)
    assert refused(table, wish).why is RefusalReason.ID_IN_USE
    table.act(again(COMPLETARE, new="c"))
    assert table.state.on_cloth == 5 + 5 + 6


@pytest.mark.rule("IT-rig-3", "IT-general-15b")
def test_it_rig_3_a_replay_must_keep_to_an_enforced_maximum() -> None:
    table = opened(
        "it",
        {"ana": 100},
        limits={"split": {"max": 2}, "street": {"max": 4}},
        limits_kept=LimitsKept.ENFORCED,
    )
    table.act(commands.Announce(by="ana", id="a", player="ana", call="tiers", amount=6))
    coup(table, 10)
    refusal = refused(table, again(PER_IL_TUTTO))
    assert (refusal.why, refusal.articles) == (RefusalReason.EXCEEDS_MAXIMUM, ("IT-general-15b",))
    table.act(again(RIFARE))


@pytest.mark.rule("IT-rig-1", "IT-general-15b")
@BOTH
def test_it_rig_1_the_piece_that_stays_counts_towards_the_maximum(winning: Winning) -> None:
    table = opened(
        "it",
        {"ana": 100},
        limits={"split": {"max": 1}},
        limits_kept=LimitsKept.ENFORCED,
        winning=winning,
    )
    table.act(commands.Announce(by="ana", id="a", player="ana", call="tiers", amount=6))
    coup(table, 10)
    assert refused(table, again(RIFARE)).why is RefusalReason.EXCEEDS_MAXIMUM
    table.act(again(COMPLETARE))
    assert table.state.on_cloth == 6


@pytest.mark.rule("IT-rig-1")
def test_it_rig_1_a_winning_piece_taken_in_hand_is_laid_again() -> None:
    table = won("tiers", 10, Winning.CLOTH)
    table.act(commands.WithdrawStake(by="ana", id="a"))
    table.act(again(RIFARE))
    assert (table.purse("ana") - 994, table.state.on_cloth) == (11, 7)


@BOTH
@pytest.mark.rule("IT-rig-0")
def test_it_rig_0_nobody_takes_a_replay_away_by_its_name(winning: Winning) -> None:
    table = won("tiers", 10, winning)
    (winner,) = table.state.won["a"].winners
    if winning is Winning.CLOTH:
        table.act(commands.WithdrawStake(by="ana", id="a"))
    for name in ("a", winner.stake.id):
        assert refused(table, place("ben", "red:5", id=name)).why is RefusalReason.ID_IN_USE
    wish = commands.Announce(by="ben", id="a", player="ben", call="tiers", amount=6)
    assert refused(table, wish).why is RefusalReason.ID_IN_USE
    table.act(again(RIFARE))
    assert table.state.on_cloth == 7


@pytest.mark.rule("IT-rig-2")
def test_it_rig_2_what_another_has_just_won_is_not_replayed_over() -> None:
    """Or one player's replay would lift the other's piece, and be paid for by nobody."""
    table = opened("it", {"ana": 1000, "ben": 60})
    table.act(commands.Announce(by="ana", id="a", player="ana", call="tiers", amount=60))
    table.act(commands.Announce(by="ben", id="c", player="ben", call="tiers", amount=60))
    coup(table, 10)
    assert refused(table, again(COMPLETARE, new="c")).why is RefusalReason.ID_IN_USE
    table.act(again(COMPLETARE, new="d"))
    table.stake("ben", "red:125")
    replay = again(COMPLETARE, by="ben", id="c", new="e")
    assert refused(table, replay).why is RefusalReason.EXCEEDS_PURSE
    assert {stake.player for stake in table.state.stakes.values() if stake.call} == {"ana"}


@pytest.mark.rule("IT-rig-0")
def test_it_rig_0_a_name_given_up_for_a_replay_is_replayed_no_more() -> None:
    table = opened("it", {"ana": 1000})
    for name in ("a", "c"):
        table.act(commands.Announce(by="ana", id=name, player="ana", call="tiers", amount=6))
    coup(table, 10)
    table.act(again(COMPLETARE, new="c"))
    assert refused(table, again(COMPLETARE, id="c", new="d")).why is RefusalReason.NOTHING_TO_REPLAY
    assert table.state.on_cloth == 6


@pytest.mark.rule("IT-general-4b")
def test_it_general_4b_a_collected_piece_keeps_its_name_until_all_is_paid() -> None:
    """A stake laid while winners are paid never becomes a piece of an announcement."""
    table = opened("it", {"ana": 100, "ben": 100})
    table.act(commands.Announce(by="ana", id="a", player="ana", call="tiers", amount=6))
    table.pocket(10)
    table.call()
    table.collect()
    for piece in (name for name in table.state.announcements["a"].pieces if name != "a/2"):
        assert refused(table, place("ben", "red:5", id=piece)).why is RefusalReason.ID_IN_USE
    table.stake("ben", "red:5", id="b")
    table.pay()
    assert (
        refused(table, commands.WithdrawStake(by="ana", id="a")).why is RefusalReason.NO_SUCH_STAKE
    )
    assert coup(table, 9).players["ben"].won == 5


@BOTH
@pytest.mark.rule("IT-general-11")
def test_it_general_11_the_piece_that_a_rifare_leaves_may_be_moved(winning: Winning) -> None:
    table = won("tiers", 10, winning)
    table.act(again(RIFARE))
    table.act(commands.MoveStake(by="ana", id="a/2", on="11/14"))
    assert lying(table)["11/14"] == 1
    assert refused(table, commands.MoveStake(by="ana", id="b/2", on="11/14")).why is (
        RefusalReason.PIECE_OF_AN_ANNOUNCEMENT
    )


@pytest.mark.rule("IT-rig-1", "IT-general-15b")
def test_it_rig_1_what_was_noticed_as_excess_is_not_played_again() -> None:
    table = opened("it", {"ana": 100}, limits={"split": {"max": 1}})
    table.act(commands.Announce(by="ana", id="a", player="ana", call="tiers", amount=12))
    table.notice("a")
    move = commands.MoveStake(by="ana", id="a/2", on="11/14")
    assert refused(table, move).why is RefusalReason.PIECE_OF_AN_ANNOUNCEMENT
    coup(table, 10)
    assert table.purse("ana") == 94 + 17 + 1
    table.act(again(COMPLETARE))
    assert (table.purse("ana"), table.state.on_cloth) == (106, 6)


@pytest.mark.rule("IT-rig-1", "IT-general-15b")
def test_it_rig_1_where_the_excess_left_no_whole_announcement_it_is_played_as_announced() -> None:
    table = opened("it", {"ana": 100}, limits={"street": {"max": 1}})
    table.act(commands.Announce(by="ana", id="a", player="ana", call="voisins", amount=9))
    table.notice("a")
    assert table.state.on_cloth == 8
    coup(table, 12)
    table.act(again(COMPLETARE))
    assert table.state.on_cloth == 9
