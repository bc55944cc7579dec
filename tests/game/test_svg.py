"""The picture of the cloth: sound XML, the house's words, chips that can be told apart."""

import math
import re
import subprocess
from io import BytesIO
from itertools import combinations, pairwise
from pathlib import Path
from typing import cast
from xml.etree import ElementTree as ET

import pytest
from matplotlib.image import imread

from novamas import rulebooks
from novamas.drawing import look, svg_chips
from novamas.drawing.layout import NotOnClothError, layout, turned
from novamas.drawing.lettering import breadth, clean, label, short_amount
from novamas.drawing.svg import MARGIN, ClothPicture, Orientation, Pile, cloth_svg
from novamas.drawing.svg_print import View
from novamas.game.cloth import SIMPLE_CHANCES, Point, spot
from novamas.game.rulebook.behaviours import ChipKind
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket, written_order
from tests.more_zeros import HEADS, with_zeros

HOUSES = [pytest.param(rulebooks.load(id), id=id) for id in rulebooks.HOUSES]
HOUSES += [
    pytest.param(with_zeros(id, head), id=f"{id}-{head}") for id in ("ar", "bg") for head in HEADS
]
WAYS: tuple[Orientation, ...] = ("portrait", "landscape")
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert('1')</script>&\"]]>\x00\x1b[2J\u202eana\ud800\ufffe\n"


def stakes(book: Rulebook) -> list[Pile]:
    """A busy cloth: every class of spots, five players, small and large amounts."""
    laid = [
        ("17", 100, "ana", 5),
        ("17", 20, "luis", 10),
        ("17/20", 15, "ana", 5),
        ("16/18", 30, "bea", 10),
        ("25/29", 8, "marco", 2),
        ("0/1/2/3", 40, "luis", 10),
        ("31/36", 6, "иван", 1),
        ("red", 12_500, "ana", 50),
        ("red", 60, "marco", 10),
        ("d1", 90, "bea", 10),
        ("d1", 30, "ana", 5),
        ("c2", 45, "иван", 5),
    ]
    piles = [
        Pile(spot(name), amount, player, chip)
        for name, amount, player, chip in laid
        if book.offers(spot(name))
    ]
    straddles = [each for each in book.terms if each.boxes]
    return piles + [Pile(straddle, 50, "marco", 25) for straddle in straddles]


