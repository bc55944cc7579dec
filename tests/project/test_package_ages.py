"""How old the parts of a house are: written down, and within the documented time frames."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from scripts import package_ages
from scripts.package_ages import (
    AGES,
    BEHIND,
    LOCK,
    RENEWED,
    ROOM_LOCK,
    Age,
    Ages,
    NoAgeError,
    age_of,
    ask,
    breaches,
    files_of,
    locked,
    read,
    room_age,
    room_parts,
    write,
)

ROOT = Path(__file__).parents[2]
DAY = date(2026, 3, 1)
HASH = "ab" * 32


# The file -----------------------------------------------------------------------------------------


def test_every_part_that_a_house_ships_is_in_it_with_its_version() -> None:
    wanted = {name: version for name, (version, _) in locked(LOCK.read_text("utf-8")).items()}
    room = room_parts(ROOM_LOCK.read_text("utf-8"))
    wanted |= {f"npm:{name}": version for name, version in room.items()}
    have = {name: age.version for name, age in read().parts.items()}
    assert have == wanted, "run `make lock`, or `.venv/bin/python -m scripts.package_ages --write`"
    assert len(wanted) > 40


def test_on_the_day_on_which_the_index_was_asked_nothing_was_past_its_time() -> None:
    ages = read()
    assert breaches(ages, ages.asked) == []
    assert all(age.uploaded <= ages.asked for age in ages.parts.values())


def test_no_address_stands_in_it() -> None:
    assert not re.search(r"://|\bsimple\b|pypi|\.(org|com|io|net)\b", AGES.read_text("utf-8"))


def test_it_is_written_with_the_locks_and_looked_at_in_the_soak() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (lock,) = re.findall(r"^lock:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    steps = lock.splitlines()
    (asks,) = (n for n, step in enumerate(steps) if "scripts.package_ages --write" in step)
    assert asks > max(n for n, step in enumerate(steps) if "COMPILE" in step)
    assert "requirements/ages.json" in steps[-1], "it is looked whether an address slipped in"
    assert "python -m scripts.package_ages" in (ROOT / "scripts" / "check").read_text("utf-8")


def test_the_page_says_the_same_time_frames() -> None:
    page = " ".join((ROOT / "docs" / "reference" / "security.md").read_text("utf-8").split())
    assert f"at least every {RENEWED} days" in page
    assert f"for more than {BEHIND} days" in page


# The time frames ----------------------------------------------------------------------------------


def on(day: date, age: Age) -> list[str]:
    return breaches(Ages(DAY, {"part": age}), day)


def test_a_part_that_is_old_but_the_newest_is_no_breach() -> None:
    assert on(DAY, Age("1.0", date(2019, 1, 1))) == []


def test_the_index_is_asked_once_a_quarter() -> None:
    age = Age("1.0", DAY)
    assert on(DAY + timedelta(RENEWED), age) == []
    (told,) = on(DAY + timedelta(RENEWED + 1), age)
    assert told == f"the index was asked {RENEWED + 1} days ago, at most {RENEWED} are allowed"


def test_a_part_does_not_stay_behind_a_newer_one() -> None:
    overtaken = DAY - timedelta(BEHIND)
    assert on(DAY, Age("1.0", overtaken, overtaken)) == []
    (told,) = on(DAY, Age("1.0", overtaken, overtaken - timedelta(1)))
    assert told == f"part 1.0 is {BEHIND + 1} days behind, at most {BEHIND} are allowed"


def test_what_was_withdrawn_or_is_known_to_be_weak_is_a_breach_at_once() -> None:
    age = Age("1.0", DAY, yanked=True, weaknesses=("CVE-1", "CVE-2"))
    assert on(DAY, age) == [
        "part 1.0 was withdrawn by those who publish it",
        "part 1.0 has a known weakness: CVE-1",
        "part 1.0 has a known weakness: CVE-2",
    ]


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    parts = {"a": Age("1", DAY, DAY, yanked=True, weaknesses=("CVE-1",)), "b": Age("2", DAY)}
    write(Ages(DAY, parts), tmp_path / "ages.json")
    assert read(tmp_path / "ages.json") == Ages(DAY, parts)


# What an index says -------------------------------------------------------------------------------


def modern(version: str, at: str, sha256: str = "", **more: Any) -> dict[str, Any]:
    """A file as PEP 691 and PEP 700 have it."""
    name = f"part-{version}-py3-none-any.whl"
    return {"filename": name, "upload-time": at, "hashes": {"sha256": sha256}, **more}


def older(at: str, sha256: str = "", *, yanked: bool = False, python: str | None = None) -> Any:
    """A file as the older form has it."""
    return {
        "upload_time_iso_8601": at,
        "digests": {"sha256": sha256},
        "yanked": yanked,
        "requires_python": python,
    }


MODERN = {
    "files": [
        modern("1.0", "2026-01-05T23:59:59Z", HASH),
        modern("1.0", "2026-01-04T00:00:00.123Z", "cd" * 32),
        modern("1.1", "2026-02-01T01:00:00+02:00"),
        modern("1.2rc1", "2026-01-06T00:00:00Z"),
        modern("1.3", "2026-01-07T00:00:00Z", yanked="broken"),
        modern("1.4", "2026-01-08T00:00:00Z", **{"requires-python": ">=3.12"}),
        {"filename": "part-1.0.exe", "upload-time": "2020-01-01T00:00:00Z", "hashes": {}},
        {"filename": "part-9.9.tar.gz", "hashes": {}},
    ]
}
OLDER = {
    "info": {"version": "1.1"},
    "vulnerabilities": [{"id": "CVE-9"}],
    "releases": {
        "1.0": [older("2026-01-05T23:59:59Z", HASH), older("2026-01-04T00:00:00Z")],
        "1.1": [older("2026-01-31T23:00:00Z")],
        "1.2rc1": [older("2026-01-06T00:00:00Z")],
        "1.3": [older("2026-01-07T00:00:00Z", yanked=True)],
        "1.4": [older("2026-01-08T00:00:00Z", python=">=3.12")],
        "of old": [older("2026-01-09T00:00:00Z")],
    },
}


@pytest.mark.parametrize("told", [MODERN, OLDER], ids=["PEP 700", "older"])
def test_a_part_is_behind_since_there_is_a_newer_one_that_could_be_taken(told: Any) -> None:
    """Not a pre-release, not one that was withdrawn, and none that needs a later Python."""
    age = age_of("part", "1.0", frozenset((HASH,)), files_of(told), ())
    assert age == Age("1.0", date(2026, 1, 5), date(2026, 1, 31))


def test_a_part_of_which_the_index_has_other_files_is_not_taken_for_it() -> None:
    with pytest.raises(NoAgeError, match="the index has no file of it"):
        age_of("part", "1.0", frozenset(("00" * 32,)), files_of(MODERN), ())


def test_a_part_is_withdrawn_where_all_its_files_are() -> None:
    told = {"files": [modern("1.0", "2026-01-05T00:00:00Z", HASH, yanked=True)]}
    assert age_of("part", "1.0", frozenset((HASH,)), files_of(told), ()).yanked


def test_the_older_form_is_asked_for_where_the_newer_has_no_times() -> None:
    asked = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        if request.url.path.endswith("/json"):
            return httpx.Response(200, json=OLDER)
        return httpx.Response(200, html="<a href='part-1.0.tar.gz'>")

    with httpx.Client(transport=httpx.MockTransport(answer)) as http:
        told = ask(http, "https://index.invalid/simple", "part")
    assert told == OLDER
    assert [*package_ages._weaknesses(told, "1.1")] == ["CVE-9"]
    assert [*package_ages._weaknesses(told, "1.0")] == [], "it tells of the newest alone"
    assert asked == [
        "https://index.invalid/simple/part/",
        "https://index.invalid/pypi/part/json",
    ]
    with (
        httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(404))) as http,
        pytest.raises(NoAgeError, match="tells no times"),
    ):
        ask(http, "https://index.invalid/simple", "part")


def test_the_index_is_the_one_of_the_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_INDEX_URL", "https://pip.invalid/simple/")
    assert package_ages.index() == "https://pip.invalid/simple"
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://uv.invalid/simple")
    assert package_ages.index() == "https://uv.invalid/simple"


def test_an_index_that_cannot_be_asked_is_told_without_its_address(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://me:hush@127.0.0.1:1/simple")
    before = AGES.read_text("utf-8")
    assert package_ages.main(["--write"]) == 1
    said = capsys.readouterr().err
    assert said == "the index cannot be asked: ConnectError\n"
    assert AGES.read_text("utf-8") == before


def test_packages_of_the_room_are_compared_by_their_final_versions() -> None:
    times = {
        "created": "2020-01-01T00:00:00Z",
        "5.9.0": "2026-01-01T00:00:00Z",
        "5.10.0": "2026-02-01T00:00:00Z",
        "5.11.0": "2026-03-01T00:00:00Z",
        "6.0.0-next.1": "2026-01-15T00:00:00Z",
        "4.99.0": "2026-01-20T00:00:00Z",
    }
    assert room_age("5.9.0", times) == Age("5.9.0", date(2026, 1, 1), date(2026, 2, 1))
    assert room_age("5.11.0", times) == Age("5.11.0", date(2026, 3, 1))


def test_today_it_says_what_is_past_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    today = datetime.now(UTC).date()
    path = tmp_path / "ages.json"
    monkeypatch.setattr(package_ages, "read", lambda: read(path))
    write(Ages(today, {"part": Age("1.0", DAY)}), path)
    assert package_ages.main([]) == 0
    write(Ages(today, {"part": Age("1.0", DAY, yanked=True)}), path)
    assert package_ages.main([]) == 1
    assert "was withdrawn" in capsys.readouterr().err
    assert json.loads(path.read_text("utf-8"))["parts"]["part"]["yanked"] is True
