"""Reads a rulebook from TOML text and checks every key and value.

A mistake is reported with the book's name, the key and what is allowed there. Unknown keys,
including citation keys, are mistakes too, and so is a citation of an article that the book does not
have. Each section declares its occasions: the citation keys that it has in addition to its data.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, TypeVar

from novamas.game.cloth import (
    LIMITED,
    MULTIPLES,
    SIMPLE_CHANCES,
    Cloth,
    Spot,
    SpotClass,
)
from novamas.game.errors import UsageError
from novamas.game.numerals import DIGITS, NUMERALS, called
from novamas.game.rulebook import behaviours
from novamas.game.rulebook import citations as cite
from novamas.game.rulebook import model as book
from novamas.game.rulebook.cloth_reader import read_cloth, read_spots
from novamas.game.rulebook.extending import extend
from novamas.game.rulebook.model import Rulebook
from novamas.game.rulebook.staff_reader import check_staff, read_posts, read_staffing
from novamas.game.rulebook.toml_section import RulebookError, Section
from novamas.game.wheel import WHEELS, Wheel

_Read = TypeVar("_Read")

ODD_UNIT = "X-03"
"""The reading on chips and odd units. The table itself cites it, so every book has it."""


def read_rulebook(text: str, *, file: str) -> Rulebook:
    """Reads a rulebook from TOML text; `file` is only its name in error messages."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as mistake:
        raise RulebookError(file, "", f"not valid TOML: {mistake}") from None
    return read_tables(table, file=file)


def read_tables(table: Mapping[str, Any], *, file: str) -> Rulebook:
    """Reads a rulebook from parsed TOML, with all that it takes over from another."""
    table, origins, taken_over, other = extend(table, file=file)
    top = Section(file, "", table, other=other)
    language = top.text("language")
    articles = _articles(top, language, taken_over)
    cloth = read_cloth(top.section("cloth"))
    limits = _limits(top.section("limits"))
    wheel = _wheel(top.section("wheel"))
    found = Rulebook(
        id=_id(top),
        language=language,
        title=_title(top.section("title")),
        articles=articles,
        cloth=cloth,
        terms=read_spots(top.section("spots"), cloth.plan),
        settled=_settled(top.section("settled")),
        zero=_zero(top.section("zero")),
        limits=limits,
        pieces=_optional(top, "pieces", _pieces),
        excess=_optional(top, "excess", partial(_excess, limits=limits)),
        payment=_payment(top.section("payment"), cloth.plan),
        reduction=_optional(top, "reduction", _reduction),
        announcements=_announcements(top.section("announcements"), cloth.plan),
        chips=_chips(top.section("chips")),
        betting=_betting(top.section("betting")),
        absence=_absence(top.section("absence")),
        wheel=wheel,
        seats=_optional(top, "seats", _seats),
        float=_optional(top, "float", _float),
        closing=_closing(top.section("closing")),
        posts=read_posts(top.section("posts")),
        staffing=_optional(top, "staffing", read_staffing) or (),
        calls=_calls(top.section("calls"), language, wheel.pockets),
        words=_book_words(top.section("words")),
        origins=origins,
    )
    top.done()
    for where, id in top.citations:
        if id not in articles:
            raise RulebookError(file, where, f"cites {id}, which is no article of this book")
    for id in taken_over - {ODD_UNIT} - {id for _, id in top.citations}:
        del articles[id]
    _check_whole(found, file=file)
    return found


def _optional(top: Section, key: str, read: Callable[[Section], _Read]) -> _Read | None:
    return read(top.section(key)) if top.has(key) else None


def _id(top: Section) -> str:
    id = top.text("id")
    if not (id.isascii() and id.isalnum() and id == id.lower()):
        raise top.error("id", "expected lower-case letters and digits")
    return id


def _title(section: Section) -> dict[str, str]:
    title = {key: section.text(key) for key in section.keys()}
    section.done()
    return title