def parsed(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 - it is our own drawing.


def texts(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def of_kind(root: ET.Element, kind: str) -> list[ET.Element]:
    return [group for group in root.iter(f"{SVG}g") if group.get("class") == kind]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("book", HOUSES)
def test_the_drawing_is_sound_and_accessible(book: Rulebook, way: Orientation) -> None:
    root = parsed(cloth_svg(book, stakes(book), dolly=17, orientation=way))
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("role") == "img"
    assert title is not None
    assert title.text == book.title[book.language]
    assert desc is not None
    assert f"{book.word('split')} 17/20: ana 15 (3 × 5)" in str(desc.text)
    assert f"17 {book.word('black')}" in str(desc.text)
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("book", HOUSES)
def test_the_numbers_and_the_words_of_the_house_are_printed(
    book: Rulebook, way: Orientation
) -> None:
    printed = texts(parsed(cloth_svg(book, orientation=way)))
    written = sorted(book.wheel.pockets, key=written_order)
    assert printed[: len(written)] == [str(pocket) for pocket in written]
    for name in SIMPLE_CHANCES:
        assert book.word(name).upper() in printed
    for name in ("d1", "d2", "d3", "c1", "c2", "c3"):
        assert {part for part in label(book, spot(name)) if part} <= set(printed)


@pytest.mark.rule("IT-sett-1a")
def test_the_spaces_of_vicini_and_serie_hold_chips() -> None:
    book = rulebooks.load("it")
    calls = book.announcements.calls
    root = parsed(cloth_svg(book, [Pile(calls["voisins"], 9, "ana"), Pile(calls["tiers"], 6, "b")]))
    assert {"VICINI", "DELLO ZERO", "SERIE", "5/8"} <= set(texts(root))
    assert len(of_kind(root, "stack")) == 2
    with pytest.raises(NotOnClothError, match="orphelins"):
        cloth_svg(book, [Pile(calls["orphelins"], 5, "ana")])


@pytest.mark.parametrize("book", HOUSES)
def test_the_same_stakes_give_the_same_bytes(book: Rulebook) -> None:
    first = cloth_svg(book, stakes(book), dolly=0)
    assert first == cloth_svg(book, iter(stakes(book)), dolly=0)
    assert first != cloth_svg(book, stakes(book), dolly=1)


@pytest.mark.parametrize("book", HOUSES)
def test_nothing_is_fetched_and_every_reference_is_found(book: Rulebook) -> None:
    text = cloth_svg(book, stakes(book), dolly=17)
    root = parsed(text)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    pointed = re.findall(r'(?:href="#|url\(#)([^")]+)', text)
    assert set(pointed) <= set(ids)
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"href=\"[^#]|@import|url\((?!#)", text)


def test_two_pictures_on_one_page_do_not_borrow_from_each_other() -> None:
    book = rulebooks.load("ar")
    one = parsed(cloth_svg(book, [Pile(spot("1"), 1, "ana")]))
    other = parsed(cloth_svg(book, [Pile(spot("2"), 1, "ana")]))
    ids = [{e.get("id") for e in root.iter() if e.get("id")} for root in (one, other)]
    assert not ids[0] & ids[1]


@pytest.mark.parametrize("way", WAYS)
def test_hostile_names_are_only_text(way: Orientation) -> None:
    book = rulebooks.load("es")
    piles = [Pile(spot("17"), 5, HOSTILE), Pile(spot("18"), 5, "x" * 5_000)]
    text = cloth_svg(book, piles, prison=piles[:0], orientation=way, title=HOSTILE)
    root = parsed(text)
    assert not list(root.iter(f"{SVG}script"))
    assert "<script" not in text
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e\ufffe\ud800-\udfff]", text)
    assert "x" * 50 not in text
    assert any("alert" in str(title.text) for title in root.iter(f"{SVG}title"))


def test_a_name_is_cleaned_but_stays_readable() -> None:
    assert clean("Иван O'Higgins") == "Иван O'Higgins"
    assert clean("x" * 41) == "x" * 39 + "…"
    assert clean("a\u2028b") == "a\N{REPLACEMENT CHARACTER}b"


def test_each_pile_is_one_stack_that_says_whose_it_is() -> None:
    book = rulebooks.load("ar")
    root = parsed(cloth_svg(book, stakes(book)))
    stacks = of_kind(root, "stack")
    told = [str(cast("ET.Element", stack.find(f"{SVG}title")).text) for stack in stacks]
    assert len(stacks) == len(stakes(book))
    assert sum(text.startswith("colorado: ana 12500 (250 × 50)") for text in told) == 1


@pytest.mark.parametrize(("chips", "drawn"), [(1, 1), (3, 3), (4, 4), (7, 5), (250, 8)])
def test_a_stack_grows_with_its_chips(chips: int, drawn: int) -> None:
    root = parsed(cloth_svg(rulebooks.load("bg"), [Pile(spot("17"), 5 * chips, "ana", 5)]))
    (stack,) = of_kind(root, "stack")
    faces = [use.get("href", "") for use in stack.iter(f"{SVG}use")]
    assert len(faces) == drawn
    assert [face[-1] for face in faces] == ["e"] * (drawn - 1) + ["t"]
    assert str(5 * chips) in texts(stack)


