"""The reference of the API is made of the public names and their docstrings."""

import sys
from pathlib import Path

import pytest
from sphinx.application import Sphinx

import novamas
from scripts import api_reference

PACKAGE = '''"""A package with a few public names, found when they are asked for."""

from importlib import import_module

__all__ = ["Coup", "TableError", "settle", "LAST"]


def __getattr__(name):
    return getattr(import_module("small_house_inside"), name)
'''
INSIDE = '''"""Where the names really are."""


class Coup:
    """A coup, *settled*.

        coup.net
    """

    @property
    def net(self) -> dict[str, int]:
        """What each player won; see `settle`."""
        return {}


class TableError(ValueError):
    """The table_ refuses."""


def settle(house: str, pocket: int) -> Coup:
    """Settles a coup | by the book.

    >>> settle("ar", 17)
    <Coup>
    """


LAST = 36
'''


@pytest.fixture
def small_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "small_house.py").write_text(PACKAGE, "utf-8")
    (tmp_path / "small_house_inside.py").write_text(INSIDE, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("small_house", "small_house_inside"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return "small_house"


def test_every_public_name_is_documented_under_the_path_by_which_it_is_imported(
    small_house: str,
) -> None:
    text = "\n".join(api_reference.reference(small_house))
    assert ".. autofunction:: small_house.settle" in text
    assert ".. autoclass:: small_house.Coup" in text
    assert ".. autodata:: small_house.LAST" in text
    order = [text.index(f"{section}\n---") for section in api_reference.SECTIONS]
    assert order == sorted(order)


def test_a_package_without_public_names_says_so() -> None:
    assert api_reference.reference("scripts") == [api_reference.NONE]


def test_the_reference_of_novamas_can_be_made() -> None:
    made = api_reference.reference("novamas")
    public = [name for name in getattr(novamas, "__all__", ()) if not name.startswith("_")]
    entries = [line for line in made if line.startswith(".. auto") and "::" in line]
    documented = {line.rpartition(".")[2] for line in entries}
    assert set(public) <= documented if public else made == [api_reference.NONE]


@pytest.mark.slow
def test_the_page_is_built_without_a_warning(small_house: str, tmp_path: Path) -> None:
    source = tmp_path / "docs"
    source.mkdir()
    (source / "conf.py").write_text("", "utf-8")
    (source / "index.rst").write_text(f"API\n===\n\n.. public-api:: {small_house}\n", "utf-8")
    app = Sphinx(
        source,
        source,
        tmp_path / "html",
        tmp_path / "trees",
        "html",
        confoverrides={"extensions": ["scripts.api_reference"], "html_theme": "basic"},
        status=None,
        exception_on_warning=True,
    )
    app.build()
    page = (tmp_path / "html" / "index.html").read_text("utf-8")
    assert "Settles a coup | by the book." in page
    assert "The table_ refuses." in page
    assert "A coup, *settled*." in page
    assert 'id="small_house.Coup.net"' in page
