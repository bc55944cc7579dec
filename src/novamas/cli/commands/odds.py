"""`novamas odds`: what a layout, a number of coups, a purse and a system really come to."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, log10
from pathlib import Path
from typing import Any, Final

from novamas import rulebooks
from novamas.cli import arguments
from novamas.cli.errors import InputError, OutputError
from novamas.cli.terminal import Terminal, named, signed
from novamas.game.limits import Limits
from novamas.game.notation import NotationError
from novamas.game.rulebook.model import Rulebook, ZeroRule
from novamas.odds import charts
from novamas.odds.compare import AtHouse, compare
from novamas.odds.errors import LayoutError, TooLargeError
from novamas.odds.layout import Layout
from novamas.odds.many_coups import MOST_COUPS, QUANTILES, Results, after_coups
from novamas.odds.number_format import amount, counted, fraction, plain, share
from novamas.odds.one_coup import Odds, odds_of
from novamas.odds.play import read_choices
from novamas.odds.ruin import Ruin, ruin_of
from novamas.odds.systems import read_system

OUTPUT: Final = "-"
MOST_ROWS: Final = 24


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person wants to know, read and checked."""

    book: Rulebook
    layout: Layout
    limits: Limits
    choice: tuple[str, ...]
    chip: int
    divisible: bool

    @property
    def how(self) -> dict[str, Any]:
        """What every question of the odds takes."""
        return {"choice": self.choice, "limits": self.limits}


def run(args: Namespace, terminal: Terminal) -> int:
    """Answers what was asked, each answer below the other."""
    if args.chart == OUTPUT and args.json:
        hint = "draw to a file: --chart law.svg"
        raise InputError("--chart: - and --json would both write to the output", hint=hint)
    asked = _read(args)
    try:
        answers = _answers(args, asked)
    except (LayoutError, TooLargeError) as problem:
        raise InputError(str(problem)) from None
    if args.chart is not None:
        _draw(terminal, answers[-1], args.chart)
    if args.json:
        terminal.data({_name(answer): _data(answer) for answer in answers})
    elif args.chart != OUTPUT:
        _note(terminal, asked)
        for place, answer in enumerate(answers):
            if place:
                terminal.say()
            _tell(terminal, asked, answer)
    return 0


Answer = Odds | Results | Ruin | tuple[AtHouse, ...]


def _read(args: Namespace) -> Asked:
    book = arguments.house(args.house)
    words = arguments.words_for(book)
    chip = arguments.whole(args.chip, what="--chip")
    limits = arguments.limits(book, args.limits, minimum=args.minimum, words=words)
    try:
        choice = tuple(each.value for each in read_choices(args.choice))
        layout = Layout.read(book, " ".join(args.layout), chip=chip, words=words)
    except NotationError as mistake:
        raise InputError(str(mistake), hint="a layout is its bets: red:10 17:5") from None
    except LayoutError as problem:
        raise InputError(str(problem)) from None
    except ValueError as problem:
        raise InputError(f"--choice: {problem}") from None
    return Asked(book, layout, limits, choice, chip, args.divisible)


def _answers(args: Namespace, asked: Asked) -> Sequence[Answer]:
    coups = (
        None if args.coups is None else arguments.whole(args.coups, most=MOST_COUPS, what="--coups")
    )
    if args.divisible and (coups is not None or args.bankroll is not None):
        hint = f"leave {'--coups' if args.bankroll is None else '--bankroll'} out"
        raise InputError("--divisible: only the odds of one round halve without end", hint=hint)
    if args.lays_on and coups is None and args.bankroll is None:
        hint = "say how many: --lays-on --coups 200"
        raise InputError("--lays-on: it takes several coups", hint=hint)
    if args.bankroll is None:
        for option in ("target", "stop_loss", "system"):
            if getattr(args, option) is not None:
                name = option.replace("_", "-")
                raise InputError(f"--{name}: a purse is missing", hint="give it: --bankroll 1000")
    answers: list[Answer] = [
        odds_of(asked.book, asked.layout, divisible=asked.divisible, **asked.how)
    ]
    if args.compare:
        answers.append(_compared(asked))
    if args.bankroll is not None:
        answers.append(_ruin(args, asked, coups))
    elif coups is not None:
        lays_on = args.lays_on
        answers.append(after_coups(asked.book, asked.layout, coups, lays_on=lays_on, **asked.how))
    return answers