def test_the_first_players_have_the_first_colours_on_every_spot() -> None:
    piles = [Pile(spot("1"), 1, "b"), Pile(spot("2"), 1, "a"), Pile(spot("3"), 1, "b")]
    root = parsed(cloth_svg(rulebooks.load("ar"), piles))
    faces = [
        str(next(stack.iter(f"{SVG}use")).get("href"))[-2:] for stack in of_kind(root, "stack")
    ]
    assert faces == ["0t", "1t", "0t"]


def test_players_on_one_spot_do_not_hide_each_other() -> None:
    for count in range(2, 31):
        fan = svg_chips.fan(count, reach=34)
        assert len(fan.places) == count
        assert all(math.hypot(*place) + fan.radius <= 34 + 1e-9 for place in fan.places)
        nearest = min(math.dist(one, other) for one, other in combinations(fan.places, 2))
        rise = fan.radius * look.RISE * (look.CROWDED - 1)
        assert nearest >= 2 * fan.radius + rise - 1e-9, count


def test_a_spot_with_two_points_uses_both() -> None:
    piles = [Pile(spot("d1"), 5, "a"), Pile(spot("d1"), 5, "b")]
    root = parsed(cloth_svg(rulebooks.load("ar"), piles))
    at = [str(stack.get("transform")) for stack in of_kind(root, "stack")]
    assert len(set(at)) == 2
    assert not any("scale" in each for each in at), "each has a box to itself"


def test_forty_players_differ_in_hue_or_edge_and_more_by_a_number() -> None:
    looks = [svg_chips.livery(seat) for seat in range(120)]
    assert len(set(looks)) == 120
    assert all(look.number == 0 for look in looks[:40])
    assert all(look.number > 1 for look in looks[40:])
    assert all(one.edge != other.edge for one, other in pairwise(looks[:10]))
    piles = [Pile(spot("17"), 5, f"p{seat}") for seat in range(41)]
    root = parsed(cloth_svg(rulebooks.load("ar"), piles))
    numbered = [stack for stack in of_kind(root, "stack") if texts(stack) == ["5", "2"]]
    assert len(numbered) == 1


def faces(root: ET.Element) -> list[str]:
    """Which chip lies on top of each stack: `p0` is the first player's own."""
    tops = (
        [str(use.get("href")) for use in stack.iter(f"{SVG}use")][-1]
        for stack in of_kind(root, "stack")
    )
    return [re.sub(r"#n[0-9a-f]{8}|t$", "", top) for top in tops]


@pytest.mark.rule("AR-3.b", "AR-3.a", "AR-2.c")
def test_ar_3_chance_chips_look_the_same_for_everybody() -> None:
    laid = [("17", "ana"), ("red", "ana"), ("red", "luis"), ("d1+d2", "luis"), ("17/20", "luis")]
    piles = [Pile(spot(on), 50, player, 10) for on, player in laid]
    root = parsed(cloth_svg(rulebooks.load("ar"), piles))
    looks = dict.fromkeys(faces(root))
    assert sorted(faces(root)) == ["chance", "chance", "chance", "p0", "p1"]
    assert set(looks) == {"chance", "p0", "p1"}
    told = {
        str(cast("ET.Element", stack.find(f"{SVG}title")).text) for stack in of_kind(root, "stack")
    }
    assert {"colorado: ana 50 (5 × 10)", "colorado: luis 50 (5 × 10)"} <= told, "each is told"
    in_italy = faces(parsed(cloth_svg(rulebooks.load("it"), piles[:3])))
    assert sorted(in_italy) == ["p0", "p0", "p1"], "there the chances are played with colours"


@pytest.mark.parametrize("id", ["es", "it", "bg"])
def test_value_chips_look_like_value_chips(id: str) -> None:
    book = rulebooks.load(id)
    piles = [
        Pile(spot("17"), 50, "ana", 10, ChipKind.VALUE),
        Pile(spot("red"), 50, "luis", 10, ChipKind.VALUE),
        Pile(spot("17"), 50, "ana", 10),
    ]
    root = parsed(cloth_svg(book, piles))
    assert sorted(faces(root)) == ["p0", "value", "value"]
    defined = {str(group.get("id"))[9:] for group in root.iter(f"{SVG}g") if group.get("id")}
    assert defined >= {"p0e", "p0t", "valuee", "valuet"}
    assert "p1e" not in defined, "nobody has chips of that colour there"
    assert "chancee" not in defined


