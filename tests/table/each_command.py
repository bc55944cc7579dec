"""One command of each kind, given by somebody who may give it."""

from collections.abc import Callable

from novamas.game.rulebook.behaviours import Act, Cause, Replay
from novamas.table import commands
from novamas.table.identity import MANAGEMENT
from tests.rules.helpers import Table, place

SAID: dict[type[commands.Command], Callable[[Table], commands.Command]] = {
    commands.TakePost: lambda table: commands.TakePost(by="newcomer", post=spare_post(table)),
    commands.LeavePost: lambda table: commands.LeavePost(by=next(iter(table.state.staff))),
    commands.OpenTable: lambda _: commands.OpenTable(by=MANAGEMENT),
    commands.Suspend: lambda _: commands.Suspend(by=MANAGEMENT),
    commands.Resume: lambda _: commands.Resume(by=MANAGEMENT),
    commands.ChangeLimits: lambda _: commands.ChangeLimits(
        by=MANAGEMENT, limits={"split": {"max": 50}}
    ),
    commands.ReopenTable: lambda _: commands.ReopenTable(
        by=MANAGEMENT, limits={"split": {"max": 50}}
    ),
    commands.InspectTable: lambda table: commands.InspectTable(
        by=table.state.who_may(Act.INSPECT_TABLE) or "nobody"
    ),
    commands.InspectBall: lambda table: commands.InspectBall(
        by=table.state.who_may(Act.INSPECT_BALL) or "nobody"
    ),
    commands.DeclareOrphan: lambda table: commands.DeclareOrphan(
        by=table.state.who_may(Act.DECLARE_ORPHAN) or "nobody", id="win"
    ),
    commands.AnnounceLastGames: lambda table: commands.AnnounceLastGames(
        by=table.state.who_may(Act.ANNOUNCE_LAST_GAMES) or "nobody"
    ),
    commands.CloseTable: lambda _: commands.CloseTable(by=MANAGEMENT),
    commands.Sit: lambda _: commands.Sit(by="eva"),
    commands.BuyChips: lambda table: commands.BuyChips(
        by=table.staff(Act.SELL_CHIPS), player="luis", amount=10
    ),
    commands.StepAway: lambda _: commands.StepAway(by="luis"),
    commands.ComeBack: lambda _: commands.ComeBack(by="luis"),
    commands.ClaimCustody: lambda table: commands.ClaimCustody(
        by=table.staff(Act.PAY), player="ana"
    ),
    commands.Leave: lambda _: commands.Leave(by="luis"),
    commands.PlaceStake: lambda _: place("luis", "32:10"),
    commands.Announce: lambda _: commands.Announce(
        by="luis", id="new", player="luis", call="tiers", amount=6
    ),
    commands.MoveStake: lambda _: commands.MoveStake(by="ana", id="win", on="32"),
    commands.WithdrawStake: lambda _: commands.WithdrawStake(by="ana", id="win"),
    commands.CorrectStake: lambda table: commands.CorrectStake(
        by=table.staff(Act.CORRECT), id="win", on="32"
    ),
    commands.OrderCorrection: lambda table: commands.OrderCorrection(
        by=table.state.who_may(Act.ORDER_CORRECTION) or "nobody", id="win", on="32"
    ),
    commands.ChooseAfterZero: lambda _: commands.ChooseAfterZero(
        by="ana", id="met-zero", choice=commands.Choice.HALF
    ),
    commands.ReplayAnnouncement: lambda _: commands.ReplayAnnouncement(
        by="ana", id="ann", mode=Replay.COMPLETARE, new_id="again"
    ),
    commands.LaunchBall: lambda table: commands.LaunchBall(by=table.staff(Act.LAUNCH_BALL)),
    commands.CloseBetting: lambda table: commands.CloseBetting(by=table.staff(Act.CLOSE_BETTING)),
    commands.GrantException: lambda table: commands.GrantException(
        by=table.state.who_may(Act.GRANT_EXCEPTION) or "nobody", player="luis"
    ),
    commands.NoticeExcess: lambda table: commands.NoticeExcess(
        by=table.state.who_may(Act.NOTICE_EXCESS) or "nobody", id="win"
    ),
    commands.VoidBall: lambda table: commands.VoidBall(
        by=table.staff(Act.VOID_BALL), cause=Cause.OBJECT_IN_WHEEL
    ),
    commands.PocketBall: lambda table: commands.PocketBall(
        by=table.staff(Act.POCKET_BALL), number=17
    ),
    commands.CallNumber: lambda table: commands.CallNumber(by=table.staff(Act.CALL_NUMBER)),
    commands.CorrectNumber: lambda table: commands.CorrectNumber(
        by=table.staff(Act.POCKET_BALL), number=20
    ),
    commands.SignNumber: lambda table: commands.SignNumber(
        by=table.staff(Act.SIGN_NUMBER), number=20
    ),
    commands.CollectLosers: lambda table: commands.CollectLosers(by=table.staff(Act.COLLECT)),
    commands.PayNext: lambda table: commands.PayNext(by=table.staff(Act.PAY)),
    commands.PayWinners: lambda table: commands.PayWinners(by=table.staff(Act.PAY)),
}


def spare_post(table: Table) -> str:
    """A post that may be taken besides those that must be held, if the house has one."""
    posts = table.state.book.posts.values()
    spare = [post for post in posts if post.at_most > len(table.state.posts_of(post.name))]
    return (spare or list(posts))[0].name
