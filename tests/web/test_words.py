"""Positions in commands: a table reads what the notation reads, and stores the plain name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from novamas.game.announcements import call_of
from novamas.game.cloth import SPOTS, SpotClass
from novamas.game.house_words import CLASSES, FINAL
from novamas.game.notation import Announced, parse_spot, spoken
from novamas.game.rulebook.model import Rulebook
from novamas.rulebooks import HOUSES, load, words
from tests.web.door import Door, Role, Signed, Socket, open_door, run

MONEY = 100_000


def spot_words(book: Rulebook) -> Iterator[tuple[str, str]]:
    """Every word of a house for a spot that it offers, with the spot's plain name."""
    for name, said in book.words.items():
        if name in SPOTS and book.offers(SPOTS[name]):
            yield from ((word, name) for word in said)
        elif name in CLASSES and name != FINAL:
            of_class = [spot for spot in book.terms if spot.kind is SpotClass(name)]
            for word in said:
                for spot in of_class[-2:]:
                    yield f"{word} {spot.name}", spot.name
    for spot in book.terms:
        yield spoken(book, spot), spot.name


def call_words(book: Rulebook) -> Iterator[tuple[str, str]]:
    """Every word of a house for an announcement that it takes, with its plain name."""
    for name, said in book.words.items():
        if name not in SPOTS and call_of(book, name) is not None:
            yield from ((word, name) for word in said)
    for name in book.announcements.calls:
        yield spoken(book, Announced(name)).upper(), name


async def seated(door: Door, house: str) -> Signed:
    """Somebody with chips at a table of the house."""
    await door.set_up("t", house)
    ana = door.session(Role.PLAYER, "ana")
    async with door.socket("t", ana) as socket:
        await socket.must("Sit")
        await socket.must("BuyChips", player="ana", amount=MONEY)
    return ana


async def laid_on(socket: Socket, on: str) -> str:
    """Lays a stake with these words, and takes it back; the spot that the event names."""
    answer = await socket.must("PlaceStake", id="b", player="ana", on=on, amount=10)
    event = (await socket.until(answer["seq"]))[-1]
    await socket.must("WithdrawStake", id="b")
    return str(event["data"]["on"])


@pytest.mark.parametrize("house", HOUSES)
@run
async def test_a_stake_may_be_laid_in_every_word_of_the_house(house: str) -> None:
    said = dict(spot_words(load(house)))
    assert len(said) > 100
    async with open_door() as door:
        ana = await seated(door, house)
        async with door.socket("t", ana) as socket:
            assert {word: await laid_on(socket, word) for word in said} == said


@pytest.mark.parametrize("house", [house for house in HOUSES if [*call_words(load(house))]])
@run
async def test_an_announcement_may_be_made_in_every_word_of_the_house(house: str) -> None:
    book = load(house)
    said = dict(call_words(book))
    found = {}
    async with open_door() as door:
        ana = await seated(door, house)
        async with door.socket("t", ana) as socket:
            for word, name in said.items():
                call = call_of(book, name)
                amount = 10 * len(call.pieces) if call is not None else 0
                fields = {"id": "a", "player": "ana", "call": word, "amount": amount}
                answer = await socket.must("Announce", **fields)
                event = (await socket.until(answer["seq"]))[-1]
                found[word] = event["data"]["call"]
                await socket.must("WithdrawStake", id="a")
    assert found == said


@pytest.mark.parametrize(
    ("house", "said", "plain"),
    [
        ("es", "rojo", "red"),
        ("es", "Rojo", "red"),
        ("ar", "rosso", "red"),
        ("ar", "línea 13/18", "13/18"),
        ("it", "colorado", "red"),
        ("it", "20/17", "17/20"),
        ("bg", "червено", "red"),
        ("bg", "25/26/28/29", "25/29"),
    ],
)
@run
async def test_a_table_reads_the_notation_in_any_houses_words(
    house: str, said: str, plain: str
) -> None:
    assert parse_spot(said, words()).name == plain
    async with open_door() as door:
        ana = await seated(door, house)
        async with door.socket("t", ana) as socket:
            assert await laid_on(socket, said) == plain


@run
async def test_a_stake_is_moved_in_the_words_of_the_house() -> None:
    async with open_door() as door:
        ana = await seated(door, "it")
        async with door.socket("t", ana) as socket:
            await socket.must("PlaceStake", id="b", player="ana", on="rosso", amount=10)
            await socket.must("MoveStake", id="b", on="nero")
            answer = await socket.must("MoveStake", id="b", on="Pari")
            (*_, before, after) = await socket.until(answer["seq"])
    assert (before["data"]["before"], before["data"]["on"]) == ("red", "black")
    assert (after["data"]["before"], after["data"]["on"]) == ("black", "even")


@pytest.mark.parametrize("said", ["rojizo", "17/22", "voisins", "", "x" * 900, "serie 5/8"])
@run
async def test_what_names_no_spot_is_refused_as_before(said: str) -> None:
    async with open_door() as door:
        ana = await seated(door, "it")
        async with door.socket("t", ana) as socket:
            fields = {"id": "b", "player": "ana", "on": said, "amount": 10}
            assert (await socket.give("PlaceStake", **fields))["why"] == "no_such_spot"


@run
async def test_a_command_under_the_same_id_in_other_words_is_another_command() -> None:
    async with open_door() as door:
        ana = await seated(door, "es")
        async with door.socket("t", ana) as socket:
            fields = {"id": "b", "player": "ana", "amount": 10}
            first = await socket.must("PlaceStake", under="c1", on="rojo", **fields)
            assert await socket.must("PlaceStake", under="c1", on="rojo", **fields) == first
            again = await socket.give("PlaceStake", under="c1", on="red", **fields)
    assert again["why"] == "id_reused"
