"""The notation: what is read, what is printed, and where a mistake is pointed at."""

import pytest

from novamas import rulebooks
from novamas.game import notation
from novamas.game.cloth import SPOTS
from novamas.game.notation import Announced, Bet, Coup, Hand, NotationError


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("0", "0", "straight"),
        ("17", "17", "straight"),
        ("0/1/2", "0/1/2", "street"),
        ("2/1/0", "0/1/2", "street"),
        ("0/2/3", "0/2/3", "street"),
        ("0/1/2/3", "0/1/2/3", "corner"),
        ("0/3", "0/3", "split"),
        ("17/21", "17/21", "corner"),
        ("C1", "c1", "column"),
        ("d3", "d3", "dozen"),
        (" Red ", "red", "simple"),
        ("d2+d1", "d1+d2", "straddle"),
        ("C3+c2", "c2+c3", "straddle"),
        ("d3+low", "low+d3", "straddle"),
        ("split-17/20", "17/20", "split"),
        ("dozen-3", "d3", "dozen"),
        ("column 2", "c2", "column"),
        ("dozen-1+dozen-2", "d1+d2", "straddle"),
    ],
)
def test_spots(text: str, name: str, kind: str) -> None:
    spot = notation.parse_spot(text)
    assert (spot.name, spot.kind) == (name, kind)


@pytest.mark.rule("IT-bet-2")
@pytest.mark.parametrize(
    "text", ["17/20", "20/17", "cavallo-20/17", "cheval-17/20", "Cavallo 17/20"]
)
def test_a_split_is_named_from_lower_to_higher(text: str) -> None:
    assert notation.parse_spot(text, rulebooks.words()) is SPOTS["17/20"]


@pytest.mark.parametrize(
    ("text", "name", "numbers"),
    [
        pytest.param("16/18", "16/18", {16, 17, 18}, marks=pytest.mark.rule("IT-bet-3")),
        pytest.param("18/17/16", "16/18", {16, 17, 18}, marks=pytest.mark.rule("IT-bet-3")),
        pytest.param("25/29", "25/29", {25, 26, 28, 29}, marks=pytest.mark.rule("IT-bet-5")),
        pytest.param("25/26/28/29", "25/29", {25, 26, 28, 29}, marks=pytest.mark.rule("IT-bet-5")),
        pytest.param("13/18", "13/18", set(range(13, 19)), marks=pytest.mark.rule("IT-bet-7")),
        pytest.param(
            "13/14/15/16/17/18", "13/18", set(range(13, 19)), marks=pytest.mark.rule("IT-bet-7")
        ),
        pytest.param("tre-primi", "1/3", {1, 2, 3}, marks=pytest.mark.rule("IT-bet-3b")),
        pytest.param("tre-ultimi", "34/36", {34, 35, 36}, marks=pytest.mark.rule("IT-bet-3b")),
        pytest.param("sei-primi", "1/6", set(range(1, 7)), marks=pytest.mark.rule("IT-bet-7b")),
        pytest.param(
            "sei-ultimi", "31/36", set(range(31, 37)), marks=pytest.mark.rule("IT-bet-7b")
        ),
        pytest.param(
            "dozzina-di-mezzo", "d2", set(range(13, 25)), marks=pytest.mark.rule("IT-bet-8")
        ),
        pytest.param("colonna-34", "c1", set(range(1, 37, 3)), marks=pytest.mark.rule("IT-bet-9")),
        pytest.param("quattro-primi", "0/1/2/3", {0, 1, 2, 3}, marks=pytest.mark.rule("IT-bet-6")),
        pytest.param(
            "cuatro-primeros", "0/1/2/3", {0, 1, 2, 3}, marks=pytest.mark.rule("ES-7.1.d2")
        ),
    ],
)
def test_first_and_last_number_stand_for_all(text: str, name: str, numbers: set[int]) -> None:
    spot = notation.parse_spot(text, rulebooks.words())
    assert spot.name == name
    assert set(spot.numbers) == numbers


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("voisins", "voisins"),
        ("TIERS", "tiers"),
        ("orphelins", "orphelins"),
        ("orphelins-plein", "orphelins-plein"),
        ("nassa", "nassa"),
        ("zerospiel", "zerospiel"),
        ("17~2", "17~2"),
        ("0~18", "0~18"),
        ("F4", "f4"),
        ("f9/8", "f8/9"),
        ("f4/7", "f4/7"),
        ("f9/12", "f9/12"),
    ],
)
def test_announcements(text: str, name: str) -> None:
    assert notation.parse_call(text) == Announced(name)


