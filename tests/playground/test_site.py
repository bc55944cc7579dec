"""The playground as files: its words, its archive, its lock, and no other host."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from sphinx.errors import ExtensionError

from novamas.cli.messages import LANGUAGES
from scripts import playground
from scripts.ledger import ROOT

SOURCES = ROOT / "playground"
WORDS: dict[str, dict[str, str]] = json.loads((SOURCES / "words.json").read_text("utf-8"))
PAGE = (SOURCES / "page.html").read_text("utf-8")
SCRIPTS = "".join((SOURCES / f"{name}.js").read_text("utf-8") for name in ("page", "worker"))


def test_the_page_speaks_five_languages_and_says_the_same_in_each() -> None:
    assert set(WORDS) == set(LANGUAGES)
    blanks = {
        language: {key: sorted(re.findall(r"\{\w+\}", said)) for key, said in words.items()}
        for language, words in WORDS.items()
    }
    assert all(each == blanks["en"] for each in blanks.values())
    assert all(said for words in WORDS.values() for said in words.values())


def test_every_text_of_the_page_is_used_and_none_is_missing() -> None:
    used = {*re.findall(r'data-say="(\w+)"', PAGE), *re.findall(r'say\("(\w+)"', SCRIPTS), "itself"}
    used |= set(re.findall(r'stage: "(\w+)"', SCRIPTS))
    examples = re.search(r"const EXAMPLES = \{(.*?)\n\};", SCRIPTS, re.DOTALL)
    assert examples is not None
    used |= {f"example_{name}" for name in re.findall(r"^  (\w+): \{", examples[1], re.MULTILINE)}
    assert used == set(WORDS["en"])


def test_labels_stand_in_english_before_they_are_said() -> None:
    for key, text in re.findall(r'data-say="(\w+)">([^<]+)<', PAGE):
        assert text == WORDS["en"][key]


def test_every_field_has_a_label() -> None:
    fields = set(re.findall(r'<(?:input|select|textarea) (?:type="\w+" )?id="([\w-]+)"', PAGE))
    assert len(fields) == 10
    labelled = set(re.findall(r'<label for="([\w-]+)"', PAGE)) | {"pg-last"}
    assert fields == labelled
    assert '<label><input type="checkbox" id="pg-last"' in PAGE


def test_nothing_is_asked_of_another_host() -> None:
    texts = [
        PAGE,
        SCRIPTS,
        *((SOURCES / name).read_text("utf-8") for name in ("show.js", "page.css")),
    ]
    found = [each for text in texts for each in re.findall(r"https?://[^\s<\"'`]+", text)]
    assert found == ["http://127.0.0.1:8038/playground.html"]


def test_the_archive_is_the_same_each_time_and_runs_on_the_standard_library(
    tmp_path: Path,
) -> None:
    one, other = tmp_path / "one.zip", tmp_path / "other.zip"
    playground.pack(one)
    playground.pack(other)
    assert one.read_bytes() == other.read_bytes()
    names = set(zipfile.ZipFile(one).namelist())
    assert {"answers.py", "novamas/rulebooks/sd.toml"} <= names
    assert not [name for name in names if name.startswith(("novamas/house/", "novamas/web/"))]
    asked = (
        'import json, answers; q = {"house": "it", "number": "0", "stakes": "anna rosso:7"}; '
        'asked = [{"ask": each, "article": "IT-gioco-14", **q} for each in answers.ANSWERS]; '
        "found = [json.loads(answers.answer(json.dumps(each))) for each in asked]; "
        'print([list(each)[0] for each in found], "numpy" in sys.modules)'
    )
    alone = f"import sys; sys.path.insert(0, {str(one)!r}); {asked}"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", alone],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "['houses', 'house', 'players', 'player', 'id'] False\n"


def test_without_pyodide_the_site_is_not_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playground, "PYODIDE", ROOT / "playground" / "nowhere")
    with pytest.raises(ExtensionError, match=r"pyodide\.asm\.wasm.*run `scripts/site tools`"):
        playground.lay_out(tmp_path / "playground")
    assert not (tmp_path / "playground").exists()


@pytest.mark.parametrize("folder", ["playground", "ui"])
def test_npm_is_locked_by_hash_and_without_an_address(folder: str) -> None:
    lock = json.loads((ROOT / folder / "package-lock.json").read_text("utf-8"))
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert packages
    for name, each in packages.items():
        assert each.get("integrity", "").startswith("sha512-"), name
        assert "resolved" not in each, name