def _articles(top: Section, language: str, taken_over: Collection[str]) -> dict[str, book.Article]:
    found: dict[str, book.Article] = {}
    for part in ("articles", "readings"):
        section = top.section(part)
        for id in section.keys():
            entry = section.section(id)
            if id in found:
                raise section.error(id, "stands twice")
            spoken: tuple[str, ...] = ("en", language)
            if id in taken_over:
                # The other book may be in another language.
                spoken = tuple(
                    key for key in entry.keys() if key not in ("nothing_to_do", "source")
                )
            summary = {each: entry.text(each) for each in dict.fromkeys(spoken)}
            reason = entry.text("nothing_to_do") if entry.has("nothing_to_do") else None
            source = entry.text("source") if entry.has("source") else None
            entry.done()
            found[id] = book.Article(id, summary, part == "readings", reason, source)
    return found


def _settled(section: Section) -> cite.SettledCites:
    cites = section.citing(cite.SettledCites, {"won": True, "lost": True, "rounded": False})
    section.done()
    return cites


def _zero(section: Section) -> book.ZeroRules:
    simple = section.one("simple", behaviours.ZeroRule)
    prison, chosen = simple.imprisons, simple is behaviours.ZeroRule.CHOICE
    occasions = dict.fromkeys(("prison", "freed", "taken", "again"), prison)
    occasions["half"] = simple is not behaviours.ZeroRule.LOSE
    occasions |= {"unchosen": chosen, "double": True, "wins": True}
    rules = book.ZeroRules(
        simple=simple,
        again=section.one("again", behaviours.ZeroAgain) if prison else None,
        last_is_forced=chosen and section.flag("last_is_forced", default=False),
        small_halves_stay=prison and section.flag("small_halves_stay", default=False),
        void_reopens_choice=chosen and section.flag("void_reopens_choice", default=False),
        cites=section.citing(cite.ZeroCites, occasions),
    )
    section.done()
    return rules


def _limits(section: Section) -> book.LimitRules:
    multiples = section.section("multiples_of_minimum", default={})
    linked = section.one("linked", behaviours.Linked, default="free")
    occasions = {"minimum": True, "maximum": True, "levelled": linked is behaviours.Linked.EQUAL}
    rules = book.LimitRules(
        kept=section.many("kept", behaviours.LimitsKept, least=1),
        change=section.one("change", behaviours.LimitsChange),
        change_binds=section.one("change_binds", behaviours.ChangeBinds, default="betting"),
        linked=linked,
        short=section.one("short", behaviours.ShortStake, default="returned"),
        third_parties=section.flag("third_parties"),
        highest_bet=section.flag("highest_bet", default=False),
        multiples_of_minimum={
            SpotClass(key): multiples.integer(key, least=1)
            for key in multiples.keys()
            if _limited_class(multiples, key)
        },
        cites=section.citing(cite.LimitCites, occasions).with_names(
            {SpotClass(key): ids for key, ids in multiples.citing(cite.NamedCites).named.items()}
        ),
    )
    section.done()
    return rules


def _limited_class(section: Section, key: str) -> bool:
    if key not in LIMITED:
        raise section.error(key, f"expected one of: {', '.join(LIMITED)}")
    return True


def _pieces(section: Section) -> book.PiecesRules:
    rules = book.PiecesRules(
        on_chance=section.integer("on_chance", least=1),
        on_numbers=section.integer("on_numbers", least=1),
        value_on_simple=section.integer("value_on_simple", least=1),
        value_elsewhere=section.integer("value_elsewhere", least=1),
        foreign_counted=section.flag("foreign_counted", default=True),
        winners_left_play=section.flag("winners_left_play", default=False),
        cites=section.citing(cite.PiecesCites),
    )
    section.done()
    return rules


EXCESS_READINGS = ("together", "halves", "unclear_multiples")
CASCADE_READINGS = ("at_class", "room", "no_class", "below_minimum", "last_class", "one_pass")
"""What a book may cite in addition to its rules on excess, where a reading decided a line."""


