"""`novamas tell`: one command to a table of a house that runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import bad, good, novamas
from tests.web.serving import Served, served

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def token(house: Served, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("tokens") / "ana.token"
    path.write_text(f"Authorization: Bearer {house.guest('ana')}\n")
    return str(path)


def test_a_command_is_given_once_and_answered(house: Served, token: str) -> None:
    said = good("tell", house.url, "bg", "Sit", "--token", token, "--id", "one")
    assert said.startswith("bg: Sit is done, event ")
    assert good("tell", house.url, "bg", "Sit", "--token", token, "--id", "one") == said
    fields = ("player=ana", "amount=1000")
    told = json.loads(
        good("tell", f"{house.url}/", "bg", "BuyChips", *fields, "--token", token, "--json")
    )
    assert told["accepted"] is True
    assert told["why"] is None


def test_a_refusal_is_told_with_its_reason(house: Served, token: str) -> None:
    stake = ("id=s", "player=luis", "on=17", "amount=100")
    ran = novamas("tell", house.url, "bg", "PlaceStake", *stake, "--token", token)
    assert ran.code == 1
    assert ran.out == ""
    assert "PlaceStake was refused: not_seated\n  luis has no seat at this table" in ran.err
    ran = novamas("tell", house.url, "bg", "PlaceStake", *stake, "--token", token, "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["why"] == "not_seated"


def test_what_is_no_token_and_no_house_is_told(house: Served, token: str, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("two words\n")
    assert f"--token {other}: there is no token in it" in bad(
        "tell", house.url, "bg", "Sit", "--token", str(other)
    )
    none = str(tmp_path / "none")
    assert f"--token {none}: No such file" in bad("tell", house.url, "bg", "Sit", "--token", none)
    other.write_text("nobodys-token")
    assert "the house refuses the connection" in bad(
        "tell", house.url, "bg", "Sit", "--token", str(other)
    )
    assert "the house refuses the connection" in bad(
        "tell", house.url, "ghost", "Sit", "--token", token
    )
    ran = novamas("tell", "http://127.0.0.1:1", "bg", "Sit", "--token", token)
    assert ran.code == 1
    assert "does the house run there?" in ran.err
    assert "is not the address of a house" in bad("tell", "house", "bg", "Sit", "--token", token)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("Sitt",), "there is no command 'Sitt'\n  did you mean Sit"),
        (("BuyChips",), "BuyChips: player, amount is missing"),
        (("BuyChips", "money=5"), "BuyChips: 'money=5' is not one of its fields"),
        (("BuyChips", "amount"), "BuyChips: 'amount' is not one of its fields"),
        (("Sit", "by=luis"), "Sit: 'by=luis' is not one of its fields\n  its fields: none"),
        (("BuyChips", "player=ana", "amount=much"), "BuyChips: Expected `int`, got `str`"),
        (("LaunchBall",), "LaunchBall at bg: do: LaunchBall is not for a player"),
    ],
)
def test_a_command_that_is_none_is_told(
    house: Served, token: str, typed: tuple[str, ...], told: str
) -> None:
    assert told in bad("tell", house.url, "bg", *typed, "--token", token)
