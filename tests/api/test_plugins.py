"""Rulebooks of other distributions, through the entry points `novamas.rulebooks`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import novamas as nv
from novamas.rulebooks import HOUSES
from scripts.ledger import ROOT

pytestmark = pytest.mark.slow
PARIS = (ROOT / "docs" / "examples" / "paris.toml").read_text("utf-8")
NOVAMAS = Path(sys.executable).with_name("novamas")
PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "1.0"

[project.entry-points."novamas.rulebooks"]
{entries}

[tool.hatch.build.targets.wheel]
packages = ["{module}"]
"""
CODE = '''
"""Rulebooks from another place."""

from importlib import resources

BOOK = resources.files(__name__).joinpath("paris.toml")


def text():
    return BOOK.read_text("utf-8").replace('id = "paris"', 'id = "lyon"')


def resource():
    return BOOK


def fails():
    raise RuntimeError("no book today")


number = 17
'''
ENTRIES = {
    "paris": "{module}:paris.toml",
    "lyon": "{module}:text",
    "nice": "{module}:resource",
    "broken": "{module}:fails",
    "number": "{module}:number",
    "missing": "{module}:missing.toml",
    "absent": "nowhere_at_all:BOOK",
    "dijon": "{module}:paris.toml",
    "ar": "{module}:paris.toml",
}


def install(folder: Path, name: str, entries: dict[str, str]) -> Path:
    """Builds a distribution and installs it into a folder."""
    module = name.replace("-", "_")
    project = folder / f"project-{name}"
    (project / module).mkdir(parents=True)
    (project / module / "__init__.py").write_text(CODE)
    (project / module / "paris.toml").write_text(PARIS, encoding="utf-8")
    told = "\n".join(f'{id} = "{value.format(module=module)}"' for id, value in entries.items())
    (project / "pyproject.toml").write_text(PROJECT.format(name=name, module=module, entries=told))
    target = folder / f"site-{name}"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    options = ["--no-index", "--no-build-isolation", "--no-deps", "--target", str(target)]
    subprocess.run([*pip, *options, str(project)], check=True, cwd=folder)
    return target


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a distribution with good and broken books is installed."""
    return install(tmp_path_factory.mktemp("plugins"), "some-houses", ENTRIES)


@pytest.fixture
def plugged(houses: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """The distribution on the path of this process, until the test is over."""
    monkeypatch.syspath_prepend(str(houses))
    return monkeypatch.syspath_prepend


@pytest.mark.usefixtures("plugged")
def test_the_books_of_others_are_listed_and_read() -> None:
    assert nv.houses()[: len(HOUSES)] == HOUSES
    assert set(nv.houses()[len(HOUSES) :]) == set(ENTRIES) - {"ar"}
    assert nv.load("paris").id == "paris"
    assert nv.load("lyon").id == "lyon"
    assert nv.settle("paris", 17, "ana 17:5").net == {"ana": 175}
    assert nv.Table("lyon", players={"ana": 100}, seed=7).spin().house == "lyon"


@pytest.mark.usefixtures("plugged")
def test_a_book_of_others_takes_no_house_of_the_package() -> None:
    assert nv.load("ar").name == "Argentina"
    assert nv.houses().count("ar") == 1


@pytest.mark.parametrize(
    ("id", "told"),
    [
        ("broken", "broken (from some-houses): some_houses:fails cannot be read: RuntimeError: no"),
        ("number", "some_houses:number cannot be read: AttributeError"),
        ("missing", "missing (from some-houses): some_houses:missing.toml cannot be read: FileNot"),
        ("absent", "nowhere_at_all:BOOK cannot be read: ModuleNotFoundError"),
        ("nice", "id: expected 'nice', as its entry point is called, found 'paris'"),
        (
            "pari",
            (
                f"the houses are {', '.join(HOUSES)}, "
                "absent, broken, dijon, lyon, missing, nice, number"
            ),
        ),
    ],
)
@pytest.mark.usefixtures("plugged")
def test_a_broken_book_is_told_when_it_is_asked_for(id: str, told: str) -> None:
    with pytest.raises(nv.RulebookError) as raised:
        nv.load(id)
    assert told in str(raised.value)


@pytest.mark.usefixtures("plugged")
def test_a_broken_book_disturbs_no_comparison() -> None:
    found = nv.compare("red:10")
    assert {*HOUSES, "paris", "lyon"} == set(found.edges)
    assert "no book today" in found.refused["broken"]


def test_two_books_of_one_id_are_told_with_who_brings_them(
    plugged: Callable[[Path], None], tmp_path: Path
) -> None:
    plugged(install(tmp_path, "more-houses", {"dijon": "{module}:paris.toml"}))
    with pytest.raises(nv.RulebookError, match="more-houses and some-houses each bring a rulebook"):
        nv.load("dijon")
    assert nv.load("lyon").id == "lyon"


def test_the_commands_see_them_too(houses: Path) -> None:
    def told(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(houses)}
        command = [str(NOVAMAS), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)

    done = told("settle", "paris", "17", "ana 17:5", "--json")
    assert json.loads(done.stdout)["players"]["ana"]["won"] == 175
    assert told("rules", "paris").returncode == 0
    assert "1/74" in told("odds", "paris", "red:10").stdout
    wrong = told("rules", "broken")
    assert wrong.returncode == 2
    assert "some_houses:fails cannot be read: RuntimeError: no book today" in wrong.stderr