def _compared(asked: Asked) -> tuple[AtHouse, ...]:
    books = [rulebooks.load(id) for id in rulebooks.HOUSES]
    if not any(book is asked.book for book in books):
        books.append(asked.book)
    how: dict[str, Any] = {"chip": asked.chip, "divisible": asked.divisible}
    return compare(asked.layout.text, books, **how, **asked.how)


def _ruin(args: Namespace, asked: Asked, coups: int | None) -> Ruin:
    bankroll = arguments.whole(args.bankroll, what="--bankroll")
    target = None if args.target is None else arguments.whole(args.target, what="--target")
    stop = args.stop_loss
    stop_loss = None if stop is None else arguments.whole(stop, least=0, what="--stop-loss")
    if target is None and coups is None:
        hint = "set a goal or an end: --target 2000, --coups 200"
        raise InputError("without one or the other a purse plays for ever", hint=hint)
    try:
        system = read_system(args.system or "flat")
    except ValueError as problem:
        raise InputError(f"--system: {problem}") from None
    try:
        return ruin_of(
            asked.book,
            asked.layout,
            bankroll,
            target=target,
            stop_loss=stop_loss,
            coups=coups,
            system=system,
            at_limit=args.at_limit,
            lays_on=args.lays_on,
            **asked.how,
        )
    except ValueError as problem:
        raise InputError(str(problem)) from None


# As data -----------------------------------------------------------------------------------------


def _name(answer: Answer) -> str:
    if isinstance(answer, tuple):
        return "houses"
    return "odds" if isinstance(answer, Odds) else "ruin" if isinstance(answer, Ruin) else "coups"


def _data(answer: Answer) -> Any:
    if isinstance(answer, tuple):
        return [
            {"house": at.house, "refused": at.refused} if at.odds is None else at.odds.as_data()
            for at in answer
        ]
    return answer.as_data()


# As a picture ------------------------------------------------------------------------------------


def _chart(answer: Answer) -> charts.Chart:
    if isinstance(answer, tuple):
        return charts.chart_of_houses(answer)
    if isinstance(answer, Odds):
        return charts.chart_of_odds(answer)
    if isinstance(answer, Ruin):
        return charts.chart_of_ruin(answer)
    return charts.chart_of_results(answer)


def _draw(terminal: Terminal, answer: Answer, file: str) -> None:
    chart = _chart(answer)
    if file == OUTPUT:
        terminal.out.write(charts.svg(chart))
        return
    kind = Path(file).suffix.lower()
    if kind not in (".svg", ".png"):
        raise InputError(f"--chart: {file!r} is neither .svg nor .png")
    try:
        if kind == ".png":
            Path(file).write_bytes(charts.png(chart))
        else:
            Path(file).write_text(charts.svg(chart), encoding="utf-8")
    except charts.ChartError as problem:
        raise InputError(str(problem)) from None
    except (OSError, ValueError) as problem:
        raise OutputError(f"{file} cannot be written: {problem}") from None


# In words ----------------------------------------------------------------------------------------


def _note(terminal: Terminal, asked: Asked) -> None:
    """Says what at a real table would go back: the odds are those of the layout as it is given."""
    if not asked.limits.by_class:
        for short in asked.layout.short():
            laid = f"{short.stake.spot.name}:{short.stake.amount}"
            text = f"At a table {laid} is too little to play{named(short.articles)}."
            terminal.tell(text, style="dim")


def _tell(terminal: Terminal, asked: Asked, answer: Answer) -> None:
    if isinstance(answer, tuple):
        _tell_houses(terminal, answer)
    elif isinstance(answer, Odds):
        _tell_odds(terminal, asked, answer)
    elif isinstance(answer, Ruin):
        _tell_ruin(terminal, answer)
    else:
        _tell_results(terminal, answer)


