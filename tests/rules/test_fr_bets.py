"""France, French roulette, article 52: the combinations, what each wins, what each is called."""

from fractions import Fraction

import pytest

from novamas.drawing.layout import layout
from novamas.game.cloth import SPOTS
from novamas.game.house_words import Words
from novamas.rulebooks import load
from novamas.table import commands
from tests.rules.alike import (
    check_edges,
    check_loser,
    check_not_announced,
    check_not_on_the_cloth,
    check_simple_chance,
    check_winner,
)
from tests.rules.helpers import (
    SINGLE_SPOTS,
    case,
    coup,
    opened,
    settle_line,
    spots_offered,
)

rule = pytest.mark.rule


@pytest.mark.parametrize(
    ("bet", "out", "won"),
    [
        case("FR-52.a X-01", "0:2", 0, 70),
        case("FR-52.a", "36:1", 36, 35),
        case("FR-52.b AMB-FR-01", "0/3:10", 3, 170),
        case("FR-52.b", "17/20:10", 20, 170),
        case("FR-52.c AMB-FR-01", "0/1/2:3", 1, 33),
        case("FR-52.c AMB-FR-01", "0/2/3:3", 0, 33),
        case("FR-52.c", "16/18:10", 17, 110),
        case("FR-52.d", "0/1/2/3:10", 0, 80),
        case("FR-52.d", "25/29:10", 26, 80),
        case("FR-52.e", "31/36:6", 36, 30),
        case("FR-52.f1", "d3:10", 25, 20),
        case("FR-52.f2", "c2:10", 35, 20),
        case("FR-52.g", "d1+d2:100", 14, 50),
        case("FR-52.g", "c2+c3:100", 36, 50),
        case("FR-52.g X-03 AMB-X-03", "d1+d2:5", 14, 3),
        case("FR-52.g X-03 AMB-X-03", "d1+d2:1", 14, 1),
        case("FR-52.h", "even:10", 36, 10),
        case("FR-52.i", "low:10", 18, 10),
        case("FR-52.j", "red:10", 19, 10),
    ],
)
def test_fr_52_a_winner_is_paid_and_keeps_the_stake(bet: str, out: int, won: int) -> None:
    assert "FR-52.k" in check_winner("fr", out, bet, won).articles


@pytest.mark.parametrize(
    ("bet", "out"),
    [
        case("FR-52.a", "0:2", 1),
        case("FR-52.b", "0/3:10", 2),
        case("FR-52.c", "0/1/2:3", 3),
        case("FR-52.d", "0/1/2/3:10", 4),
        case("FR-52.e", "31/36:6", 30),
        case("FR-52.f1", "d3:10", 0),
        case("FR-52.f1", "d3:10", 24),
        case("FR-52.f2", "c2:10", 0),
        case("FR-52.f2", "c2:10", 34),
        case("FR-52.g", "d1+d2:100", 0),
        case("FR-52.g", "d1+d2:100", 25),
        case("FR-52.i", "low:10", 19),
        case("FR-52.h", "even:10", 35),
        case("FR-52.j", "red:10", 29),
    ],
)
def test_fr_52_a_loser_loses_the_whole_stake(bet: str, out: int) -> None:
    assert "FR-51.q" in check_loser("fr", out, bet).articles


@pytest.mark.parametrize(
    ("bet", "out", "articles"),
    [
        case("FR-52.a", "17", 17, ("FR-52.a",)),
        case("FR-52.b", "17/20", 17, ("FR-52.b",)),
        case("FR-52.b AMB-FR-01", "0/1", 0, ("FR-52.b", "AMB-FR-01")),
        case("FR-52.c", "16/18", 17, ("FR-52.c",)),
        case("FR-52.c AMB-FR-01", "0/2/3", 0, ("FR-52.c", "AMB-FR-01")),
        case("FR-52.d", "0/1/2/3", 0, ("FR-52.d",)),
        case("FR-52.e", "13/18", 17, ("FR-52.e",)),
        case("FR-52.f1", "d2", 17, ("FR-52.f1",)),
        case("FR-52.f2", "c2", 17, ("FR-52.f2",)),
        case("FR-52.g", "d1+d2", 17, ("FR-52.g",)),
    ],
)
def test_fr_52_every_payment_cites_its_article(
    bet: str, out: int, articles: tuple[str, ...]
) -> None:
    assert settle_line("fr", out, f"{bet}:2").articles == (*articles, "FR-52.k")


