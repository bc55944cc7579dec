"""What is played where a house's text is silent, in every house that cites the reading."""

import pytest

from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import opened, place, refused


@pytest.mark.rule("NV-08")
@pytest.mark.parametrize("house", ["ar", "es", "bg"])
def test_nv_08_the_management_suspends_play_and_nothing_is_laid_meanwhile(house: str) -> None:
    table = opened(house, {"ana": 100})
    table.act(commands.Suspend(by=MANAGEMENT, reason="a fault in the wheel"))
    assert table.last(events.TableSuspended).articles == ("NV-08",)
    refusal = refused(table, place("ana", "17:10"))
    assert (refusal.why, refusal.articles) == (RefusalReason.TABLE_IS_SUSPENDED, ("NV-08",))


@pytest.mark.rule("NV-09")
@pytest.mark.parametrize("house", ["es", "bg"])
def test_nv_09_what_the_house_does_not_name_is_not_announced(house: str) -> None:
    wish = commands.Announce(by="ana", id="a", player="ana", call="nassa", amount=5)
    refusal = refused(opened(house, {"ana": 100}), wish)
    assert (refusal.why, refusal.articles) == (RefusalReason.ANNOUNCEMENT_NOT_TAKEN, ("NV-09",))
