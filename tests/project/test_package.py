"""The package: its page holds anywhere, its metadata is complete, and no wheel lacks the room."""

from __future__ import annotations

import email
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from email.message import Message
from pathlib import Path

import pytest

from scripts.build_hooks import ROOM, package_page
from scripts.ledger import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PLACES = ("pyproject.toml", "README.md", "LICENSE", "src", "scripts/build_hooks.py")


def clone(folder: Path) -> Path:
    """What a build reads, as it stands in the repository: without the room and other artifacts."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *PLACES],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    return folder


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder / "dist")],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_the_page_of_the_package_has_no_link_that_leads_nowhere() -> None:
    page = package_page((ROOT / "README.md").read_text("utf-8"))
    prose = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^)]*)\)|(?:src|href)=\"([^\"]*)\"", prose)
    targets = [one or other for one, other in links]
    assert [each for each in targets if not each.startswith(("https://", "#"))] == []
    assert "<img" not in prose
    assert "![" not in prose


def test_the_page_of_the_package_keeps_its_words_and_its_examples() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    page = package_page(readme)
    fences = re.findall(r"^```.*?^```$", readme, re.MULTILINE | re.DOTALL)
    assert fences
    assert all(fence in page for fence in fences)
    assert page.startswith("# novamas\n")
    assert "The documentation begins with\nyour first ten minutes." in page
    assert package_page("[a](#b)  [c](https://d.e)") == "[a](#b)  [c](https://d.e)"
    assert package_page("![p](a.png)\n[x](y.md#z)") == "x"


def test_the_package_is_built_after_the_room() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(r"^package: \$\(STAMP\) room ##", makefile, re.MULTILINE)
    help_lines = re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE)
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None
    assert set(help_lines) <= set(phony[1].split())


def test_the_metadata_say_for_whom_it_is_and_for_which_pythons() -> None:
    classifiers = set(PROJECT["classifiers"])
    for minor in (11, 12, 13, 14):
        assert f"Programming Language :: Python :: 3.{minor}" in classifiers
    assert any(each.startswith("Intended Audience ::") for each in classifiers)
    assert PROJECT["classifiers"] == sorted(PROJECT["classifiers"])


def test_the_extra_all_has_every_other_extra() -> None:
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    names = re.fullmatch(r"novamas\[(.*)\]", everything)
    assert names is not None
    assert names[1].split(",") == sorted(set(extras) - {"all"})


@pytest.mark.slow
def test_a_wheel_without_the_room_is_not_built(tmp_path: Path) -> None:
    done = build(clone(tmp_path))
    assert done.returncode != 0
    assert "the package would lack the room that a house serves" in done.stderr + done.stdout
    assert "run `make room` first" in done.stderr + done.stdout
    assert not list(tmp_path.glob("dist/*.whl"))


@pytest.mark.slow
def test_the_wheel_has_the_room_and_plays_in_a_fresh_environment(tmp_path: Path) -> None:
    """One build of a clone with a room, installed alone: no extra, nothing of this environment."""
    folder = clone(tmp_path / "clone")
    (folder / ROOM).parent.mkdir(parents=True)
    (folder / ROOM).write_text("<!doctype html><title>novamas</title>", "utf-8")
    done = build(folder)
    assert done.returncode == 0, done.stderr
    (wheel,) = (folder / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        (place,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(packed.read(place))
    assert "novamas/web/room/index.html" in names
    assert "novamas/rulebooks/es.toml" in names
    assert "novamas/py.typed" in names
    check_metadata(metadata)

    here = tmp_path / "fresh"
    subprocess.run([sys.executable, "-m", "venv", str(here)], check=True, timeout=300)
    bin_folder = here / ("Scripts" if os.name == "nt" else "bin")
    pip = [str(bin_folder / "python"), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "--no-index", "--no-deps", str(wheel)], check=True, timeout=300)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    played = subprocess.run(
        [str(bin_folder / "novamas"), "play", "es", "--seed", "1"],
        input="red:10\n\nquit\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=tmp_path,
        env={**environment, "PYTHONUTF8": "1"},
    )
    assert played.returncode == 0, played.stderr
    assert "Hagan juego" in played.stdout


def check_metadata(metadata: Message) -> None:
    assert metadata["Name"] == "novamas"
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Description-Content-Type"] == "text/markdown"
    body = metadata.get_payload()
    assert isinstance(body, str)
    assert body.startswith("# novamas")
    assert "](docs/" not in body
    extras = set(metadata.get_all("Provides-Extra", []))
    assert extras == set(PROJECT["optional-dependencies"])
    required = metadata.get_all("Requires-Dist", [])
    assert all("extra ==" in each for each in required), "the core needs no package"