def _excess(section: Section, *, limits: book.LimitRules) -> book.ExcessRules:
    multiples = section.one("multiples", behaviours.LateExcess)
    cascades = multiples is behaviours.LateExcess.CASCADE
    chances = section.one("chances", behaviours.LateExcess)
    if chances is behaviours.LateExcess.CASCADE:
        raise section.error("chances", "only the excess of a multiple can cascade")
    rules = book.ExcessRules(
        multiples=multiples,
        chances=chances,
        multiples_until=section.one("multiples_until", behaviours.Instant),
        chances_until=section.one("chances_until", behaviours.Instant),
        cascade=section.many("cascade", SpotClass, least=2) if cascades else (),
        unclear_plays_maximum=section.flag("unclear_plays_maximum"),
        cites=section.citing(
            cite.ExcessCites,
            {"lost": True, "remainder": cascades, "third_parties": limits.third_parties}
            | dict.fromkeys((*EXCESS_READINGS, *CASCADE_READINGS), False),
        ),
    )
    if not all(kind in MULTIPLES for kind in rules.cascade):
        raise section.error("cascade", f"expected some of: {', '.join(MULTIPLES)}")
    section.done()
    return rules


def _payment(section: Section, cloth: Cloth) -> book.PaymentRules:
    order = section.take("order")
    known = (*cloth.classes, *SIMPLE_CHANCES, "straddle", "straddle-dozen", "straddle-column")
    groups: list[frozenset[str]] = []
    if not isinstance(order, list):
        raise section.error("order", "expected a list of lists of classes")
    for group in order:
        if not isinstance(group, list) or not all(each in known for each in group):
            raise section.error("order", f"expected lists of: {', '.join(known)}")
        groups.append(frozenset(group))
    named = [name for group in order for name in group]
    if len(set(named)) != len(named):
        raise section.error("order", "the same class stands twice")
    apart = [name for name in SIMPLE_CHANCES if name in named]
    wanted: list[str] = [kind for kind in cloth.classes if kind != SpotClass.SIMPLE or not apart]
    for kind in (*wanted, *(SIMPLE_CHANCES if apart else ())):
        if kind not in named:
            raise section.error("order", f"no place is given to {kind}")
    if apart and SpotClass.SIMPLE in named:
        raise section.error("order", "name either simple, or each of the six simple chances")
    rules = book.PaymentRules(
        order=tuple(groups),
        by=section.one("by", behaviours.PayBy),
        value_chips_last=section.flag("value_chips_last", default=False),
        pile=section.whole_or_none("pile", least=2),
        cites=section.citing(cite.PaymentCites),
    )
    section.done()
    return rules


def _reduction(section: Section) -> book.ReductionRules:
    into = section.section("into_straight")
    order = section.many("order", SpotClass, least=1)
    winning_stakes = section.integer("winning_stakes", least=1)
    stays_reduced = section.flag("stays_reduced")
    into_straight = {kind: into.integer(kind.value, least=2) for kind in order}
    cites = section.citing(cite.ReductionCites, {"freed": True, "paid": True})
    of_classes = into.citing(cite.NamedCites, name=SpotClass).named
    rules = book.ReductionRules(
        order=order,
        into_straight=into_straight,
        winning_stakes=winning_stakes,
        stays_reduced=stays_reduced,
        cites=cites.with_names(of_classes),
    )
    if any(kind not in MULTIPLES or kind is SpotClass.STRAIGHT for kind in order):
        raise section.error("order", f"expected some of: {', '.join(MULTIPLES[1:])}")
    into.done()
    section.done()
    return rules


def _announcements(section: Section, cloth: Cloth) -> book.AnnouncementRules:
    calls = section.section("calls", default={})
    neighbours = section.integer("neighbours", least=1) if section.has("neighbours") else None
    replays = section.many("replays", behaviours.Replay, default=[])
    occasions = {replay.value: replay in replays for replay in behaviours.Replay}
    occasions |= {"sector": neighbours is not None, "not_taken": True}
    rules = book.AnnouncementRules(
        must_be_covered=section.flag("must_be_covered"),
        calls={name: _call(calls.section(name), name, cloth) for name in calls.keys()},
        neighbours=neighbours,
        replays=replays,
        pieces_bound=section.flag("pieces_bound", default=False),
        cites=section.citing(cite.AnnouncementCites, occasions, name=behaviours.Replay),
    )
    calls.citing(cite.NamedCites)
    section.done()
    return rules


