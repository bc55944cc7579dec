"""What the model plays with: the houses' cloths, odds and announcements."""

from functools import cache

from tests.properties.model.houses import ASTRIDE, TWO_ZEROS

Pocket = int | str
"""A number of a wheel; the second zero is the text "00"."""

WHEEL = (
    "0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 "
    "35 3 26"
)
POCKETS = [int(pocket) for pocket in WHEEL.split()]
RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
PIECES = {
    "voisins": "0/2/3 0/2/3 25/29 25/29 4/7 12/15 18/21 19/22 32/35",
    "tiers": "5/8 10/11 13/16 23/24 27/30 33/36",
    "orphelins": "1 6/9 14/17 17/20 31/34",
    "zerospiel": "0/3 12/15 26 32/35",
}
ITALIAN_PIECES = {
    "orphelins-plein": "1 6 9 14 17 20 31 34",
    "nassa": "0/3 12/15 19 26 32/35",
    "f0/1": "0/1 10/11 20/21 30 31",
    "f1/2": "1/2 11/12 21 22 31/32",
    "f2/3": "2/3 12 13 22/23 32/33",
    "f4/5": "4/5 14/15 24 25 34/35",
    "f5/6": "5/6 15 16 25/26 35/36",
    "f7/8": "7/8 17/18 27 28",
    "f8/9": "8/9 18 19 28/29",
}
PAYS = {"straight": 35, "split": 17, "street": 11, "corner": 8, "sixline": 5}
PAYS |= {"five": 6, "dozen": 2, "column": 2, "simple": 1}
DOWN = ["straight", "split", "street", "corner", "sixline"]  # in the order of AR-14
MULTIPLES = [*DOWN, "five"]
REDUCED = {"sixline": 6, "street": 3, "corner": 4, "split": 2}  # in the order of AR-24
PER_IL_TUTTO = {"tiers": 3, "voisins": 2}
ONE_ZERO_SPOTS = "0 0/1 0/2 0/3 0/1/2 0/2/3 0/1/2/3"
TWO_ZERO_SPOTS = "0 00 0/00 0/1 0/2 00/2 00/3 0/1/2 0/00/2 00/2/3 0/00/1/2/3"
HEADS = ["straight", "split", "street", "corner", "five"]
"""The classes of the spots with a zero, by how many numbers they cover."""


def in_order(pockets: set[Pocket]) -> list[Pocket]:
    """Pockets in the order of their numbers, the second zero after the first."""
    return sorted(pockets, key=lambda pocket: 0.5 if pocket == "00" else float(pocket))


def pocket_of(name: str) -> Pocket:
    """The pocket that a spot names."""
    return name if name == "00" else int(name)


def pockets_of(house: str) -> list[Pocket]:
    """The numbers of a house's wheel."""
    return [*POCKETS, "00"] if house in TWO_ZEROS else list(POCKETS)


@cache
def spots_of(house: str) -> dict[str, tuple[str, set[Pocket]]]:
    """Every spot of a house's cloth: its class, and the numbers it covers."""
    spots: dict[str, tuple[str, set[Pocket]]] = {}
    for name in (TWO_ZERO_SPOTS if house in TWO_ZEROS else ONE_ZERO_SPOTS).split():
        numbers = [pocket_of(number) for number in name.split("/")]
        spots[name] = (HEADS[len(numbers) - 1], set(numbers))
    for n in range(1, 37):
        spots[str(n)] = ("straight", {n})
        if n % 3:
            spots[f"{n}/{n + 1}"] = ("split", {n, n + 1})
        if n <= 33:
            spots[f"{n}/{n + 3}"] = ("split", {n, n + 3})
        if n % 3 and n <= 32:
            spots[f"{n}/{n + 4}"] = ("corner", {n, n + 1, n + 3, n + 4})
        if n % 3 == 1:
            spots[f"{n}/{n + 2}"] = ("street", {n, n + 1, n + 2})
        if n % 3 == 1 and n <= 31:
            spots[f"{n}/{n + 5}"] = ("sixline", set(range(n, n + 6)))
    for n in (1, 2, 3):
        spots[f"d{n}"] = ("dozen", set(range(12 * n - 11, 12 * n + 1)))
        spots[f"c{n}"] = ("column", set(range(n, 37, 3)))
    chances: dict[str, set[Pocket]] = {"low": set(range(1, 19)), "high": set(range(19, 37))}
    chances |= {"even": set(range(2, 37, 2)), "odd": set(range(1, 37, 2))}
    chances |= {"red": set(RED), "black": {n for n in range(1, 37) if n not in RED}}
    spots |= {name: ("simple", numbers) for name, numbers in chances.items()}
    for name in ASTRIDE.get(house, "").split():
        one, other = name.split("+")
        spots[name] = (spots[one][0], spots[one][1] | spots[other][1])
    return spots


@cache
def calls_of(house: str) -> dict[str, list[str]]:
    """Every announcement of a house: the spots of its pieces."""
    if house not in ("it", "bg", "fran"):
        return {}
    calls = {name: pieces.split() for name, pieces in PIECES.items()}
    if house == "fran":  # AMB-FRAN-04
        del calls["zerospiel"]
    for at, number in enumerate(POCKETS):
        calls[f"{number}~2"] = [str(POCKETS[(at + step) % 37]) for step in range(-2, 3)]
    if house in ("it", "fran"):
        for n in range(10):
            calls[f"f{n}"] = [str(number) for number in range(n, 37, 10)]
    if house == "it":
        calls |= {name: pieces.split() for name, pieces in ITALIAN_PIECES.items()}
        for n in range(10):
            pairs = [(number, number + 3) for number in range(n, 34, 10)]
            calls[f"f{n}/{n + 3}"] = [f"{one}/{other}" for one, other in pairs]
    return calls
