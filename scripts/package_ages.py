"""How old the parts are that a house ships, and whether that is within the time frames.

    python -m scripts.package_ages            is everything within the time frames today?
    python -m scripts.package_ages --write    ask the index, and write requirements/ages.json

`make lock` writes, `make soak` asks. pip and npm know the address of the index; it is not stored
here. For each part the file has the locked version, when it was uploaded, since when there has been
a newer version that could be used, whether it was withdrawn, and its vulnerabilities according to
the index. The time frames are explained in docs/reference/security.md.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import ssl
import subprocess  # nosec B404 - pip and npm say where their index is
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
from packaging.specifiers import SpecifierSet
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
AGES = ROOT / "requirements" / "ages.json"
LOCK = ROOT / "requirements" / "serve.lock"
ROOM_LOCK = ROOT / "ui" / "package-lock.json"
ROOM_PARTS: Final = ("@fontsource-variable/noto-sans", "clsx", "esm-env", "svelte")
"""The room's packages that are shipped; the others only build it."""
PYTHON: Final = "3.11"
"""The oldest Python that a house runs on; a version that needs a later one cannot be used."""
RENEWED: Final = 92
"""The most days until the locks must be resolved again."""
BEHIND: Final = 180
"""The most days for which a part may stay behind a newer version that could be used."""
JSON: Final = "application/vnd.pypi.simple.v1+json"


class File(NamedTuple):
    """A file of a package, as an index describes it."""

    version: str
    uploaded: date
    sha256: str
    yanked: bool
    python: str
    """Which versions of Python it is for; empty if for all."""


class Age(NamedTuple):
    """How old a part is."""

    version: str
    uploaded: date
    overtaken: date | None = None
    """Since when there has been a newer version that could be used."""
    yanked: bool = False
    weaknesses: tuple[str, ...] = ()
    """Known vulnerabilities of this version, according to the index."""


class Ages(NamedTuple):
    """The ages of all parts, on the day of the query."""

    asked: date
    parts: dict[str, Age]


class NoAgeError(Exception):
    """The index does not have the requested data."""


# The time frames ----------------------------------------------------------------------------------


def breaches(ages: Ages, today: date) -> list[str]:
    """What is not within the time frames on a day."""
    wrong = []
    if (days := (today - ages.asked).days) > RENEWED:
        wrong.append(f"the index was asked {days} days ago, at most {RENEWED} are allowed")
    for name, age in ages.parts.items():
        called = f"{name} {age.version}"
        if age.yanked:
            wrong.append(f"{called} was withdrawn by those who publish it")
        wrong += [f"{called} has a known weakness: {each}" for each in age.weaknesses]
        if age.overtaken is not None and (days := (today - age.overtaken).days) > BEHIND:
            wrong.append(f"{called} is {days} days behind, at most {BEHIND} are allowed")
    return wrong


def read(path: Path = AGES) -> Ages:
    """The file of ages."""
    told = json.loads(path.read_text("utf-8"))
    parts = {
        name: Age(
            each["version"],
            date.fromisoformat(each["uploaded"]),
            date.fromisoformat(each["overtaken"]) if each["overtaken"] is not None else None,
            yanked=each["yanked"],
            weaknesses=tuple(each["weaknesses"]),
        )
        for name, each in told["parts"].items()
    }
    return Ages(date.fromisoformat(told["asked"]), parts)


def write(ages: Ages, path: Path = AGES) -> None:
    """Writes the file of ages, a line for each part."""
    lines = [
        f"    {json.dumps(name)}: {json.dumps(age._asdict(), default=str)}"
        for name, age in sorted(ages.parts.items())
    ]
    text = f'{{\n  "asked": "{ages.asked}",\n  "parts": {{\n' + ",\n".join(lines) + "\n  }\n}\n"
    path.write_text(text, "utf-8")


# What is locked -----------------------------------------------------------------------------------


def locked(text: str) -> dict[str, tuple[str, frozenset[str]]]:
    """The contents of a Python lock: name → version and hashes."""
    found = {}
    for line in text.replace("\\\n", " ").splitlines():
        if named := re.match(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)", line):
            hashes = frozenset(re.findall(r"--hash=sha256:([0-9a-f]{64})", line))
            found[str(canonicalize_name(named[1]))] = (named[2], hashes)
    return found


def room_parts(text: str) -> dict[str, str]:
    """The shipped packages of the room's lock: name → version."""
    packages = json.loads(text)["packages"]
    return {name: packages[f"node_modules/{name}"]["version"] for name in ROOM_PARTS}


# What an index says -------------------------------------------------------------------------------


def files_of(told: Mapping[str, Any]) -> list[File]:
    """The files of a package, from either format of an index (PEP 700, or older).

    A file of an unknown kind or without an upload time is left out.
    """
    if "releases" in told:
        return [
            File(
                version,
                _day(each["upload_time_iso_8601"]),
                each["digests"]["sha256"],
                bool(each["yanked"]),
                each["requires_python"] or "",
            )
            for version, files in told["releases"].items()
            for each in files
        ]
    return [
        File(
            version,
            _day(each["upload-time"]),
            each["hashes"].get("sha256", ""),
            bool(each.get("yanked")),
            each.get("requires-python") or "",
        )
        for each in told.get("files", ())
        if "upload-time" in each and (version := _version_of(each["filename"]))
    ]