def _call(section: Section, name: str, cloth: Cloth) -> book.Call:
    spots: list[Spot] = []
    for piece in section.texts("pieces"):
        spot = cloth.spots.get(piece)
        if spot is None or spot.kind not in MULTIPLES:
            raise section.error("pieces", f"{piece!r} is no spot on the numbers")
        spots.append(spot)
    if not spots:
        raise section.error("pieces", "expected at least one piece")
    to_place = section.flag("to_place", default=False)
    all_times = section.integer("all_times", least=2) if section.has("all_times") else None
    of_pieces = {spot.name for spot in spots}
    of_pieces |= {f"number {number}" for spot in spots for number in spot.numbers}
    cites = section.citing(cite.AnnouncedCites, dict.fromkeys(of_pieces, False) | {"call": True})
    rest = {} if section.rest is None else {cite.REST: section.rest}
    section.done()
    return book.Call(
        name=name,
        pieces=tuple(spots),
        to_place=to_place,
        all_times=all_times,
        cites=cites.call,
        piece_cites={**cites.of_piece, **rest},
    )


def _chips(section: Section) -> book.ChipRules:
    foreign_paid = section.flag("foreign_paid")
    occasions = dict.fromkeys(("foreign_known", "foreign_unknown", "foreign_lost"), foreign_paid)
    # Only a house with an article on another person's use of the chips cites it.
    occasions |= {"bought_here": True, "other_use": False}
    on_chances = section.many("on_chances", behaviours.ChipKind, least=1)
    apart = section.has("on_dozens")
    rules = book.ChipRules(
        on_numbers=section.many("on_numbers", behaviours.ChipKind, least=1),
        on_chances=on_chances,
        on_dozens=section.many("on_dozens", behaviours.ChipKind, least=1) if apart else on_chances,
        change_pending=section.flag("change_pending", default=False),
        own_colour=section.flag("own_colour"),
        placing_needs_colour=section.flag("placing_needs_colour", default=False),
        colour_worth=section.one("colour_worth", behaviours.ColourWorth, default="any"),
        new_worth=section.one("new_worth", behaviours.NewWorth, default="never"),
        one_player_per_value=section.flag("one_player_per_value", default=False),
        colours=section.whole_or_none("colours", least=1),
        value_counted_in=section.one("value_counted_in", behaviours.ValueCounted, default="own"),
        converted_on_leaving=section.flag("converted_on_leaving"),
        converted_when_away=section.flag("converted_when_away", default=False),
        foreign_paid=foreign_paid,
        cites=section.citing(cite.ChipCites, occasions),
    )
    section.done()
    return rules


def _betting(section: Section) -> book.BettingRules:
    refusals = ("no_stake", "no_change", "not_collected", "not_marked", "no_straddle", "correction")
    # Only a house that forbids players to touch the winners cites it.
    occasions = dict.fromkeys(refusals, True) | {"hands_off": False}
    rules = book.BettingRules(
        stakes_while_paying=section.flag("stakes_while_paying"),
        announcements_while_paying=section.flag("announcements_while_paying", default=False),
        exception_after_close=section.flag("exception_after_close"),
        winners_stay=section.one("winners_stay", behaviours.Winning),
        cites=section.citing(cite.BettingCites, occasions),
    )
    section.done()
    return rules


def _absence(section: Section) -> book.AbsenceRules:
    until = section.one("until", behaviours.AbsenceEnds, default="coups")
    declared = until is behaviours.AbsenceEnds.DECLARED
    rules = book.AbsenceRules(
        to_custody=section.flag("to_custody"),
        until=until,
        multiples_after=section.integer("multiples_after", least=0, default=0),
        chances_after=section.integer("chances_after", least=0, default=0),
        cites=section.citing(cite.AbsenceCites, {"declared": declared, "rides": declared}),
    )
    section.done()
    return rules


