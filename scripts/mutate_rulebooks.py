"""Alters each datum of each rulebook in turn, and asks whether a test that names its article fails.

    python -m scripts.mutate_rulebooks                          every book
    python -m scripts.mutate_rulebooks --only ar --key zero     the data of ar.toml below `zero`

A datum survives when it can be falsified and no test that names one of its articles fails: then the
rule is not really covered. Survivors are listed at the end, and there must be none.

This process imports pytest and the whole of the house, but loads no rulebook; each altered rulebook
is then tried in a fork of it, which collects and runs only the tests concerned. So an altered
rulebook costs no start-up, and no trial can leave anything behind for the next.
"""

import argparse
import importlib
import json
import os
import pkgutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from functools import partial
from pathlib import Path

import pytest

import novamas
from scripts import ledger, mutants
from scripts.mutants import Datum, Mutant

LONGEST = 300
"""The timeout of a trial in seconds, for rulebooks under which the tests never end."""


BY_ARTICLE = ledger.ROOT / "tests" / "rules"
"""The folder of the tests by article."""

BROKEN = 70
"""The exit code of a fork that failed itself."""


class Fate(Enum):
    """The outcome of an altered datum."""

    CAUGHT = "caught by a test"
    UNREADABLE = "refused by the reader of rulebooks"
    SAME = "the same rulebook: the order of that list means nothing"
    SURVIVED = "survived"


@dataclass
class Tally:
    """The outcomes of the altered data so far."""

    total: int
    fates: dict[Fate, int] = field(default_factory=lambda: dict.fromkeys(Fate, 0))
    survivors: list[str] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)
    shown: float = 0.0

    def add(self, mutant: Mutant, fate: Fate, why: str = "") -> None:
        """Count one, and show the progress."""
        self.fates[fate] += 1
        if fate is Fate.SURVIVED:
            self.survivors.append(f"{mutant}\n      {why}")
        self.show()

    def show(self) -> None:
        """One line of progress: in place on a terminal, now and then elsewhere."""
        now, done = time.monotonic(), sum(self.fates.values())
        live = sys.stdout.isatty()
        if done < self.total and now - self.shown < (0.2 if live else 15):
            return
        self.shown = now
        rate = done / max(now - self.began, 0.001)
        left = int((self.total - done) / rate) if rate else 0
        line = (
            f"    {done}/{self.total} tried, {self.fates[Fate.SURVIVED]} survived, "
            f"{rate:.1f}/s, {left // 60}m{left % 60:02d}s left"
        )
        print(f"\r{line:<78}" if live else line, end="" if live else "\n", flush=True)


