"""Passwords that were stolen elsewhere are not taken."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import pytest

from novamas.house.refusals import Problem
from novamas.web.passwords import BadPasswordError, Passwords
from novamas.web.server import LocalHouse, Options
from novamas.web.stolen_passwords import StolenPasswords
from tests.cli.running import good, novamas

WORD = "seven grey horses in a row"


def digest(word: str) -> str:
    return hashlib.sha1(word.encode(), usedforsecurity=False).hexdigest().upper()


def listed(path: Path, *words: str, end: str = "\r\n", more: int = 0) -> Path:
    """A list as it is published, with others between."""
    known = [*words, *(f"word {number}" for number in range(more))]
    lines = sorted(f"{digest(word)}:{len(word) ** (len(word) % 9)}" for word in known)
    path.write_bytes(end.join(lines).encode() + end.encode())
    return path


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_line_of_the_list_is_found_and_nothing_else(tmp_path: Path, end: str) -> None:
    for many in (1, 2, 3, 7, 300):
        stolen = StolenPasswords(listed(tmp_path / "stolen", end=end, more=many))
        assert all(f"word {number}" in stolen for number in range(many))
        assert not any(f"other {number}" in stolen for number in range(50))


def test_small_letters_no_counts_and_no_last_line_end_are_read_too(tmp_path: Path) -> None:
    words = ["seven grey horses", "caf\u00e9 under the arcade", "a third one"]
    file = tmp_path / "stolen"
    file.write_text("\n".join(sorted(digest(word).lower() for word in words)))
    stolen = StolenPasswords(file)
    assert all(word in stolen for word in words)
    assert "cafe\u0301 under the arcade" in stolen, "as another keyboard composes it"
    assert "seven grey mares" not in stolen


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a line is a SHA-1"),
        ("password\n", "a line is a SHA-1"),
        (f"{'A' * 40}:1\npassword\n", "a line is a SHA-1"),
        (f"{'B' * 40}:1\n{'A' * 40}:2\n", "not sorted"),
    ],
)
def test_what_is_no_such_list_is_refused_at_the_start(tmp_path: Path, text: str, why: str) -> None:
    file, store = tmp_path / "stolen", tmp_path / "house.db"
    file.write_text(text)
    good("house", "init", str(store), "--chief", "cora", stdin="Nine-Zulu-orphelins\n")
    options = ("--store", str(store), "--stolen-passwords", str(file))
    ran = novamas("serve", "--port", "0", *options)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    ran = novamas("serve", "--port", "0", *options[:3], str(tmp_path / "none"))
    assert ran.code == 1
    assert "none: No such file" in ran.err


def test_nobody_may_choose_one_of_them(tmp_path: Path) -> None:
    fine, known = "seven grey horses at dawn", "nine brown mules at dusk"
    stolen = listed(tmp_path / "stolen", known, more=100)
    Passwords().require_good(known, name="ana")
    options = Options(local=False, stolen_passwords=str(stolen))

    async def choose() -> None:
        house = LocalHouse(options)
        try:
            assert await house.people.hashed(fine, name="ana")
            with pytest.raises(BadPasswordError) as told:
                await house.people.hashed(known, name="ana")
            assert told.value.why is Problem.KNOWN_TO_ALL
        finally:
            await house.close()

    asyncio.run(choose())


# At the machine itself ----------------------------------------------------------------------------


def test_no_first_chief_chooses_one_of_them(tmp_path: Path) -> None:
    store, stolen = str(tmp_path / "house.db"), listed(tmp_path / "stolen", WORD, more=50)
    words = ("house", "init", store, "--chief", "cora", "--stolen-passwords", str(stolen))
    ran = novamas(*words, stdin=f"{WORD}\n")
    assert ran.code == 2
    assert "everybody knows this one" in ran.err
    assert [each.name for each in tmp_path.iterdir()] == ["stolen"]
    assert novamas(*words, stdin="seven grey mares in a row\n").code == 0


def test_no_first_password_of_a_chief_is_one_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, stolen = str(tmp_path / "house.db"), listed(tmp_path / "stolen", WORD, more=50)
    good("house", "init", store, "--chief", "cora", stdin="seven grey mares in a row\n")
    drawn = iter((WORD, WORD, "another-word-by-chance"))
    monkeypatch.setattr("secrets.token_urlsafe", lambda _: next(drawn))
    words = ("house", "password", store, "--chief", "cora", "--reason", "lost")
    told = good(*words, "--stolen-passwords", str(stolen))
    assert "first password of cora: another-word-by-chance" in told


@pytest.mark.parametrize("what", ["init", "password"])
def test_at_the_machine_too_the_list_must_be_one(tmp_path: Path, what: str) -> None:
    store, file = str(tmp_path / "house.db"), tmp_path / "stolen"
    if what == "password":
        good("house", "init", store, "--chief", "cora", stdin="seven grey mares in a row\n")
    words = ("house", what, store, "--chief", "cora", "--stolen-passwords", str(file))
    more = ("--reason", "lost") if what == "password" else ()
    ran = novamas(*words, *more, stdin="seven grey mares in a row\n", columns=400)
    assert (ran.code, "No such file" in ran.err) == (2, True)
    file.write_text("password\n")
    ran = novamas(*words, *more, stdin="seven grey mares in a row\n", columns=400)
    assert ran.code == 2
    assert f"--stolen-passwords {file}: a line is a SHA-1" in ran.err