def _wheel(section: Section) -> book.WheelRules:
    causes = frozenset(section.many("causes", behaviours.Cause, least=1))
    occasions = {cause.value: cause in causes for cause in behaviours.Cause}
    occasions |= dict.fromkeys(("stakes_stay", "too_late", "corrected"), True)
    inspect_after = frozenset(section.many("inspect_after", behaviours.Cause, default=[]))
    if not inspect_after <= causes:
        raise section.error("inspect_after", "expected some of the causes of this house")
    rules = book.WheelRules(
        pockets=_pockets(section),
        alternates=section.flag("alternates"),
        ball_against_wheel=section.flag("ball_against_wheel"),
        causes=causes,
        turns=section.whole_or_none("turns", least=1),
        inspect_after=inspect_after,
        inspected=section.flag("inspected", default=False),
        cites=section.citing(cite.WheelCites, occasions, name=behaviours.Cause),
    )
    section.done()
    return rules


def _pockets(section: Section) -> Wheel:
    """The wheel by its name, or from the list of its pockets."""
    order = section.take("order", default="european")
    if isinstance(order, list):
        try:
            return Wheel(order)
        except UsageError as mistake:
            raise section.error("order", str(mistake).removeprefix("order: ")) from None
    if order not in WHEELS:
        known = ", ".join(WHEELS)
        raise section.error("order", f"expected a list of pockets, or one of: {known}")
    return WHEELS[order]


def _seats(section: Section) -> book.SeatRules:
    at_most = section.integer("at_most", least=1)
    double = section.whole_or_none("double", least=1) or at_most
    if double < at_most:
        raise section.error("double", f"expected at least {at_most}, as at_most")
    rules = book.SeatRules(
        at_most=at_most,
        double=double,
        cites=section.citing(cite.SeatCites),
    )
    section.done()
    return rules


def _float(section: Section) -> book.FloatRules:
    suspends = section.flag("suspends", default=False)
    counted = section.flag("counted", default=False)
    rules = book.FloatRules(
        minima=section.integer("minima", least=1),
        equal_refills=section.flag("equal_refills", default=False),
        counted=counted,
        suspends=suspends,
        cites=section.citing(cite.FloatCites, {"interrupted": counted, "resumes": suspends}),
    )
    section.done()
    return rules


def _closing(section: Section) -> book.ClosingRules:
    last_games = section.integer("last_games", least=0)
    counts = last_games > 0
    occasions = {"left": counts, "seated": counts, "empty": True, "suspension": True}
    occasions["dispute"] = True
    rules = book.ClosingRules(
        last_games=last_games, cites=section.citing(cite.ClosingCites, occasions)
    )
    section.done()
    return rules


CALLED_CHANCES = {
    behaviours.NumberCall.NUMBER: (),
    behaviours.NumberCall.NUMBER_COLOUR: ("red", "black"),
    behaviours.NumberCall.NUMBER_CHANCES: SIMPLE_CHANCES,
    behaviours.NumberCall.COLOUR_NUMBER: ("red", "black"),
}
"""The chances that are called with a number, and so need words."""


def _calls(section: Section, house: str, wheel: Wheel) -> book.CallRules:
    language = section.text("language")
    if language not in NUMERALS:
        raise section.error("language", f"expected one of: {', '.join(NUMERALS)}")
    number = section.one("number", behaviours.NumberCall)
    chances = section.section("chances", default={})
    rules = book.CallRules(
        open_betting=section.text("open_betting"),
        invites=section.one(
            "invites", behaviours.Invitation, default=behaviours.Invitation.BETTING.value
        ),
        no_more_bets=section.text("no_more_bets"),
        void=section.text("void"),
        number=number,
        language=house if language == DIGITS else language,
        numbers=called(wheel.pockets, language),
        chances={name: chances.text(name) for name in CALLED_CHANCES[number]},
        last_games=section.text("last_games", default=""),
        games_left=section.texts("games_left", default=[]),
        cites=section.citing(cite.CallCites),
    )
    chances.citing(cite.NamedCites)
    chances.done()
    section.done()
    return rules


def _book_words(section: Section) -> dict[str, tuple[str, ...]]:
    words: dict[str, tuple[str, ...]] = {}
    for name in section.keys():
        words[name] = section.texts(name)
        if not words[name] or not all(word.strip() for word in words[name]):
            raise section.error(name, "expected at least one word")
    section.citing(cite.NamedCites)
    return words