def test_the_legend_shows_the_chips_that_lie_there() -> None:
    piles = [Pile(spot("red"), 5, "ana"), Pile(spot("17"), 5, "luis"), Pile(spot("red"), 5, "luis")]
    root = parsed(cloth_svg(rulebooks.load("ar"), piles))
    shown = [
        (re.sub(r"#n[0-9a-f]{8}", "", str(use.get("href"))), texts(group)[-1])
        for group in root.iter(f"{SVG}g")
        if (use := group.find(f"{SVG}use")) is not None and use.get("transform") == "scale(.8)"
    ]
    assert shown == [("chancet", "ana"), ("p1t", "luis")]


def test_chips_that_all_have_differ_from_every_colour_by_their_shape() -> None:
    for kind in svg_chips.COMMON:
        drawn = svg_chips.common_defs(kind, id="x")
        assert "stroke-dasharray" not in drawn, "no spots on the edge"
    for seat in range(40):
        assert "stroke-dasharray" in svg_chips.chip_defs(svg_chips.livery(seat), id="x")
    assert "<polygon" in svg_chips.common_defs(ChipKind.VALUE, id="x")
    # The middle of a chance chip is dark where that of every other is light, for every eye.
    for vision in VISIONS:
        assert seen(look.IVORY, vision)[0] - seen(look.CHANCE_INLAY, vision)[0] > 0.6


