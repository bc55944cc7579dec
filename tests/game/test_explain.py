"""Explanations word by word: what was once told wrongly, in the languages in which it was."""

from typing import Any

import pytest

from novamas.game.cloth import spot
from novamas.game.limits import Limits
from novamas.game.lines import Line
from novamas.game.rulebook.behaviours import ChipKind
from novamas.game.settlement import settle
from novamas.game.stakes import Prisoner, Stake
from novamas.rulebooks import load
from novamas.wording.explain import explain, explain_choice, explain_returned


def told(house: str, pocket: int, bets: str, language: str = "en", **more: Any) -> list[str]:
    """What is told of each of one player's stakes, in the order in which they were laid."""
    stakes = [
        Stake(f"b{place}", "anna", spot(name), int(amount), **more.pop(f"b{place}", {}))
        for place, (name, amount) in enumerate(bet.split(":") for bet in bets.split())
    ]
    if "limits" in more:
        more["limits"] = Limits.of({name: {"max": most} for name, most in more["limits"].items()})
    book = load(house)
    lines = sorted(settle(book, pocket, stakes, **more).lines, key=lambda line: line.stake.id)
    return [" ".join(explain(book, line, pocket, language=language).sentences) for line in lines]


def test_a_stake_wholly_above_the_maximum_is_not_said_to_lose() -> None:
    _, over = told("it", 17, "17:50 17:10", limits={"straight": 50})
    assert over == (
        "10 on pieno 17; 17 came up. The maximum on this spot was already reached. "
        "Over the maximum, returned: 10."
    )


def test_what_lies_above_a_maximum_is_told_once() -> None:
    assert told("it", 17, "17:60", limits={"straight": 50}) == [
        (
            "60 on pieno 17; 17 came up. It covers 17 and pays 35 to 1: 50 wins 1,750. "
            "Over the maximum, returned: 10. Stake returned: 50."
        )
    ]


def test_a_single_chip_that_zero_cannot_divide_is_told_without_nothings() -> None:
    assert told("it", 0, "red:4 red:1") == [
        "4 on rosso; 0 came up. Zero divides it. Returned: 2. To the bank: 2.",
        "1 on rosso; 0 came up. The odd chip waits in prison for the next spin: 1.",
    ]


def test_two_odd_chips_on_one_chance_are_divided_together() -> None:
    assert told("it", 0, "red:1 red:3", "it") == [
        (
            "1 su rosso; numero uscito: 0. Lo zero la divide insieme agli altri gettoni del "
            "giocatore su questa chance. Reso: 1."
        ),
        (
            "3 su rosso; numero uscito: 0. Lo zero la divide insieme agli altri gettoni del "
            "giocatore su questa chance. Reso: 1. Al banco: 2."
        ),
    ]


def test_what_is_less_than_a_chip_is_told_apart() -> None:
    value: Any = {"b0": {"chip": 10, "kind": ChipKind.VALUE}}
    assert told("it", 0, "red:23", **value) == [
        (
            "23 on rosso; 0 came up. Zero divides it. Returned: 10. To the bank: 10. "
            "Less than a chip is not divided; returned: 3."
        )
    ]


@pytest.mark.rule("ES-G.3", "ES-G.1")
def test_on_the_last_spin_a_prisoner_is_worth_a_quarter_and_not_half() -> None:
    book = load("es")
    prison = [Prisoner("b1", "ana", spot("red"), 80)]
    (line,) = settle(book, 0, [], prison=prison, last=True).lines
    assert " ".join(explain(book, line, 0, language="es").sentences) == (
        "80 en prisión a rojo; salió el 0. Otra vez cero, en la última jugada: su valor se reduce "
        "a la mitad y hay que retirar la mitad de lo que queda. Devuelto: 20. Para la banca: 60."
    )