def _check_whole(found: Rulebook, *, file: str) -> None:
    """Checks what no single section can see: the zeros, posts for every act, closing calls."""
    _check_zeros(found, file=file)
    _check_odd_units(found, file=file)
    if behaviours.LimitsKept.POLICED in found.limits.kept and found.excess is None:
        raise RulebookError(file, "[excess]", "policed limits need articles on excess")
    last_games = found.closing.last_games
    if last_games and len(found.calls.games_left) != last_games:
        raise RulebookError(file, "[calls] games_left", "expected a call for each last game")
    given = frozenset(act for post in found.posts.values() for act in post.may)
    needed = {behaviours.Act.LAUNCH_BALL, behaviours.Act.CLOSE_BETTING, behaviours.Act.POCKET_BALL}
    needed |= {behaviours.Act.CALL_NUMBER, behaviours.Act.VOID_BALL, *behaviours.CHIP_ACTS} - {
        behaviours.Act.CORRECT
    }
    needed |= {
        act
        for act, is_needed in {
            behaviours.Act.NOTICE_EXCESS: behaviours.LimitsKept.POLICED in found.limits.kept,
            behaviours.Act.ANNOUNCE_LAST_GAMES: last_games > 0,
            behaviours.Act.GRANT_EXCEPTION: found.betting.exception_after_close,
            behaviours.Act.CHANGE_LIMITS: found.limits.change is not behaviours.LimitsChange.NEVER,
            behaviours.Act.DECLARE_ORPHAN: found.absence.until is behaviours.AbsenceEnds.DECLARED,
            behaviours.Act.INSPECT_BALL: bool(found.wheel.inspect_after),
            behaviours.Act.INSPECT_TABLE: found.wheel.inspected,
            behaviours.Act.COUNT_FLOAT: found.float is not None and found.float.counted,
            behaviours.Act.CORRECT: behaviours.Act.ORDER_CORRECTION in given,
        }.items()
        if is_needed
    }
    for act in sorted(needed - given):
        raise RulebookError(file, "[posts]", f"no post may {act}")
    check_staff(found, file=file)
    if found.reduction is not None:
        _check_reduced(found, file=file)


def _check_zeros(found: Rulebook, *, file: str) -> None:
    """Checks that wheel and cloth have the same zeros (SD-11.c)."""
    on_cloth = sorted(str(zero) for row in found.cloth.plan.zeros for zero in row)
    on_wheel = sorted(map(str, found.wheel.pockets.zeros))
    if on_cloth != on_wheel:
        problem = f"the wheel has {' '.join(on_wheel)}, the cloth {' '.join(on_cloth)}"
        raise RulebookError(file, "[cloth] zeros", problem)


def _check_odd_units(found: Rulebook, *, file: str) -> None:
    """Checks that the book says who gets an odd unit, if the house halves anything (X-03)."""
    if ODD_UNIT not in found.articles:
        problem = f"{ODD_UNIT} is missing; the table cites it where chips do not divide"
        raise RulebookError(file, "[readings]", problem)
    halves = found.zero.simple is not behaviours.ZeroRule.LOSE
    halves |= any(terms.halves or terms.pays.denominator > 1 for terms in found.terms.values())
    if halves and not found.settled.rounded:
        problem = "this house halves stakes: cite the reading that says who gets an odd unit"
        raise RulebookError(file, "[settled] articles.rounded", f"{problem}, such as {ODD_UNIT}")


def _check_reduced(found: Rulebook, *, file: str) -> None:
    """Checks that a house that reduces counts by colour and pays from the spool."""
    if found.payment.by is not behaviours.PayBy.SPOOL:
        problem = "expected spool, for this house has a [reduction]"
        raise RulebookError(file, "[payment] by", problem)
    if found.chips.on_numbers != (behaviours.ChipKind.COLOUR,):
        problem = "expected colour alone, for this house has a [reduction]"
        raise RulebookError(file, "[chips] on_numbers", problem)
