"""Imports point inward: the ladder of the layers is kept, and its contract can fail."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.ledger import ROOT

LINT = Path(sys.executable).with_name("lint-imports")


def lint(config: Path, *, at: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [LINT, "--no-logo", "--no-cache", "--config", config],
        cwd=at,
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_layer_imports_only_what_stands_below_it() -> None:
    done = lint(ROOT / "pyproject.toml", at=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("module", ["pytest", "random", "time"])
def test_a_pure_package_may_not_import(module: str, tmp_path: Path) -> None:
    package = tmp_path / "pure"
    package.mkdir()
    (package / "__init__.py").write_text("import json\n")
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    config = tmp_path / "contract.toml"
    config.write_text(
        "[tool.importlinter]\n"
        "root_package = 'pure'\n"
        "include_external_packages = true\n"
        "contract_types = ['standard_library_only: scripts.contracts.StandardLibraryOnly']\n"
        "[[tool.importlinter.contracts]]\n"
        "name = 'pure'\n"
        "type = 'standard_library_only'\n"
        "modules = ['pure']\n"
        "barred = ['random', 'time']\n"
    )
    assert lint(config, at=tmp_path).returncode == 0
    (package / "stranger.py").write_text(f"import {module}\n")
    done = lint(config, at=tmp_path)
    assert done.returncode == 1
    assert f"pure.stranger:1 imports {module}" in done.stdout