@pytest.mark.parametrize(
    ("chance", "out", "article"),
    [
        case("FR-52.h", "even", 18, "FR-52.h"),
        case("FR-52.h", "odd", 17, "FR-52.h"),
        case("FR-52.i", "low", 17, "FR-52.i"),
        case("FR-52.i", "high", 19, "FR-52.i"),
        case("FR-52.j", "red", 18, "FR-52.j"),
        case("FR-52.j", "black", 17, "FR-52.j"),
    ],
)
def test_fr_52_a_simple_chance_cites_the_article_that_names_it(
    chance: str, out: int, article: str
) -> None:
    assert settle_line("fr", out, f"{chance}:2").articles[0] == article


@pytest.mark.parametrize(
    ("chance", "first", "last", "loses"),
    [
        case("FR-52.h FR-51.b", "even", 2, 36, (1, 35, 0)),
        case("FR-52.h", "odd", 1, 35, (2, 36, 0)),
        case("FR-52.i", "low", 1, 18, (19, 36, 0)),
        case("FR-52.i", "high", 19, 36, (1, 18, 0)),
        case("FR-52.j FR-51.b", "red", 1, 36, (2, 29, 35, 0)),
        case("FR-52.j FR-51.b", "black", 2, 35, (1, 19, 36, 0)),
    ],
)
def test_fr_52_a_simple_chance_covers_eighteen_numbers_and_not_zero(
    chance: str, first: int, last: int, loses: tuple[int, ...]
) -> None:
    check_simple_chance("fr", chance, first=first, last=last, loses=loses)


@rule("FR-52.k", "X-01")
def test_fr_52_k_the_winner_of_a_plein_has_36_back() -> None:
    assert settle_line("fr", 17, "17:1").hand == 36


@rule("FR-52.k", "X-02")
def test_fr_52_k_the_winner_stays_on_the_cloth_unless_the_table_says_otherwise() -> None:
    assert load("fr").betting.winners_stay == "cloth"
    table = opened("fr", {"ana": 100}, winning="cloth")
    table.stake("ana", "17:10")
    assert coup(table, 17).of("ana").won == 350
    assert (table.purse("ana"), table.state.on_cloth) == (90 + 350, 10)
    table.act(commands.WithdrawStake(by="ana", id="s1"))
    assert table.purse("ana") == 100 + 350


# What can be played -------------------------------------------------------------------------------


@rule("FR-51.a", "AMB-FR-01", "AMB-FR-02")
def test_fr_52_the_cloth_has_every_spot_of_one_zero_and_four_places_across() -> None:
    assert spots_offered("fr") == {**SINGLE_SPOTS, "straddle": 4}


@pytest.mark.parametrize(
    ("name", "articles"),
    [
        case("FR-52.0", "3/4", ("FR-52.0",)),
        case("FR-52.0", "17/19", ("FR-52.0",)),
        case("FR-52.0", "37", ("FR-52.0",)),
        case("FR-52.0 FR-51.a", "00", ("FR-52.0",)),
        case("FR-52.0 FR-51.a", "0/00", ("FR-52.0",)),
        case("FR-52.0", "low+d3", ("FR-52.0", "FR-52.g", "AMB-FR-02")),
        case("FR-52.g AMB-FR-02", "d1+d3", ("FR-52.0", "FR-52.g", "AMB-FR-02")),
        case("FR-52.g AMB-FR-02", "c1+c3", ("FR-52.0", "FR-52.g", "AMB-FR-02")),
    ],
)
def test_fr_52_0_what_is_not_in_the_list_is_refused(name: str, articles: tuple[str, ...]) -> None:
    assert check_not_on_the_cloth("fr", name) == articles


