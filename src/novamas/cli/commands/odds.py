"""`novamas odds`: the exact odds of a layout, many coups, a purse and a staking system."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import floor, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from novamas import rulebooks
from novamas.cli import arguments
from novamas.cli.errors import InputError, OutputError
from novamas.cli.messages import figure, in_english, said, several
from novamas.cli.terminal import Terminal, named, signed
from novamas.game.languages import ENGLISH
from novamas.game.limits import Levelled, Limits, Short
from novamas.game.notation import NotationError
from novamas.game.rulebook.behaviours import ZeroRule
from novamas.game.rulebook.model import Rulebook
from novamas.odds import charts
from novamas.odds.compare import AtHouse, compare
from novamas.odds.errors import LayoutError, TooLargeError
from novamas.odds.layout import Layout
from novamas.odds.many_coups import MOST_COUPS, QUANTILES, Results, after_coups
from novamas.odds.number_format import amount, fraction, plain, share
from novamas.odds.one_coup import Odds, odds_of
from novamas.odds.play import read_choices
from novamas.odds.rounding import Rounded
from novamas.odds.ruin import Ruin, ruin_of
from novamas.odds.systems import read_system

if TYPE_CHECKING:
    from novamas.cli.json_shapes.figures import OddsAnswer, OddsWarning

OUTPUT: Final = "-"
MOST_ROWS: Final = 24


@dataclass(frozen=True, slots=True)
class Asked:
    """The question of a person, read and checked."""

    book: Rulebook
    layout: Layout
    limits: Limits
    choice: tuple[str, ...]
    chip: int
    divisible: bool
    language: str

    @property
    def how(self) -> dict[str, Any]:
        """The arguments that every function of the odds takes."""
        return {"choice": self.choice, "limits": self.limits}


def run(args: Namespace, terminal: Terminal) -> int:
    """Answers each question, one below the other."""
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
        terminal.data(_data(asked, answers))
    elif args.chart != OUTPUT:
        for warning in _warnings(asked, answers[0]):
            terminal.tell(warning["text"], style="dim")
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
        raise InputError(f"--choice: {str(problem).removeprefix('choice: ')}") from None
    return Asked(book, layout, limits, choice, chip, args.divisible, args.lang)


def _answers(args: Namespace, asked: Asked) -> Sequence[Answer]:
    coups = (
        None if args.coups is None else arguments.whole(args.coups, most=MOST_COUPS, what="--coups")
    )
    if args.divisible and (coups is not None or args.bankroll is not None):
        hint = f"leave {'--coups' if args.bankroll is None else '--bankroll'} out"
        raise InputError("--divisible: works for the odds of one round only", hint=hint)
    if args.lays_on and coups is None and args.bankroll is None:
        hint = "say how many coups: --lays-on --coups 200"
        raise InputError("--lays-on: makes a difference only over several coups", hint=hint)
    if args.bankroll is None:
        for option in ("target", "stop_loss", "system"):
            if getattr(args, option) is not None:
                name = option.replace("_", "-")
                raise InputError(f"--{name}: needs a purse", hint="give it: --bankroll 1000")
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
        raise InputError(
            "a purse without a target or a number of coups would play for ever", hint=hint
        )
    try:
        system = read_system(args.system or "flat")
    except ValueError as problem:
        raise InputError(f"--system: {str(problem).removeprefix('system: ')}") from None
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


def _data(asked: Asked, answers: Sequence[Answer]) -> OddsAnswer:
    data: dict[str, Any] = {"warnings": _warnings(asked, answers[0])}
    for answer in answers:
        if isinstance(answer, tuple):
            data[_name(answer)] = [
                {"house": at.house, "refused": at.refused} if at.odds is None else at.odds.as_data()
                for at in answer
            ]
        else:
            data[_name(answer)] = answer.as_data()
    return cast("OddsAnswer", data)


def _warnings(asked: Asked, odds: Answer) -> list[OddsWarning]:
    """Warnings for stakes that a real table would return or not take: the odds ignore that."""
    found: list[OddsWarning] = []
    if not asked.limits.by_class:
        found += [_short(asked, short) for short in asked.layout.short()]
        found += [_levelled(asked, each) for each in asked.layout.levelled()]
    if isinstance(odds, Odds):
        found += [_rounded(asked, each) for each in odds.rounded]
    return found


def _short(asked: Asked, short: Short) -> OddsWarning:
    on, amount = short.stake.spot.name, short.stake.amount
    return {
        "kind": "too_little",
        "on": on,
        "amount": amount,
        "text": said(
            asked.language, "too_little", laid=f"{on}:{amount}", cites=named(short.articles)
        ),
        "articles": list(short.articles),
    }


def _levelled(asked: Asked, levelled: Levelled) -> OddsWarning:
    on, amount = levelled.stake.spot.name, levelled.stake.amount
    cites = named(levelled.articles)
    return {
        "kind": "levelled",
        "on": on,
        "amount": amount,
        "text": said(
            asked.language, "levelled", laid=f"{on}:{amount}", back=levelled.back, cites=cites
        ),
        "articles": list(levelled.articles),
    }


def _rounded(asked: Asked, rounded: Rounded) -> OddsWarning:
    text = said(
        asked.language,
        "rounded_favours" if rounded.edge < 0 else "rounded_lowers",
        laid=rounded.laid,
        cites=named(rounded.articles),
        edge=abs(rounded.edge),
        exact=rounded.exact_edge,
    )
    if rounded.divides is not None:
        text += " " + said(asked.language, "divides", divides=rounded.divides)
    return {
        "kind": "rounded",
        "on": rounded.on,
        "amount": rounded.amount,
        "text": text,
        "articles": list(rounded.articles),
        "divides": rounded.divides,
    }


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


def _tell(terminal: Terminal, asked: Asked, answer: Answer) -> None:
    tell = _Telling(terminal, asked)
    if isinstance(answer, tuple):
        tell.houses(answer)
    elif isinstance(answer, Odds):
        tell.odds(answer)
    elif isinstance(answer, Ruin):
        tell.ruin(answer)
    else:
        tell.results(answer)


WAYS: Final = {
    "ruin": "way_ruin",
    "target": "way_target",
    "stop-loss": "way_stop",
    "still playing": "way_playing",
}
"""How a purse ends, as the chart names it → the words for it."""


class _Telling:
    """Prints answers for a person, in their language."""

    def __init__(self, terminal: Terminal, asked: Asked) -> None:
        self.terminal = terminal
        self.asked = asked
        self.language = asked.language

    def said(self, name: str, **facts: object) -> str:
        return said(self.language, name, **facts)

    def figure(self, text: str) -> str:
        return figure(self.language, text)

    def facts(self, *facts: tuple[str, str]) -> None:
        """Names and figures in two columns."""
        rows = [[self.said(name), self.figure(text)] for name, text in facts]
        self.terminal.table(rows, "ll", indent="  ")

    def chart(self, chart: charts.Chart) -> None:
        """A chart in the terminal."""
        bars = tuple(
            replace(
                bar,
                name=self.said(WAYS[bar.name]) if bar.name in WAYS else self.figure(bar.name),
                shown=self.figure(bar.shown),
            )
            for bar in chart.bars
        )
        room = min(self.terminal.columns, 80) - 2
        for line in charts.text(replace(chart, bars=bars), room):
            self.terminal.say(f"  {line}".rstrip())

    def precision(self, value: float) -> str:
        return self.said("decimals", count=floor(-log10(value))) if value else self.said("exact")

    def odds(self, odds: Odds) -> None:
        book, terminal = self.asked.book, self.terminal
        title = book.title.get(self.language) or book.title.get(ENGLISH, book.id)
        terminal.title(self.said("layout_at", layout=odds.layout, title=title, stake=odds.stake))
        if book.zero.simple is ZeroRule.CHOICE:
            chosen = self.said("then").join(self.said(f"choice_{c}") for c in self.asked.choice)
            terminal.say(f"  {self.said('after_zero', choices=chosen)}")
        if len(odds.outcomes) <= MOST_ROWS:
            self.chart(charts.chart_of_odds(odds))
        else:
            self._likeliest(odds)
        facts = [
            ("on_average", amount(odds.expectation)),
            ("house_keeps", fraction(odds.edge)),
            ("deviation", plain(odds.deviation, 6)),
            ("skewness", plain(odds.skewness, 4)),
            ("something_paid", fraction(odds.hits)),
            ("ends_with_gain", fraction(odds.gain)),
        ]
        if odds.coups != 1:
            facts.append(("until_decided", f"{odds.coups} = {float(odds.coups):.4f}"))
        self.facts(*facts)

    def _likeliest(self, odds: Odds) -> None:
        """The likeliest results, where there are too many for a chart."""
        likeliest = sorted(odds.outcomes.items(), key=lambda item: item[1], reverse=True)
        for net, chance in likeliest[:MOST_ROWS]:
            line = f"  {plain(float(net), 6, sign=True)}: {share(float(chance))}"
            self.terminal.say(self.figure(line))
        others = len(odds.outcomes) - MOST_ROWS
        self.terminal.say(f"  {several(self.language, 'less_likely', others)}")

    def houses(self, found: Iterable[AtHouse]) -> None:
        columns = ("house", "keeps", "short_deviation", "gains", "paid")
        rows = [[*map(self.said, columns), ""]]
        for at in found:
            if at.odds is None:
                refused = in_english(self.language, at.refused)
                rows.append([at.house, "-", "-", "-", "-", refused])
                continue
            odds = at.odds
            shares = (share(float(odds.gain)), share(float(odds.hits)))
            figures = (fraction(odds.edge), plain(odds.deviation, 5), *shares)
            rows.append([at.house, *map(self.figure, figures), ""])
        self.terminal.table(rows, "llrrrl", head=True, indent="  ")

    def results(self, results: Results) -> None:
        self.terminal.title(several(self.language, "after_coups", results.coups))
        self.chart(charts.chart_of_results(results, 16))
        quantiles = ", ".join(
            f"{signed(results.quantile(q))}\u00a0({self.figure(f'{100 * q:g}')}\u00a0%)"
            for q in QUANTILES
        )
        self.facts(
            ("on_average", amount(results.mean)),
            ("deviation", plain(results.deviation, 6)),
            ("ahead", share(float(results.ahead))),
            ("even", share(float(results.even))),
            ("behind", share(float(results.behind))),
            ("no_more_than", quantiles),
            ("precision", self.precision(results.precision)),
        )

    def ruin(self, found: Ruin) -> None:
        title = self.said("purse_of", bankroll=found.bankroll, system=found.system)
        if found.target is not None:
            title += self.said("with_target", target=found.target)
        if found.stop_loss is not None:
            title += self.said("with_stop", stop=found.stop_loss)
        if found.coups is not None:
            title += several(self.language, "at_most", found.coups)
        self.terminal.title(title)
        self.chart(charts.chart_of_ruin(found))
        self.facts(
            ("coups_average", plain(float(found.duration), 6)),
            ("staked_average", plain(float(found.turnover), 6)),
            ("purse_average", plain(float(found.purse), 6)),
            ("precision", self.precision(found.precision)),
        )