def _version_of(filename: str) -> str:
    try:
        if filename.endswith(".whl"):
            return str(parse_wheel_filename(filename)[1])
        return str(parse_sdist_filename(filename)[1])
    except (InvalidSdistFilename, InvalidWheelFilename, InvalidVersion):
        return ""


def _day(text: str) -> date:
    return datetime.fromisoformat(text).astimezone(UTC).date()


def age_of(
    name: str,
    version: str,
    hashes: frozenset[str],
    files: Iterable[File],
    weaknesses: Iterable[str],
) -> Age:
    """How old a locked package is; the hashes of the lock identify its files."""
    files = list(files)
    own = [each for each in files if each.sha256 in hashes]
    if not own:
        raise NoAgeError(f"{name} {version}: the index has no file of it with a time")
    newer = [each.uploaded for each in files if _could_be_taken(each, Version(version))]
    return Age(
        version,
        min(each.uploaded for each in own),
        min(newer, default=None),
        yanked=all(each.yanked for each in own),
        weaknesses=tuple(sorted(weaknesses)),
    )


def _could_be_taken(file: File, than: Version) -> bool:
    """Whether a file is of a newer final version, for the oldest Python that a house runs on."""
    try:
        version, python = Version(file.version), SpecifierSet(file.python)
    except ValueError:  # Old versions have formats of their own.
        return False
    return version > than and not version.is_prerelease and not file.yanked and PYTHON in python


def room_age(version: str, times: Mapping[str, str]) -> Age:
    """How old a package of the room is, from the times of npm."""
    newer = []
    for other, at in times.items():
        final = re.fullmatch(r"\d+\.\d+\.\d+", other)
        if final and _numbers(other) > _numbers(version):
            newer.append(_day(at))
    return Age(version, _day(times[version]), min(newer, default=None))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


# Asking -------------------------------------------------------------------------------------------


def index() -> str:
    """The index that pip uses, in the order in which the tools look."""
    for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"):
        if named := os.environ.get(name):
            return named.rstrip("/")
    asked = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    said = subprocess.run(asked, check=False, capture_output=True, text=True)  # nosec B603
    if not said.returncode and said.stdout.strip():
        return said.stdout.strip().rstrip("/")
    own = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
    said = subprocess.run(  # nosec B603
        [sys.executable, "-c", own], check=True, capture_output=True, text=True
    )
    return said.stdout.strip().rstrip("/")


def ask(http: httpx.Client, base: str, name: str) -> dict[str, Any]:
    """What the index says of a package, in the format that has the upload times."""
    told: dict[str, Any] = {}
    older = f"{base.removesuffix('/simple')}/pypi/{name}/json"
    for address in (f"{base}/{name}/", older):
        answer = http.get(address, headers={"Accept": f"{JSON}, application/json"})
        if answer.is_success and "json" in answer.headers.get("content-type", ""):
            told = answer.json()
            if "releases" in told or any("upload-time" in each for each in told.get("files", ())):
                return told
    raise NoAgeError(f"{name}: the index tells no times; another index may")


def _weaknesses(told: Mapping[str, Any], version: str) -> Iterator[str]:
    """The vulnerabilities of a version; an index has only those of the newest one, if any."""
    if told.get("info", {}).get("version") == version:
        yield from (str(each.get("id")) for each in told.get("vulnerabilities") or ())


def ask_room(name: str) -> dict[str, str]:
    """When each version of a package of the room was published."""
    npm = shutil.which("npm")
    if npm is None:
        raise NoAgeError("npm is not there: scripts/room build brings it into .venv")
    said = subprocess.run(  # nosec B603
        [npm, "view", name, "time", "--json"],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT / "ui",
    )
    if said.returncode:
        raise NoAgeError(f"{name}: npm tells no times of it")
    times: dict[str, str] = json.loads(said.stdout)
    return times


def look(today: date) -> Ages:
    """The ages of all that is locked, as the index knows them now."""
    parts: dict[str, Age] = {}
    base = index()
    with httpx.Client(
        verify=ssl.create_default_context(), timeout=60, follow_redirects=True
    ) as http:
        for name, (version, hashes) in locked(LOCK.read_text("utf-8")).items():
            told = ask(http, base, name)
            known = _weaknesses(told, version)
            parts[name] = age_of(name, version, hashes, files_of(told), known)
    for name, version in room_parts(ROOM_LOCK.read_text("utf-8")).items():
        parts[f"npm:{name}"] = room_age(version, ask_room(name))
    return Ages(today, parts)


def main(arguments: list[str]) -> int:
    """Writes the ages if requested, and reports what is not within the time frames."""
    today = datetime.now(UTC).date()
    try:
        if arguments == ["--write"]:
            write(look(today))
    except NoAgeError as problem:
        print(f"requirements/ages.json is not written: {problem}", file=sys.stderr)
        return 1
    except httpx.HTTPError as problem:
        # The address is not shown: it may contain a password.
        print(f"the index cannot be asked: {type(problem).__name__}", file=sys.stderr)
        return 1
    wrong = breaches(read(), today)
    for each in wrong:
        print(each, file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