def test_bets() -> None:
    bets = notation.parse_bets("17:5 17/14:10\tRED:50  voisins:9")
    assert bets == (
        Bet(SPOTS["17"], 5),
        Bet(SPOTS["14/17"], 10),
        Bet(SPOTS["red"], 50),
        Bet(Announced("voisins"), 9),
    )
    assert notation.format_bets(bets) == "17:5 14/17:10 red:50 voisins:9"
    assert notation.parse_bets(" ") == ()
    assert notation.parse_bets(f"17:{10**15}")[0].amount == 10**15


@pytest.mark.parametrize("player", ["ana", "Ana", "josé", "Ñandú_2", "иван", "a", "o.b-c", "李雷"])
def test_hands(player: str) -> None:
    hand = notation.parse_hand(f" {player} 17:5 20/17:4 ")
    assert hand == Hand(player, (Bet(SPOTS["17"], 5), Bet(SPOTS["17/20"], 4)))
    assert notation.format_hand(hand) == f"{player} 17:5 17/20:4"


def test_one_name_is_one_player_however_its_accent_is_typed() -> None:
    assert notation.parse_hand("jose\u0301 17:5") == notation.parse_hand("jos\u00e9 17:5")


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("ar 17 | ana 17:5 14/17:10 red:50 | luis 17/20:4", None),
        ("ar 0", None),
        ("it - | ana tiers:6", None),
        ("AR 17|ana rojo:5|luis 20/17:4", "ar 17 | ana red:5 | luis 17/20:4"),
    ],
)
def test_coups(text: str, printed: str | None) -> None:
    coup = notation.parse_coup(text, rulebooks.words())
    assert notation.format_coup(coup) == (printed or text)


def test_a_coup_is_a_house_a_number_and_hands() -> None:
    coup = notation.parse_coup("ar 17 | ana 17:5")
    assert coup == Coup("ar", 17, (Hand("ana", (Bet(SPOTS["17"], 5),)),))
    assert notation.parse_coup("ar -").number is None


SPOT = "a spot such as `17/20`, `d1` or `red`"
CALL = "an announcement such as `voisins`, `17~2` or `f4`"
EITHER = f"{SPOT}, or {CALL}"
NUMBER = "a number from 0 to 36, or 00"
AMOUNT = "a whole amount in digits, such as `17:5`"
NAME = "a player's name: a letter, then letters, digits, `-`, `_` or `.`"
SIDE_BY_SIDE = "do not lie side by side: expected d1+d2, d2+d3 or low+d3"

MISTAKEN_BETS = [
    ("ted:5", 0, f"expected {EITHER}; did you mean `red`?"),
    ("17:5 rojjo:5", 5, f"expected {EITHER}; did you mean `rojo`?"),
    ("стриийт-16/18:5", 0, f"expected {EITHER}; did you mean `стрийт-16/18`?"),
    ("plno-17:5", 0, f"expected {EITHER}; did you mean `pleno-17`?"),
    ("?:5", 0, f"expected {EITHER}"),
    (":5", 0, f"expected {EITHER}"),
    ("1\u03367:5", 0, f"expected {EITHER}; did you mean `17`?"),
    ("١٧:5", 0, f"expected {EITHER}"),
    ("37:5", 0, f"expected {NUMBER}"),
    ("0000:5", 0, f"expected {NUMBER}"),
    ("07:5", 0, f"expected {NUMBER}"),
    ("17/37:5", 3, f"expected {NUMBER}"),
    ("17/:5", 3, f"expected {NUMBER}"),
    ("/17:5", 0, f"expected {NUMBER}"),
    ("17//20:5", 3, f"expected {NUMBER}"),
    ("17/17:5", 3, "17 stands twice: expected another number"),
    ("pleno:5", 5, "expected its numbers, such as `pleno-36`"),
    ("pleno-x:5", 6, "expected its numbers, such as `pleno-36`"),
    ("pleno-17/20:5", 6, "17/20 is a split: expected 17"),
    ("cuadro-17/20:5", 7, "17/20 is a split: expected 13/17, 14/18, 16/20 or 17/21"),
    ("línea-0:5", 6, "0 is a straight: expected another number: no sixline holds 0"),
    ("docena-4:5", 7, "expected d1, d2 or d3"),
    ("docena:5", 6, "expected d1, d2 or d3"),
    ("17~:5", 3, "expected how many neighbours on each side, 1 to 18"),
    ("17~0:5", 3, "expected how many neighbours on each side, 1 to 18"),
    ("17~19:5", 3, "expected how many neighbours on each side, 1 to 18"),
    ("37~2:5", 0, f"expected {NUMBER}"),
    ("red~2:5", 0, f"expected {NUMBER}"),
    ("f4/6:5", 1, "expected f4, f4/5 or f4/7"),
    ("final-4/6:5", 6, "expected f4, f4/5 or f4/7"),
    ("f10:5", 1, "expected a last digit, or two that touch: `f4`, `f8/9` or `f4/7`"),
    ("d1+d2+d3:5", 5, "expected two boxes, such as `d1+d2`"),
    ("d1+dd2:5", 3, "expected a dozen, a column or a simple chance; did you mean `d2`?"),
    ("17+d1:5", 0, "expected a dozen, a column or a simple chance"),
    ("low+red:5", 0, "low and red do not lie side by side: expected low+d3"),
    ("17", 2, f"expected `:` and {AMOUNT}"),
    ("17:", 3, f"expected {AMOUNT}"),
    ("17:5:5", 4, f"expected {AMOUNT}"),
    ("17:-5", 3, f"expected {AMOUNT}"),
    ("17:+5", 3, f"expected {AMOUNT}"),
    ("17:1.000", 4, f"expected {AMOUNT}"),
    ("17:1_000", 4, f"expected {AMOUNT}"),
    ("17:5,5", 4, f"expected {AMOUNT}"),
    ("17:５", 3, f"expected {AMOUNT}"),
    ("17:0", 3, f"an amount begins with a digit from 1 to 9: expected {AMOUNT}"),
    ("17:05", 3, f"an amount begins with a digit from 1 to 9: expected {AMOUNT}"),
    (f"17:{10**15 + 1}", 3, f"too much: expected at most {10**15}"),
    ("17:" + "9" * 5000, 3, f"too much: expected at most {10**15}"),
]


