"""France, English roulette, article 55-10: tips in colour chips."""

import pytest

from novamas.house.table.commands import GiveTip
from novamas.table import commands
from novamas.table.accounts import TIPS
from tests.web.door import open_door, run


@pytest.mark.rule("FRAN-55-10.zz")
@run
async def test_fran_55_10_zz_a_tip_of_three_chips_of_10_is_30_in_value() -> None:
    async with open_door() as door:
        await door.set_up("t", "fran")
        await door.must("t", commands.Sit(by="ana"))
        sale = commands.BuyChips(by="croupier 1", player="ana", amount=100, chip=10)
        await door.must("t", sale)
        await door.must("t", GiveTip(by="ana", amount=30))
        player = door.house.tables["t"].house_table.state.players["ana"]
        assert (player.purse, player.chip) == (70, 10)
        assert door.house.store.balances("t")[TIPS] == 30
