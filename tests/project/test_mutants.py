"""The data that `make soak` alters: all is found, governed by articles, and can be falsified."""

import tomllib

import pytest

from scripts import ledger, mutants

SHELF = ledger.books()


@pytest.mark.parametrize("house", SHELF)
def test_a_book_written_anew_is_the_same_book(house: str) -> None:
    assert tomllib.loads(mutants.dumps(SHELF[house])) == SHELF[house]


@pytest.mark.parametrize("house", SHELF)
def test_every_datum_is_governed_by_articles_of_its_book(house: str) -> None:
    known = {*ledger.articles(SHELF[house]), *ledger.readings(SHELF[house])}
    data = list(mutants.data(house, SHELF[house]))
    assert data
    stray = [
        f"{datum.key} ({' '.join(datum.articles) or 'no article'})"
        for datum in data
        if not datum.articles or not all(ledger.meaning(id, known) for id in datum.articles)
    ]
    assert not stray, f"{house}.toml: {', '.join(stray)}"


@pytest.mark.parametrize("house", SHELF)
def test_altering_a_datum_alters_nothing_else(house: str) -> None:
    book = {key: table for key, table in SHELF[house].items() if key not in mutants.NOT_RULES}
    for datum in mutants.data(house, book):
        mutant = next(mutants.mutants(datum, []))
        altered = tomllib.loads(mutant.text(book))
        assert altered != book
        assert tomllib.loads(mutants.Mutant(datum, datum.value).text(altered)) == book


def test_the_nearest_table_with_articles_governs() -> None:
    book = {
        "articles": {"AR-1": {}},
        "calls": {
            "void": "No va esta bola",
            "articles": {"void": ["AR-19"], "chances": ["AR-4.b"], "*": ["AR-20.a"]},
            "other": 1,
            "chances": {"red": "colorado"},
            "inner": {"articles": ["AR-2.a"], "deep": {"value": True}},
        },
    }
    governed = {datum.key: datum.articles for datum in mutants.data("ar", book)}
    assert governed == {
        "calls.void": ("AR-19",),
        "calls.other": ("AR-20.a",),
        "calls.chances.red": ("AR-4.b",),
        "calls.inner.deep.value": ("AR-2.a",),
    }


def test_lists_are_dropped_altered_and_swapped() -> None:
    datum = mutants.Datum("ar", ("payment", "order"), [["a", "b"], ["c"]], ("AR-25.b",))
    values = [mutant.value for mutant in mutants.mutants(datum, [["c", "d"]])]
    assert [["c"]] in values
    assert [["b"], ["c"]] in values
    assert [["b", "a"], ["c"]] in values
    assert [["a", "b"], ["d"]] in values
    assert [["c"], ["a", "b"]] in values
    assert datum.value not in values