# What eyes without one of the three cones see, in linear light (Machado and others, 2009).
VISIONS = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no long": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no middle": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "no short": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def seen(hue: str, vision: str) -> tuple[float, ...]:
    """A colour in the even space of Oklab, as an eye of that kind sees it."""
    raw = [int(hue[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in raw]
    r, g, b = (
        min(1.0, max(0.0, sum(weight * c for weight, c in zip(row, linear, strict=True))))
        for row in VISIONS[vision]
    )
    long = math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    middle = math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    short = math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


@pytest.mark.parametrize("vision", VISIONS)
def test_the_ten_hues_stay_apart_for_every_eye(vision: str) -> None:
    # Two colours that differ by 0.02 are just told apart side by side; these by six times that.
    assert len(look.HUES) == 10
    for one, other in combinations(look.HUES, 2):
        assert math.dist(seen(one, vision), seen(other, vision)) > 0.12, (one, other)


@pytest.mark.parametrize("vision", VISIONS)
def test_red_and_black_numbers_differ_for_every_eye(vision: str) -> None:
    assert math.dist(seen("#c3262e", vision), seen("#15171a", vision)) > 0.2


@pytest.mark.rule("BG-8b", "IT-gioco-8c")
@pytest.mark.parametrize("number", [0, 17, 36])
def test_the_dolly_stands_on_the_winning_number(number: int) -> None:
    root = parsed(cloth_svg(rulebooks.load("bg"), dolly=number))
    (dolly,) = of_kind(root, "dolly")
    figure = next(t for t in root.iter(f"{SVG}text") if t.text == str(number))
    x, y = map(float, re.findall(r"[-\d.]+", str(dolly.get("transform")))[:2])
    assert abs(x - float(str(figure.get("x")))) < 40
    assert abs(y - float(str(figure.get("y")))) < 40
    assert not of_kind(parsed(cloth_svg(rulebooks.load("bg"))), "dolly")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("number", [0, "00"])
def test_with_two_zeros_the_dolly_stands_on_the_one_that_came_out(
    number: Pocket, way: Orientation
) -> None:
    root = parsed(cloth_svg(with_zeros("bg", "two"), dolly=number, orientation=way))
    (dolly,) = of_kind(root, "dolly")
    figures = {t.text: t for t in root.iter(f"{SVG}text") if t.text in ("0", "00")}
    x, y = map(float, re.findall(r"[-\d.]+", str(dolly.get("transform")))[:2])
    near = {
        text: math.dist((x, y), [float(str(figure.get(key))) for key in "xy"])
        for text, figure in figures.items()
    }
    assert min(near, key=near.__getitem__) == str(number)
    assert str(root.findtext(f"{SVG}desc")) == str(number)


@pytest.mark.parametrize(
    ("head", "numbers"), [("two", "0–36, 00; "), ("one-two", "0–36, 00, 000; ")]
)
def test_an_empty_cloth_says_which_numbers_it_has(head: str, numbers: str) -> None:
    assert str(parsed(cloth_svg(with_zeros("bg", head))).findtext(f"{SVG}desc")).startswith(numbers)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("house", ["ar", "bg"])
def test_a_zero_is_printed_within_its_box(house: str, head: str, way: Orientation) -> None:
    book = with_zeros(house, head)
    drawn = layout(book)
    turn = way == "landscape"
    corner = turned(Point(drawn.bounds.right, drawn.bounds.top)) if turn else drawn.bounds
    view = View(turn, Point(MARGIN - corner[0], MARGIN - corner[1]))
    printed = {t.text: t for t in parsed(cloth_svg(book, orientation=way)).iter(f"{SVG}text")}
    for zero in book.wheel.pockets.zeros:
        (box,) = drawn.boxes_of(spot(str(zero)))
        seen, text = view.rect(box.rect), printed[str(zero)]
        size, x, y = (float(str(text.get(key))) for key in ("font-size", "x", "y"))
        half = breadth(str(zero)) * size / 2
        assert size >= 16, "it can be read"
        assert seen.left < x - half < x + half < seen.right
        assert seen.top < y - 0.7 * size < y < seen.bottom


@pytest.mark.parametrize("head", HEADS)
def test_chips_at_the_head_do_not_hide_each_other(head: str) -> None:
    book = with_zeros("bg", head)
    piles = [Pile(offered, 5, "ana", 5) for offered in book.terms if offered.kind.on_numbers]
    places = []
    for stack in of_kind(parsed(cloth_svg(book, piles)), "stack"):
        x, y, *scale = map(float, re.findall(r"[-\d.]+", str(stack.get("transform"))))
        places.append((x, y, svg_chips.RADIUS * (scale[0] if scale else 1)))
    for (x, y, radius), (u, v, other) in combinations(places, 2):
        assert math.dist((x, y), (u, v)) >= radius + other - 1e-6


@pytest.mark.rule("IT-gioco-15a")
def test_stakes_in_prison_lie_on_their_line() -> None:
    book = rulebooks.load("it")
    held = [Pile(spot("red"), 1, "ana"), Pile(spot("red"), 1, "luis")]
    root = parsed(cloth_svg(book, prison=held))
    assert len(of_kind(root, "stack")) == 2
    with pytest.raises(NotOnClothError, match="prison"):
        cloth_svg(rulebooks.load("ar"), prison=held)


def test_what_cannot_be_drawn_is_refused() -> None:
    book = rulebooks.load("es")
    with pytest.raises(NotOnClothError, match=r"low\+d3"):
        cloth_svg(book, [Pile(spot("low+d3"), 5, "ana")])
    for amount in (0, -1, True):
        with pytest.raises(ValueError, match="whole amounts above zero"):
            cloth_svg(book, [Pile(spot("17"), amount, "ana")])
    with pytest.raises(ValueError, match="0 to 36"):
        cloth_svg(book, dolly=37)
    with pytest.raises(ValueError, match="portrait or landscape"):
        cloth_svg(book, orientation=cast("Orientation", "upside down"))


def test_a_cloth_shows_itself_in_a_notebook() -> None:
    book = rulebooks.load("it")
    picture = ClothPicture(book, stakes(book), dolly=17, orientation="landscape", title="Sera")
    assert picture._repr_svg_() == picture.svg()
    assert picture.svg() == cloth_svg(
        book, stakes(book), dolly=17, orientation="landscape", title="Sera"
    )
    assert "<title" in picture.svg()
    assert ">Sera</title>" in picture.svg()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("book", HOUSES)
def test_every_word_is_legible_and_fits_its_box(book: Rulebook, way: Orientation) -> None:
    root = parsed(cloth_svg(book, orientation=way))
    drawn = layout(book)
    turn = way == "landscape"
    corner = turned(Point(drawn.bounds.right, drawn.bounds.top)) if turn else drawn.bounds
    view = View(turn, Point(MARGIN - corner[0], MARGIN - corner[1]))
    boxes = [view.rect(box.rect) for box in drawn.boxes if not box.spot.kind.on_numbers]
    boxes += [view.rect(space.rect) for space in drawn.spaces]
    (words,) = of_kind(root, "words")
    for text in words.iter(f"{SVG}text"):
        size, x, y = (float(str(text.get(key))) for key in ("font-size", "x", "y"))
        word = str(text.text)
        assert size >= 9, f"{word} cannot be read"
        spaced = breadth(word) * size + float(text.get("letter-spacing", "0")) * len(word)
        (box,) = [each for each in boxes if each.contains(Point(x, y - size * 0.35))]
        assert box.left <= x - spaced / 2, word
        assert x + spaced / 2 <= box.right, word
        assert box.top < y - size * 0.7 < y < box.bottom, word


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        (1, "1"),
        (9_999, "9999"),
        (10_000, "10k"),
        (99_999, "99.9k"),
        (999_999, "999k"),
        (1_050_000, "1.05M"),
        (10**21, "1e21"),
    ],
)
def test_large_amounts_are_cut_to_fit_a_chip(amount: int, shown: str) -> None:
    assert short_amount(amount) == shown