def check_mistake(mistake: NotationError, text: str, position: int, told: str) -> None:
    assert (mistake.text, mistake.position) == (text, position)
    assert str(mistake).splitlines()[-1] == told
    assert mistake.expected in told


@pytest.mark.parametrize(("text", "position", "told"), MISTAKEN_BETS)
def test_a_mistake_in_a_bet_is_pointed_at(text: str, position: int, told: str) -> None:
    with pytest.raises(NotationError) as caught:
        notation.parse_bets(text, rulebooks.words())
    check_mistake(caught.value, text, position, told)


@pytest.mark.parametrize(
    ("text", "position", "told"),
    [
        pytest.param(
            "17/22",
            3,
            "17 and 22 do not touch: expected 14/17, 16/17, 17/18, 17/20 or 17/21",
            marks=pytest.mark.rule("AR-6.b"),
        ),
        # As first and last number 17/21 is a corner; as a split it does not exist.
        pytest.param(
            "semipleno-17/21",
            13,
            "17 and 21 do not touch: expected 14/17, 16/17, 17/18 or 17/20",
            marks=pytest.mark.rule("AR-6.b"),
        ),
        pytest.param(
            "3/4",
            2,
            "3 and 4 do not touch: expected 0/3, 2/3 or 3/6",
            marks=pytest.mark.rule("AR-6.b"),
        ),
        pytest.param(
            "3/4/6/7",
            0,
            "these numbers make no spot: expected 0/3, 2/3 or 3/6",
            marks=pytest.mark.rule("AR-7.b"),
        ),
        pytest.param(
            "calle-17/18/19",
            6,
            "these numbers make no street: expected 16/18",
            marks=pytest.mark.rule("AR-8.b"),
        ),
        pytest.param(
            "línea-0/1/2/3",
            6,
            "0/1/2/3 is a corner: expected another number: no sixline holds 0",
            marks=pytest.mark.rule("AR-9.c"),
        ),
        pytest.param(
            "d1+d3", 0, f"d1 and d3 {SIDE_BY_SIDE}", marks=pytest.mark.rule("AR-11.a4", "AMB-ES-13")
        ),
        pytest.param(
            "primera-docena+tercera-docena",
            0,
            f"d1 and d3 {SIDE_BY_SIDE}",
            marks=pytest.mark.rule("AR-11.a4", "AMB-ES-13"),
        ),
        pytest.param(
            "a-caballo-c1+c3",
            10,
            "c1 and c3 do not lie side by side: expected c1+c2 or c2+c3",
            marks=pytest.mark.rule("AR-11.b3", "AMB-ES-13"),
        ),
        pytest.param(
            "red+black",
            0,
            "red and black do not lie side by side: expected d1+d2, d2+d3, c1+c2, c2+c3 or low+d3",
            marks=pytest.mark.rule("AMB-AR-17b"),
        ),
        ("voisins", 0, f"voisins is an announcement: expected {SPOT}"),
        (" serie ", 1, f"tiers is an announcement: expected {SPOT}"),
        ("ted", 0, f"expected {SPOT}; did you mean `red`?"),
        ("", 0, f"expected {SPOT}"),
    ],
)
def test_a_mistaken_spot_is_pointed_at(text: str, position: int, told: str) -> None:
    with pytest.raises(NotationError) as caught:
        notation.parse_spot(text, rulebooks.words())
    check_mistake(caught.value, text, position, told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("red", f"red is a spot: expected {CALL}"),
        ("voisin", f"expected {CALL}; did you mean `voisins`?"),
    ],
)
def test_a_mistaken_call_is_pointed_at(text: str, told: str) -> None:
    with pytest.raises(NotationError) as caught:
        notation.parse_call(text)
    check_mistake(caught.value, text, 0, told)


