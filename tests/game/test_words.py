"""The words of the houses: all of them are understood, and none has two meanings."""

import dataclasses

import pytest

from novamas import rulebooks
from novamas.game import notation
from novamas.game.cloth import EUROPEAN, SPOTS, Spot, SpotClass
from novamas.game.house_words import CLASSES, FINAL
from novamas.game.notation import Announced, NotationError, Words, WordsError

# Every word of every house: the plain name, the words (the first is printed), the rules.
WORDS = {
    "ar": """
        straight | pleno                     | AR-4.a
        split    | semipleno                 | AR-4.a
        street   | calle                     | AR-4.a
        corner   | cuadro                    | AR-4.a
        sixline  | línea                     | AR-4.a
        dozen    | docena                    | AR-4.b
        column   | columna                   | AR-4.b
        simple   | chance simple             | AR-4.b
        straddle | a caballo                 | AR-11.a3
        low      | menor                     | AR-4.b AR-10.a
        high     | mayor                     | AR-4.b AR-10.b
        red      | colorado                  | AR-4.b AR-10.c
        black    | negro                     | AR-4.b AR-10.d
        even     | pares                     | AR-4.b AR-10.e
        odd      | nones                     | AR-4.b AR-10.f
        d1       | primera docena            | AR-11.a1
        d2       | segunda docena            | AR-11.a1
        d3       | tercera docena            | AR-11.a1
        c1       | primera columna           | AR-11.b1
        c2       | segunda columna           | AR-11.b1
        c3       | tercera columna           | AR-11.b1
        d1+d2    | primera y segunda docena  | AR-11.a3
        d2+d3    | segunda y tercera docena  | AR-11.a3
        c1+c2    | primera y segunda columna | AR-11.b3
        c2+c3    | segunda y tercera columna | AR-11.b3
        low+d3   | menor y tercera docena    | AR-17.b
        0/1/2/3  | cuadro del cero           | AR-7.d
    """,
    "es": """
        straight | pleno, número entero      | ES-7.1.a
        split    | pareja, caballo           | ES-7.1.b
        street   | fila transversal          | ES-7.1.c1
        corner   | cuadro                    | ES-7.1.d1
        sixline  | seisena, doble fila, doble fila transversal | ES-7.1.e
        dozen    | docena                    | ES-7.1.g
        column   | columna                   | ES-7.1.f
        simple   | suerte sencilla           | ES-7.2.a1
        straddle | a caballo                 | ES-7.1.h
        low      | falta                     | ES-7.2.a3
        high     | pasa                      | ES-7.2.a4
        red      | rojo                      | ES-7.2.a2
        black    | negro                     | ES-7.2.a2
        even     | par                       | ES-7.2.a1
        odd      | impar                     | ES-7.2.a1
        d1       | primera docena            | ES-7.1.g
        d2       | segunda docena            | ES-7.1.g
        d3       | tercera docena            | ES-7.1.g
        c1       | primera columna           | ES-7.1.f
        c2       | segunda columna           | ES-7.1.f
        c3       | tercera columna           | ES-7.1.f
        d1+d2    | primera y segunda docena  | ES-7.1.i
        d2+d3    | segunda y tercera docena  | ES-7.1.i
        c1+c2    | primera y segunda columna | ES-7.1.h
        c2+c3    | segunda y tercera columna | ES-7.1.h
        0/1/2/3  | cuatro primeros           | ES-7.1.d2
    """,
    "it": """
        straight | pieno, plein                      | IT-bet-1
        split    | cavallo, cheval                   | IT-bet-2
        street   | terzina, transversale pleine      | IT-bet-3
        corner   | carré                             | IT-bet-5
        sixline  | sestina, sixain                   | IT-bet-7
        dozen    | dozzina, douzaine                 | IT-bet-8
        column   | colonna, colonne                  | IT-bet-9
        simple   | chance semplice                   | IT-bet-10
        low      | manque                            | IT-bet-10
        high     | passe                             | IT-bet-10
        red      | rosso, rouge                      | IT-bet-12
        black    | nero, noir                        | IT-bet-12
        even     | pari, pair                        | IT-bet-11
        odd      | dispari, impair                   | IT-bet-11
        d1       | prima dozzina, douze premiers     | IT-bet-8
        d2       | dozzina di mezzo, douze milieu    | IT-bet-8
        d3       | ultima dozzina, douze derniers    | IT-bet-8
        c1       | colonna 34                        | IT-bet-9
        c2       | colonna 35                        | IT-bet-9
        c3       | colonna 36                        | IT-bet-9
        0/1/2/3  | quattro primi, quatre premiers    | IT-bet-6
        1/3      | tre primi, trois premiers         | IT-bet-3b
        34/36    | tre ultimi, trois derniers        | IT-bet-3b
        1/6      | sei primi, six premiers           | IT-bet-7b
        31/36    | sei ultimi, six derniers          | IT-bet-7b
        voisins  | vicini dello zero, vicini, voisins du zéro | IT-ann-1
        tiers    | serie 5/8, serie, tiers du cylindre        | IT-ann-2
        orphelins       | orfanelli                  | IT-ann-3
        orphelins-plein | orfanelli in pieno         | IT-sett-6
        nassa           | nassa                      | IT-ann-4
        zerospiel       | zero spiel                 | IT-ann-5
        final           | finale                     | IT-ann-7 IT-ann-8 IT-ann-9
    """,
    "bg": """
        straight  | стрейт, пълен номер, straight | BG-11
        split     | сплит, split                  | BG-12
        street    | стрийт, street                | BG-13
        corner    | корнер, corner                | BG-14
        sixline   | сикслайн, sixline, sixain     | BG-15
        dozen     | дузина                        | BG-16
        column    | колона                        | BG-16
        simple    | прост шанс                    | BG-17
        low       | 1–18, малки                   | BG-17
        high      | 19–36, големи                 | BG-17
        red       | червено                       | BG-17
        black     | черно                         | BG-17
        even      | четни, четно                  | BG-17
        odd       | нечетни, нечетно              | BG-17
        d1        | първа дузина                  | BG-16
        d2        | втора дузина                  | BG-16
        d3        | трета дузина                  | BG-16
        c1        | първа колона                  | BG-16
        c2        | втора колона                  | BG-16
        c3        | трета колона                  | BG-16
        voisins   | воазен де зиро, серия 0/2/3, voisins du zero, serie 0/2/3 | BG-19
        tiers     | тиер, серия 5/8, tiere, serie 5/8                         | BG-22
        orphelins | орфелини                      | BG-23
        zerospiel | зиро шпил, zero spiel         | BG-28a
    """,
}
ROWS = [
    (house, *(part.strip() for part in row.split("|")))
    for house, table in WORDS.items()
    for row in table.strip().splitlines()
]


