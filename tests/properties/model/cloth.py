"""What the model plays with: the houses' cloths, odds and announcements."""

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
PAYS |= {"dozen": 2, "column": 2, "simple": 1}
MULTIPLES = ["straight", "split", "street", "corner", "sixline"]  # in the order of AR-14
REDUCED = {"sixline": 6, "street": 3, "corner": 4, "split": 2}  # in the order of AR-24
CAUSES = {
    "ar": {"ball_escaped", "object_in_wheel", "ball_out", "ball_stuck", "wheel_stopped"},
    "it": {"ball_escaped", "object_in_wheel", "ball_out", "ball_stuck", "wheel_stopped"},
    "es": {"ball_escaped", "object_in_wheel", "ball_out", "ball_stuck"},  # ES-G.9: a bad throw
    "bg": {"ball_escaped", "object_in_wheel", "ball_out"},
}
PER_IL_TUTTO = {"tiers": 3, "voisins": 2}


def spots_of(house: str) -> dict[str, tuple[str, set[int]]]:
    """Every spot of a house's cloth: its class, and the numbers it covers."""
    spots: dict[str, tuple[str, set[int]]] = {str(n): ("straight", {n}) for n in range(37)}
    for n in range(1, 37):
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
    for zero in ("0/1", "0/2", "0/3", "0/1/2", "0/2/3", "0/1/2/3"):
        numbers = {int(number) for number in zero.split("/")}
        spots[zero] = ({2: "split", 3: "street", 4: "corner"}[len(numbers)], numbers)
    for n in (1, 2, 3):
        spots[f"d{n}"] = ("dozen", set(range(12 * n - 11, 12 * n + 1)))
        spots[f"c{n}"] = ("column", set(range(n, 37, 3)))
    every = set(range(1, 37))
    even = set(range(2, 37, 2))
    chances = {"low": set(range(1, 19)), "high": set(range(19, 37)), "red": RED}
    chances |= {"black": every - RED, "even": even, "odd": every - even}
    spots |= {name: ("simple", numbers) for name, numbers in chances.items()}
    astride = {"ar": "d1+d2 d2+d3 c1+c2 c2+c3 low+d3", "es": "d1+d2 d2+d3 c1+c2 c2+c3"}
    for name in astride.get(house, "").split():
        one, other = name.split("+")
        spots[name] = (spots[one][0], spots[one][1] | spots[other][1])
    return spots


def calls_of(house: str) -> dict[str, list[str]]:
    """Every announcement of a house: the spots of its pieces."""
    if house not in ("it", "bg"):
        return {}
    calls = {name: pieces.split() for name, pieces in PIECES.items()}
    for at, number in enumerate(POCKETS):
        calls[f"{number}~2"] = [str(POCKETS[(at + step) % 37]) for step in range(-2, 3)]
    if house == "it":
        calls |= {name: pieces.split() for name, pieces in ITALIAN_PIECES.items()}
        for n in range(10):
            calls[f"f{n}"] = [str(number) for number in range(n, 37, 10)]
            pairs = [(number, number + 3) for number in range(n, 34, 10)]
            calls[f"f{n}/{n + 3}"] = [f"{one}/{other}" for one, other in pairs]
    return calls