class Only:
    """A plugin of pytest that keeps only the tests that name one of the given rules."""

    def __init__(self, wanted: frozenset[str], known: set[str]) -> None:
        """Take the rules wanted, and all the rules there are."""
        self.wanted = wanted
        self.known = known

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out every other test."""
        items[:] = [item for item in items if self.names(item)]

    def names(self, item: pytest.Item) -> bool:
        """Whether the test names one of the rules."""
        ids = (id for mark in item.iter_markers("rule") for id in mark.args)
        return any(self.wanted & ledger.meaning(id, self.known) for id in ids)


def closed_sets() -> list[list[str]]:
    """The closed sets of words from which a rulebook chooses."""
    from novamas.game import cloth
    from novamas.game.rulebook import model

    return [
        [member.value for member in found]
        for module in (cloth, model)
        for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, StrEnum) and found is not StrEnum
    ]


def import_the_house() -> None:
    """Import every module in advance, so that a fork need not; no import may load a rulebook."""
    from novamas import rulebooks

    for module_of_tests in ("hypothesis.stateful", "hypothesis.strategies"):
        importlib.import_module(module_of_tests)
    for module in pkgutil.walk_packages(novamas.__path__, "novamas."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
            if rulebooks.load.cache_info().currsize:
                sys.exit(f"{module.name} loads a rulebook when it is imported")


def fork(work: Callable[[], int], *, output: Path | None = None) -> int:
    """Do some work in a fork of this process, and return the fork's process id."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        return child
    code = BROKEN
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(LONGEST)
        target = os.open(output or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(target, 1)
        os.dup2(target, 2)
        code = work()
    except BaseException:  # noqa: BLE001 - whatever it is, it is printed; see below.
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        # A fork must never return into the parent's loop.
        os._exit(code)


def run_tests(house: str, book: Path, files: Iterable[str], only: Only) -> int:
    """Run the tests concerned with an altered rulebook; return pytest's exit code.

    The tests by article come first: they are cheap to collect, and nearly always one of them fails.
    """
    os.environ["NOVAMAS_RULEBOOK"] = f"{house}={book}"
    os.environ["NOVAMAS_HYPOTHESIS"] = "mutant"
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--tb=short"]
    # Modules that this process imported in advance cannot be rewritten by pytest, and need not be.
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    by_article = [file for file in files if Path(file).is_relative_to(BY_ARTICLE)]
    others = [file for file in files if file not in by_article]
    passed = int(pytest.ExitCode.NO_TESTS_COLLECTED)
    for part in filter(None, (by_article, others)):
        code = int(pytest.main([*options, f"--rootdir={ledger.ROOT}", *part], plugins=[only]))
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            return code
        passed = min(passed, code)
    return passed


def probe(trials: Iterable[tuple[Mutant, str]], result: Path) -> int:
    """Read every altered rulebook, and report whether it is valid and different."""
    from novamas import rulebooks

    printed = rulebooks.source
    texts: dict[str, str] = {}
    rulebooks.source = lambda id: texts.get(id) or printed(id)
    originals = {id: rulebooks.load(id) for id in ledger.books()}
    fates: list[str | None] = []
    for mutant, text in trials:
        rulebooks.load.cache_clear()
        texts = {mutant.datum.house: text}
        try:
            altered = rulebooks.load(mutant.datum.house)
        except ValueError:
            fates.append(Fate.UNREADABLE.name)
        else:
            same = altered == originals[mutant.datum.house]
            fates.append(Fate.SAME.name if same else None)
    result.write_text(json.dumps(fates))
    return 0


def collected_marks() -> dict[str, list[str]]:
    """The rules that each test names, read in a fork so that no test module stays imported here."""
    from scripts.rule_coverage import collect

    with tempfile.TemporaryDirectory() as folder:
        result, output = Path(folder, "marks"), Path(folder, "output")

        def work() -> int:
            result.write_text(json.dumps(collect()))
            return 0

        wait_for(fork(work, output=output), "collecting the tests", output)
        named: dict[str, list[str]] = json.loads(result.read_text())
    return named


def wait_for(child: int, doing: str, output: Path) -> None:
    """Wait for a fork that must succeed."""
    _, status = os.waitpid(child, 0)
    if status:
        sys.exit(f"{doing} failed:\n{output.read_text()[-6000:]}")


@dataclass
class Trial:
    """The books, the tests and the folder with which altered data are tried."""

    shelf: Mapping[str, ledger.Table]
    named: Mapping[str, list[str]]
    folder: Path
    jobs: int

    def __post_init__(self) -> None:
        """Collect the known ids."""
        self.known = ledger.known_ids(dict(self.shelf))

    def files(self, wanted: frozenset[str]) -> list[str]:
        """The files with tests that name one of the rules."""
        return sorted(
            {
                str(ledger.ROOT / test.split("::")[0])
                for test, ids in self.named.items()
                if any(wanted & ledger.meaning(id, self.known) for id in ids)
            }
        )

    def rules(self, datum: Datum) -> frozenset[str]:
        """The rules that govern a datum."""
        return frozenset(one for id in datum.articles for one in ledger.meaning(id, self.known))

    def unaltered(self, found: list[Mutant]) -> None:
        """Check that the tests pass with the unaltered books; otherwise a failure means nothing."""
        for house, book in self.shelf.items():
            path, output = self.folder / f"{house}.toml", self.folder / f"{house}.out"
            path.write_text(mutants.dumps(book), "utf-8")
            data = {
                mutant.datum.key: mutant.datum for mutant in found if mutant.datum.house == house
            }
            rules = frozenset(one for datum in data.values() for one in self.rules(datum))
            if files := self.files(rules):
                work = partial(run_tests, house, path, files, Only(rules, self.known))
                wait_for(
                    fork(work, output=output), f"the tests with {house}.toml unaltered", output
                )

    def probed(self, found: list[Mutant]) -> list[Fate | None]:
        """Which altered books are unreadable or the same as before; None for the rest."""
        result, output = self.folder / "probe.json", self.folder / "probe.out"
        trials = [(mutant, mutant.text(self.shelf[mutant.datum.house])) for mutant in found]
        wait_for(fork(lambda: probe(trials, result), output=output), "reading the books", output)
        return [Fate[name] if name else None for name in json.loads(result.read_text())]

    def start(self, number: int, mutant: Mutant) -> int:
        """Begin to try an altered datum, in a fork."""
        path = self.folder / f"{number}.toml"
        path.write_text(mutant.text(self.shelf[mutant.datum.house]), "utf-8")
        rules = self.rules(mutant.datum)
        only = Only(rules, self.known)
        return fork(lambda: run_tests(mutant.datum.house, path, self.files(rules), only))

    def run(self, found: list[Mutant], tally: Tally) -> None:
        """Try every altered datum, a few at a time."""
        waiting: list[tuple[int, Mutant]] = []
        for (number, mutant), fate in zip(enumerate(found), self.probed(found), strict=True):
            articles = " ".join(mutant.datum.articles)
            if not articles:
                tally.add(mutant, Fate.SURVIVED, "no article governs it")
            elif not self.files(self.rules(mutant.datum)):
                tally.add(mutant, Fate.SURVIVED, f"no test names {articles}")
            elif fate is Fate.SAME and not mutant.only_reordered:
                tally.add(mutant, Fate.SURVIVED, "the reader of rulebooks takes no notice of it")
            elif fate is None:
                waiting.append((number, mutant))
            else:
                tally.add(mutant, fate)
        self.try_all(waiting, tally)

    def try_all(self, waiting: list[tuple[int, Mutant]], tally: Tally) -> None:
        """Run as many forks in parallel as there are jobs."""
        waiting.reverse()
        working: dict[int, tuple[int, Mutant]] = {}
        try:
            while waiting or working:
                while waiting and len(working) < self.jobs:
                    number, mutant = waiting.pop()
                    working[self.start(number, mutant)] = (number, mutant)
                child, status = os.wait()
                number, mutant = working.pop(child)
                (self.folder / f"{number}.toml").unlink()
                self.judge(mutant, os.waitstatus_to_exitcode(status), tally)
        finally:
            for child in working:
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
                    os.waitpid(child, 0)

    def judge(self, mutant: Mutant, code: int, tally: Tally) -> None:
        """Read the outcome of a trial from its exit code."""
        if code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            why = f"every test that names {' '.join(mutant.datum.articles)} passes"
            tally.add(mutant, Fate.SURVIVED, why)
        elif code in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED, -signal.SIGALRM):
            tally.add(mutant, Fate.CAUGHT)
        else:
            sys.exit(f"the trial of {mutant} ended with {code}, which shows nothing")