@rule("FR-52.0", "AMB-FR-15")
@pytest.mark.parametrize("call", ["voisins", "tiers", "orphelins", "f4", "17~2"])
def test_fr_52_0_there_are_no_announcements(call: str) -> None:
    check_not_announced("fr", call, ("FR-52.0", "AMB-FR-15"))


@rule("FR-52.a", "FR-52.b", "FR-52.c", "FR-52.d", "FR-52.e", "FR-52.f1", "FR-52.f2", "FR-52.g")
def test_fr_52_every_multiple_chance_gives_the_house_one_in_37() -> None:
    check_edges("fr", of_multiples=Fraction(1, 37))


# The cloth as it is drawn, and its words ----------------------------------------------------------


@rule("FR-51.e", "FR-52.h", "FR-52.i", "FR-52.j")
def test_fr_52_the_simple_chances_lie_in_two_flanks() -> None:
    drawn = layout(load("fr"))
    flanks: dict[float, list[str]] = {0: [], 6: []}
    for name in ("low", "high", "red", "black", "even", "odd"):
        (box,) = drawn.boxes_of(SPOTS[name])
        assert box.rect.right == 0 or box.rect.left == 6, name
        flanks[0 if box.rect.right == 0 else 6].append(name)
    for names in flanks.values():
        names.sort(key=lambda each: drawn.boxes_of(SPOTS[each])[0].rect.top)
    assert flanks == {0: ["high", "even", "black"], 6: ["low", "odd", "red"]}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        case("FR-52.a", "straight", ["plein", "numéro plein"]),
        case("FR-52.b", "split", ["cheval"]),
        case("FR-52.c", "street", ["transversale"]),
        case("FR-52.d", "corner", ["carré"]),
        case("FR-52.e", "sixline", ["sixain"]),
        case("FR-52.f1", "dozen", ["douzaine"]),
        case("FR-52.f1", "d1", ["première douzaine", "douze premiers"]),
        case("FR-52.f1", "d2", ["deuxième douzaine", "douze milieu"]),
        case("FR-52.f1", "d3", ["troisième douzaine", "douze derniers"]),
        case("FR-52.f2", "column", ["colonne"]),
        case("FR-52.f2", "c1", ["première colonne"]),
        case("FR-52.f2", "c2", ["deuxième colonne"]),
        case("FR-52.f2", "c3", ["troisième colonne"]),
        case("FR-52.g", "straddle", ["à cheval"]),
        case("FR-52.g", "d1+d2", ["première et deuxième douzaines"]),
        case("FR-52.g", "d2+d3", ["deuxième et troisième douzaines"]),
        case("FR-52.g", "c1+c2", ["première et deuxième colonnes"]),
        case("FR-52.g", "c2+c3", ["deuxième et troisième colonnes"]),
        case("FR-52.h FR-52.i FR-52.j", "simple", ["chance simple"]),
        case("FR-52.h", "even", ["pair"]),
        case("FR-52.h", "odd", ["impair"]),
        case("FR-52.i", "low", ["manque"]),
        case("FR-52.i", "high", ["passe"]),
        case("FR-52.j", "red", ["rouge"]),
        case("FR-52.j", "black", ["noir"]),
        case("FR-51.a", "0", ["zéro"]),
    ],
)
def test_fr_52_the_combinations_are_called_as_the_house_calls_them(
    name: str, said: list[str]
) -> None:
    book = load("fr")
    assert list(book.words[name]) == said
    words = Words.of(book)
    assert {words[word] for word in said} == {name}