@pytest.mark.program("rsvg-convert")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("book", HOUSES)
def test_the_drawing_can_be_rendered(book: Rulebook, way: Orientation, tmp_path: Path) -> None:
    text = cloth_svg(book, [Pile(spot("17"), 5, "ana")], orientation=way)
    file = tmp_path / "cloth.svg"
    file.write_text(text, "utf-8")
    png = subprocess.run(
        ["rsvg-convert", "--zoom=0.5", str(file)],  # noqa: S607 - it is wherever it is.
        capture_output=True,
        check=True,
        timeout=60,
    ).stdout
    image = imread(BytesIO(png))
    height, width, _ = image.shape
    root = parsed(text)
    assert abs(width - float(str(root.get("width"))) / 2) <= 1
    assert abs(height - float(str(root.get("height"))) / 2) <= 1

    def colour_at(x: float, y: float) -> tuple[float, float, float]:
        red, green, blue, _ = image[round(y / 2), round(x / 2)]
        return red, green, blue

    (stack,) = of_kind(root, "stack")
    x, y = map(float, re.findall(r"[-\d.]+", str(stack.get("transform")))[:2])
    red, green, blue = colour_at(x + 0.84 * svg_chips.RADIUS, y + 2)
    if book.chips.on_numbers[0] is ChipKind.VALUE:
        assert red > green > blue, "a value chip is gold"
    else:
        assert blue > green, "the first player's chip is blue at its edge"
    red, green, blue = colour_at(20, 20)
    assert green > red
    assert green > blue, "the baize is green"
    figure = next(t for t in root.iter(f"{SVG}text") if t.text == "3")
    x, y = float(str(figure.get("x"))), float(str(figure.get("y")))
    red, green, blue = colour_at(x, y + 12)
    assert red > 3 * green, "the third number stands on red"