@pytest.mark.parametrize(
    ("text", "position", "told"),
    [
        ("", 0, f"expected {NAME}"),
        ("17:5", 0, f"expected {NAME}"),
        ("red:5 17:5", 0, f"expected {NAME}"),
        ("1ana 17:5", 0, f"expected {NAME}"),
        ("an;a 17:5", 2, f"expected {NAME}"),
        ("ana", 3, "expected a bet such as `17:5`"),
        ("ana 17:5 ted:5", 9, f"expected {EITHER}; did you mean `red`?"),
    ],
)
def test_a_mistaken_hand_is_pointed_at(text: str, position: int, told: str) -> None:
    with pytest.raises(NotationError) as caught:
        notation.parse_hand(text)
    check_mistake(caught.value, text, position, told)


@pytest.mark.parametrize(
    ("text", "position", "told"),
    [
        ("", 0, "expected the id of a house, such as `ar`"),
        ("a-r 17", 0, "expected the id of a house, such as `ar`"),
        ("ar", 2, f"expected {NUMBER}, or `-` before it is out"),
        ("ar 37", 3, f"expected {NUMBER}, or `-` before it is out"),
        ("ar 17/20", 3, f"expected {NUMBER}, or `-` before it is out"),
        ("ar 17 ana 17:5", 6, "expected `|` and a player's hand"),
        ("ar 17 |", 7, f"expected {NAME}"),
        ("ar 17 | | ana 17:5", 8, f"expected {NAME}"),
        ("ar 17 | ana", 11, "expected a bet such as `17:5`"),
        ("ar 17 | ana 17:5 | luis 17/22:4", 27, "17 and 22 do not touch"),
    ],
)
def test_a_mistaken_coup_is_pointed_at(text: str, position: int, told: str) -> None:
    with pytest.raises(NotationError) as caught:
        notation.parse_coup(text)
    assert caught.value.position == position
    assert str(caught.value).splitlines()[-1].startswith(told)


@pytest.mark.parametrize(
    ("text", "shown", "caret"),
    [
        ("17:5 ted:5", "17:5 ted:5", 5),
        ("17:5\n\tted:5", "17:5  ted:5", 6),
        ("17:5 \x00ted:5", "17:5 \ufffdted:5", 5),
        ("jose\u0301:5", "jose\u0301:5", 0),
        ("\ud800:5", "\ufffd:5", 0),
        ("17:5 " * 40 + "ted:5", "…" + "17:5 " * 10 + "ted:5", 51),
        ("ted:5" + " 17:5" * 40, ("ted:5" + " 17:5" * 40)[:76] + "…", 0),
    ],
)
def test_the_caret_stands_under_the_mistake(text: str, shown: str, caret: int) -> None:
    with pytest.raises(NotationError) as caught:
        notation.parse_bets(text)
    line, pointer, _ = str(caught.value).split("\n")
    assert line == shown
    assert pointer == " " * caret + "^"


def test_the_caret_counts_what_a_terminal_shows() -> None:
    # A wide letter takes two places, and an accent typed by itself takes none.
    for player, width in (("李雷", 4), ("jose\u0301", 4)):
        with pytest.raises(NotationError) as caught:
            notation.parse_hand(f"{player} ted:5")
        assert str(caught.value).split("\n")[1] == " " * (width + 1) + "^"


@pytest.mark.parametrize("amount", [0, -5, True, 2.0, 10**15 + 1])
def test_no_bet_without_a_whole_amount(amount: int) -> None:
    with pytest.raises(ValueError, match="expected an amount from 1 to"):
        Bet(SPOTS["17"], amount)


def test_what_could_not_be_read_back_cannot_be_made() -> None:
    bets = (Bet(SPOTS["17"], 5),)
    with pytest.raises(ValueError, match="a player's name"):
        Hand("17", bets)
    with pytest.raises(ValueError, match="ana has no bets"):
        Hand("ana", ())
    with pytest.raises(ValueError, match="no id of a house"):
        Coup("a|r", 17, ())
    with pytest.raises(ValueError, match="no number of the wheel"):
        Coup("ar", 37, ())
    for name in ("", "17/20", "vicini dello zero"):
        with pytest.raises(ValueError, match="no name of an announcement"):
            Announced(name)