def main() -> None:
    """Try every requested altered datum, and list the survivors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", metavar="HOUSE", help="only this house's book")
    parser.add_argument("--key", metavar="KEY", help="only the data at or below this key")
    parser.add_argument("--jobs", type=int, default=2, help="trials at a time")
    parser.add_argument("--list", action="store_true", help="list the altered data; try nothing")
    arguments = parser.parse_args()

    shelf = {k: v for k, v in ledger.books().items() if arguments.only in (None, k)}
    key = arguments.key
    sets = closed_sets()
    found = [
        mutant
        for house, book in shelf.items()
        for datum in mutants.data(house, book)
        if key is None or datum.key == key or datum.key.startswith(f"{key}.")
        for mutant in mutants.mutants(datum, sets)
    ]
    if not found:
        sys.exit("there is no such datum")
    if arguments.list:
        print(*(f"{m}   {' '.join(m.datum.articles)}" for m in found), sep="\n")
        return
    named = collected_marks()
    import_the_house()
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(shelf, named, Path(folder), arguments.jobs)
        trial.unaltered(found)
        tally = Tally(len(found))
        trial.run(found, tally)
    print()
    for fate, count in tally.fates.items():
        print(f"    {count:5} {fate.value}")
    if tally.survivors:
        print("\nSurvivors:", *tally.survivors, sep="\n  ")
        sys.exit(1)


if __name__ == "__main__":
    main()