def played(text: str, words: Words | None = None) -> str:
    """What a text means, as the notation prints it, whether spot or announcement."""
    (bet,) = notation.parse_bets(f"{text}:1", words)
    return notation.name_of(bet.what)


@pytest.mark.parametrize(
    ("house", "name", "said"),
    [pytest.param(*row[:3], marks=pytest.mark.rule(*row[3].split())) for row in ROWS],
)
def test_a_house_is_understood_in_its_own_words(house: str, name: str, said: str) -> None:
    book = rulebooks.load(house)
    words = Words.of(book)
    assert book.word(name) == said.split(", ", maxsplit=1)[0]
    for word in said.split(", "):
        written = word.replace(" ", "-")
        assert words[word] == words[written] == name
        if name == FINAL:
            assert played(f"{written}-4", words) == "f4"
            assert played(f"{written}-4", rulebooks.words()) == "f4"
            assert played(f"{written}-4/7", words) == "f4/7"
        elif name in CLASSES:
            example = EUROPEAN.of_class(SpotClass(name))[0].name
            assert played(f"{written}-{example}", words) == example
        else:
            assert played(written, words) == played(written.upper(), words) == name
            assert played(written, rulebooks.words()) == name


@pytest.mark.parametrize(
    "house",
    [
        pytest.param("ar", marks=pytest.mark.rule("AR-4.a", "AR-4.b")),
        pytest.param("es", marks=pytest.mark.rule(*(f"ES-7.2.a{n}" for n in (1, 2, 3, 4)))),
        pytest.param("it", marks=pytest.mark.rule("IT-ann-1")),
        pytest.param("bg", marks=pytest.mark.rule("BG-17")),
    ],
)
def test_a_house_says_these_words_and_no_others(house: str) -> None:
    listed = {name: tuple(said.split(", ")) for at, name, said, _ in ROWS if at == house}
    assert rulebooks.load(house).words == listed


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("linea-13/18", "13/18"),
        ("LÍNEA-13/18", "13/18"),
        ("carre-25/26/28/29", "25/29"),
        ("pleno-0", "0"),
        ("fila-transversal-16/18", "16/18"),
        ("пълен-номер-17", "17"),
        ("1-18", "low"),
        ("19–36", "high"),
        ("docena-3", "d3"),
        ("columna-1", "c1"),
        ("menor+tercera-docena", "low+d3"),
        ("a-caballo-segunda-docena+primera-docena", "d1+d2"),
        ("a-caballo-docena-1+docena-2", "d1+d2"),
        ("chance-simple-colorado", "red"),
        ("Voisins-du-zéro", "voisins"),
        ("voisins-du-zero", "voisins"),
        ("serie-5/8", "tiers"),
        ("serie-0/2/3", "voisins"),
        ("final-4", "f4"),
        ("final-7/4", "f4/7"),
    ],
)
def test_words_of_every_house(text: str, name: str) -> None:
    assert played(text, rulebooks.words()) == name


