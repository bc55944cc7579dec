"""The page that compares the houses is what their rulebooks say now."""

from novamas.rulebooks import HOUSES
from scripts import houses_compared


def test_the_page_is_what_the_rulebooks_say_now() -> None:
    current = houses_compared.PAGE.read_text("utf-8") == houses_compared.page()
    assert current, f"{houses_compared.PAGE.name} is out of date: run `{houses_compared.REFRESH}`"


def test_every_house_is_in_every_table() -> None:
    page = houses_compared.page()
    for house in HOUSES:
        assert f"- `{house}`: " in page
    rows = [line for line in page.splitlines() if line.startswith("| ") and "`" in line]
    (edges,) = [row for row in rows if row.startswith("| bet |")]
    assert all(f"`{house}`" in edges for house in HOUSES)
    data = [row.split("|") for row in rows if row is not edges]
    for place, (_, key, *_) in enumerate(data):
        if key.strip():
            after = (at for at in range(place + 1, len(data)) if data[at][1].strip())
            group = data[place : next(after, len(data))]
            named = [part.split("`")[1] for row in group for part in row[3].split(";")]
            assert sorted(named) == sorted(HOUSES), key