def test_the_parts_of_a_cascade_and_what_is_left_of_it() -> None:
    limits = {"straight": 100, "split": 200, "street": 300, "corner": 400, "sixline": 600}
    assert told("ar", 17, "17:2000", "es", limits=limits) == [
        (
            "2.000 a pleno 17; salió el 17. "
            "Comprende el 17 y paga 35 a 1. Apuesta 100, ganancia 3.500. "
            "El excedente juega a semipleno, que paga 17 a 1: apuesta 200, ganancia 3.400. "
            "El excedente juega a calle, que paga 11 a 1: apuesta 300, ganancia 3.300. "
            "El excedente juega a cuadro, que paga 8 a 1: apuesta 400, ganancia 3.200. "
            "El excedente juega a línea, que paga 5 a 1: apuesta 600, ganancia 3.000. "
            "Por encima del máximo, se devuelve: 400. Apuesta devuelta: 1.600."
        )
    ]


def test_an_absent_winner_over_the_maximum_has_nothing_in_hand() -> None:
    away: Any = {"b0": {"away": True}}
    assert told("it", 19, "red:60", limits={"simple": 50}, **away) == [
        (
            "60 on rosso; 19 came up. It covers 19 and pays 1 to 1: 50 wins 50. "
            "Over the maximum, not played: 10. The player is away; left in play on the box: 50. "
            "Set aside: 60."
        )
    ]


def test_a_straddle_whose_half_wins() -> None:
    assert told("ar", 17, "d1+d2:6 low+d3:1", "es") == [
        (
            "6 a primera y segunda docena; salió el 17. Va a caballo de dos casillas, la mitad en "
            "cada una. En segunda docena, que paga 2 a 1: apuesta 3, ganancia 6. La otra mitad se "
            "pierde: 3. Apuesta devuelta: 3."
        ),
        (
            "1 a menor y tercera docena; salió el 17. Va a caballo de dos casillas, la mitad en "
            "cada una: lo que gana la mitad en menor lo pierde la otra. La fracción de unidad se "
            "redondea a favor del jugador. Apuesta devuelta: 1."
        ),
    ]


@pytest.mark.parametrize(
    ("language", "won", "lost"),
    [
        ("en", "It covers 8 and pays 35 to 1: 1 wins 35.", "It does not cover 8: 1 is lost."),
        (
            "es",
            "Comprende el 8 y paga 35 a 1. Apuesta 1, ganancia 35.",
            "No comprende el 8. Pérdida: 1.",
        ),
        (
            "it",
            "Copre il numero uscito e paga 35 volte la puntata: puntata 1, vincita 35.",
            "Non copre il numero 8. Perdita: 1.",
        ),
        (
            "fr",
            "La mise couvre le 8 et paie 35 fois\u00a0: mise 1, gain 35.",
            "Elle ne couvre pas le 8. Perte\u00a0: 1.",
        ),
        (
            "bg",
            "Залогът включва 8 и плаща 35 към 1: залог 1, печалба 35.",
            "Залогът не включва 8. Загуба: 1.",
        ),
    ],
)
def test_one_chip_is_told_as_well_as_many(language: str, won: str, lost: str) -> None:
    first, second = told("it", 8, "8:1 7:1", language)
    assert won in first
    assert second.endswith(lost)


@pytest.mark.parametrize(
    ("language", "even", "half"),
    [
        ("en", "pays 1 to 1", "pays 1 to 2"),
        ("es", "paga 1 a 1", "paga 1 a 2"),
        ("it", "paga una volta la puntata", "paga 1/2 della puntata"),
        ("fr", "paie 1 fois", "paie 1/2 de la mise"),
        ("bg", "плаща 1 към 1", "плаща 1 към 2"),
    ],
)
def test_odds_of_one_and_of_less_than_one(language: str, even: str, half: str) -> None:
    first, second = told("es", 5, "red:10 d1+d2:10", language)
    assert even in first
    assert half in second


def test_a_choice_of_an_odd_unit() -> None:
    book = load("es")
    line = Line(Prisoner("b1", "ana", spot("red"), 1), returned=1, articles=("ES-7.2.b2", "X-03"))
    assert explain_choice(book, line).sentences == (
        "The player took half.",
        "Returned: 1.",
        "Part of a unit is made whole in the player's favour.",
    )


def test_a_prisoner_of_a_table_that_closes() -> None:
    prisoner = Prisoner("b1", "ana", spot("red"), 80)
    sentences = explain_returned(load("es"), prisoner, 40, ("ES-G.3",)).sentences
    assert sentences == (
        "80 in prison on rojo; the table closes.",
        "Returned: 40.",
        "To the bank: 40.",
    )
