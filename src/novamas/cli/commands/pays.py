"""`novamas pays`: the table of what chips win on the numbers, as croupiers learn it."""

from __future__ import annotations

from argparse import Namespace
from fractions import Fraction
from typing import TYPE_CHECKING

from novamas.cli.arguments import house, whole
from novamas.cli.errors import InputError
from novamas.cli.messages import said
from novamas.cli.terminal import Terminal, named
from novamas.game.cloth import MULTIPLES, SpotClass
from novamas.game.money import times
from novamas.game.rulebook.model import Rulebook
from novamas.game.spot_classes import class_pays
from novamas.wording.explain import odds

if TYPE_CHECKING:
    from novamas.cli.json_shapes.coups import PaysAnswer

MOST_ROWS = 10_000


def run(args: Namespace, terminal: Terminal) -> int:
    """Prints the table of payments of a house."""
    book = house(args.house)
    step = whole(args.step, what="--step")
    upto = whole(args.upto, what="--upto")
    if upto // step > MOST_ROWS:
        raise InputError(f"--upto {upto} in steps of {step} is more than {MOST_ROWS} rows")
    if upto < step:
        raise InputError(f"--upto {upto} is less than one step of {step}")
    # The order of the Italian booklet (IT-pez-1).
    kinds = [kind for kind in MULTIPLES if any(spot.kind is kind for spot in book.terms)]
    sizes = range(step, upto + 1, step)
    table = {chips: [times(chips, class_pays(book, kind)) for kind in kinds] for chips in sizes}
    if args.json:
        names = [kind.value for kind in kinds]
        data: PaysAnswer = {
            "house": book.id,
            "classes": {kind.value: book.word(kind) for kind in kinds},
            "articles": {kind.value: list(_articles(book, kind)) for kind in kinds},
            "pays": [
                {"chips": chips, "wins": dict(zip(names, won, strict=True))}
                for chips, won in table.items()
            ],
        }
        terminal.data(data)
        return 0
    rows = [["", *(book.word(kind) for kind in kinds)]]
    rows += [[str(chips), *map(str, won)] for chips, won in table.items()]
    terminal.table(rows, "r" * len(rows[0]), head=True)
    terminal.say()
    for kind in kinds:
        pays = said(args.lang, "pays", odds=odds(args.lang, Fraction(class_pays(book, kind))))
        text = f"{book.word(kind)} {pays}{named(_articles(book, kind))}"
        terminal.tell(text, indent="  ", first="")
    return 0


def _articles(book: Rulebook, kind: SpotClass) -> tuple[str, ...]:
    found = (id for spot, t in book.terms.items() if spot.kind is kind for id in t.pays_cites)
    return tuple(dict.fromkeys(found))