@pytest.mark.parametrize(
    ("house", "name", "said"),
    [
        ("ar", "17", "pleno 17"),
        ("ar", "17/20", "semipleno 17/20"),
        ("ar", "16/18", "calle 16/18"),
        ("ar", "red", "colorado"),
        ("ar", "d3", "tercera docena"),
        ("ar", "low+d3", "menor y tercera docena"),
        ("es", "13/18", "seisena 13/18"),
        ("es", "low+d3", "a caballo falta+tercera docena"),
        ("it", "17/20", "cavallo 17/20"),
        ("it", "1/3", "tre primi"),
        ("it", "4/6", "terzina 4/6"),
        ("it", "c1", "colonna 34"),
        ("it", "voisins", "vicini dello zero"),
        ("it", "f4/7", "finale 4/7"),
        ("it", "17~2", "17~2"),
        ("bg", "25/29", "корнер 25/29"),
        ("bg", "low", "1–18"),
        ("bg", "tiers", "тиер"),
    ],
)
def test_a_house_speaks_its_own_words(house: str, name: str, said: str) -> None:
    what: Spot | Announced = SPOTS[name] if name in SPOTS else Announced(name)
    assert notation.spoken(rulebooks.load(house), what) == said


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"red": ("rosso",), "black": ("Rósso",)}, "`Rósso` has two meanings: red in it and black"),
        ({"red": ("odd",)}, "`odd` has two meanings: odd in the notation and red in it"),
        ({"red": ("20/17",)}, "`20/17` has two meanings: red in it and 17/20 in the notation"),
        ({"red": ("17~2",)}, "`17~2` has two meanings: red in it and 17~2 in the notation"),
        (
            {"column": ("colonna",), "c1": ("colonna 2",)},
            "`colonna-2` has two meanings: c1 in it and c2 in the notation",
        ),
        ({"red": ("ros:so",)}, "it: 'ros:so' cannot be written as one word"),
        ({"green": ("verde",)}, "it: [words] green: no such spot, call or class"),
    ],
)
def test_a_book_whose_words_cannot_be_told_apart(
    words: dict[str, tuple[str, ...]], told: str
) -> None:
    with pytest.raises(WordsError) as caught:
        Words.of(dataclasses.replace(rulebooks.load("it"), words=words))
    assert told in str(caught.value)


def test_two_houses_cannot_mean_different_things_by_a_word() -> None:
    italian = rulebooks.load("it")
    other = dataclasses.replace(italian, id="fr", words={"black": ("rouge",)})
    with pytest.raises(WordsError, match="`rouge` has two meanings: red in it and black in fr"):
        Words.of(italian, other)


def test_a_house_may_have_announcements_of_its_own() -> None:
    book = rulebooks.load("it")
    call = dataclasses.replace(book.announcements.calls["nassa"], name="snake")
    calls = dataclasses.replace(book.announcements, calls={"snake": call})
    words = Words.of(dataclasses.replace(book, announcements=calls, words={"snake": ("biscia",)}))
    assert notation.parse_call("biscia", words) == Announced("snake")
    with pytest.raises(NotationError):
        notation.parse_call("biscia")


def test_a_house_without_a_word_says_the_plain_name() -> None:
    silent = dataclasses.replace(rulebooks.load("it"), words={})
    said = [notation.spoken(silent, SPOTS[name]) for name in ("17/20", "red", "d1+d2")]
    assert said == ["split 17/20", "red", "straddle d1+d2"]


def test_the_words_can_be_listed() -> None:
    words = rulebooks.words()
    listed = list(words)
    assert len(listed) == len(words)
    assert {"17/20", "voisins", "f4/7", "línea", "tre-primi", "1–18"} <= {*listed}
    assert all(word in words for word in listed)
    assert "verde" not in words


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("ted", "red"),
        ("primera docna", "primera-docena"),
        ("línia-13/18", "línea-13/18"),
        ("línia-13/19", ""),
        ("xyz", ""),
        ("x" * 1000, ""),
    ],
)
def test_the_word_nearest_to_a_mistake(word: str, near: str) -> None:
    assert rulebooks.words().near(word) == near