def _facts(terminal: Terminal, facts: Iterable[tuple[str, str]]) -> None:
    terminal.table([list(fact) for fact in facts], "ll", indent="  ")


def _tell_odds(terminal: Terminal, asked: Asked, odds: Odds) -> None:
    title = asked.book.title.get("en", asked.book.id)
    terminal.title(f"{odds.layout} at {title}: {odds.stake} staked")
    if asked.book.zero.simple is ZeroRule.CHOICE:
        terminal.say(f"  after zero: {', then '.join(asked.choice)}")
    likeliest = sorted(odds.outcomes.items(), key=lambda item: item[1], reverse=True)[:MOST_ROWS]
    drawn = charts.text(charts.chart_of_odds(odds), min(terminal.columns, 80) - 2)
    if len(odds.outcomes) <= MOST_ROWS:
        for line in drawn:
            terminal.say(f"  {line}".rstrip())
    else:
        for net, chance in likeliest:
            terminal.say(f"  {plain(float(net), 6, sign=True)}: {share(float(chance))}")
        others = counted(len(odds.outcomes) - MOST_ROWS, "result")
        terminal.say(f"  … and {others} less likely than these")
    facts = [
        ("on average", amount(odds.expectation)),
        ("the house keeps", fraction(odds.edge)),
        ("standard deviation", plain(odds.deviation, 6)),
        ("skewness", plain(odds.skewness, 4)),
        ("something is paid", fraction(odds.hits)),
        ("ends with a gain", fraction(odds.gain)),
    ]
    if odds.coups != 1:
        facts.append(("coups until decided", f"{odds.coups} = {float(odds.coups):.4f}"))
    _facts(terminal, facts)


def _tell_houses(terminal: Terminal, found: Iterable[AtHouse]) -> None:
    rows = [["house", "keeps", "deviation", "gains", "paid", ""]]
    for at in found:
        if at.odds is None:
            rows.append([at.house, "-", "-", "-", "-", at.refused])
            continue
        odds = at.odds
        rows.append(
            [
                at.house,
                fraction(odds.edge),
                plain(odds.deviation, 5),
                share(float(odds.gain)),
                share(float(odds.hits)),
                "",
            ]
        )
    terminal.table(rows, "llrrrl", head=True, indent="  ")


def _tell_results(terminal: Terminal, results: Results) -> None:
    terminal.title(f"after {counted(results.coups, 'coup')}")
    for line in charts.text(charts.chart_of_results(results, 16), min(terminal.columns, 80) - 2):
        terminal.say(f"  {line}".rstrip())
    quantiles = ", ".join(
        f"{signed(results.quantile(q))}\u00a0({100 * q:g}\u00a0%)" for q in QUANTILES
    )
    _facts(
        terminal,
        [
            ("on average", amount(results.mean)),
            ("standard deviation", plain(results.deviation, 6)),
            ("ahead", share(float(results.ahead))),
            ("even", share(float(results.even))),
            ("behind", share(float(results.behind))),
            ("no more than", quantiles),
            ("precision", _precision(results.precision)),
        ],
    )


def _precision(value: float) -> str:
    return f"each probability to {floor(-log10(value))} decimals" if value else "exact"


def _tell_ruin(terminal: Terminal, found: Ruin) -> None:
    goal = "" if found.target is None else f", target {found.target}"
    stop = "" if found.stop_loss is None else f", stop-loss {found.stop_loss}"
    coups = "" if found.coups is None else f", at most {counted(found.coups, 'coup')}"
    terminal.title(f"a purse of {found.bankroll}, {found.system}{goal}{stop}{coups}")
    for line in charts.text(charts.chart_of_ruin(found), min(terminal.columns, 80) - 2):
        terminal.say(f"  {line}".rstrip())
    _facts(
        terminal,
        [
            ("coups on average", plain(float(found.duration), 6)),
            ("staked on average", plain(float(found.turnover), 6)),
            ("purse on average", plain(float(found.purse), 6)),
            ("precision", _precision(found.precision)),
        ],
    )
