"""What a house is installed from: the versions that were tested, by their hashes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SERVED = ("house", "postgres")
"""The extras of a house that is served."""


def named(requirement: str) -> str:
    """The name of what is required, as it is compared."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement.strip())
    assert found is not None, requirement
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def locked(name: str) -> dict[str, tuple[str, list[str]]]:
    """What a lock has: name → version and hashes."""
    text = (ROOT / "requirements" / f"{name}.lock").read_text("utf-8").replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        if "==" in line:
            package, _, rest = line.partition("==")
            found[named(package)] = (
                rest.split()[0],
                re.findall(r"--hash=sha256:([0-9a-f]{64})", line),
            )
    return found


def test_the_lock_of_a_house_has_all_that_it_runs_on() -> None:
    have = locked("serve")
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = {named(each) for extra in SERVED for each in extras[extra]}
    wanted |= {named(each) for each in PROJECT["build-system"]["requires"]}
    assert wanted <= have.keys(), f"run `make lock`: {sorted(wanted - have.keys())}"
    assert all(hashes for _, hashes in have.values())


def test_a_house_runs_on_what_was_tested() -> None:
    tested = locked("dev")
    for name, (version, hashes) in locked("serve").items():
        assert (version, set(hashes)) == (tested[name][0], set(tested[name][1])), name


@pytest.mark.parametrize("file", ["deploy/Containerfile", "docs/how-to/operating.md"])
def test_whoever_installs_a_house_installs_it_from_the_lock(file: str) -> None:
    text = (ROOT / file).read_text("utf-8").replace("\\\n", " ")
    commands = re.findall(r"\S*pip install [^&\n]*", text)
    from_lock = [each for each in commands if "--require-hashes" in each]
    rest = [each for each in commands if each not in from_lock]
    assert len(from_lock) == 1
    assert "serve.lock" in from_lock[0]
    assert rest
    assert all("--no-deps" in each and "--no-build-isolation" in each for each in rest)


def test_the_lock_is_written_with_the_others() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8").replace("\\\n", " ")
    (line,) = [each for each in makefile.splitlines() if "requirements/serve.lock" in each]
    assert all(f"--extra {extra}" in line for extra in SERVED)
    assert "--constraint requirements/dev.lock" in line
