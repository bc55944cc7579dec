"""Reads a rulebook from TOML text and checks every key and value.

A mistake is reported with the book's name, the key and what is allowed there. Unknown keys,
including citation keys, are mistakes too, and so is a citation of an article that the book does not
have. Each section declares its occasions: the citation keys that it has in addition to its data.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from novamas.game.cloth import LIMITED, MULTIPLES, SIMPLE_CHANCES, SPOTS, Spot, SpotClass
from novamas.game.numerals import DIGITS, NUMERALS
from novamas.game.rulebook import citations as cite
from novamas.game.rulebook import model as book
from novamas.game.rulebook.model import Rulebook, Terms
from novamas.game.rulebook.staff_reader import check_staff, read_posts, read_staffing
from novamas.game.rulebook.toml_section import RulebookError, Section

_Read = TypeVar("_Read")


def read_rulebook(text: str, *, file: str) -> Rulebook:
    """Reads a rulebook from TOML text; `file` is only its name in error messages."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as mistake:
        raise RulebookError(file, "", f"not valid TOML: {mistake}") from None
    return read_tables(table, file=file)


def read_tables(table: Mapping[str, Any], *, file: str) -> Rulebook:
    """Reads a rulebook from parsed TOML."""
    top = Section(file, "", table)
    language = top.text("language")
    articles = _articles(top, language)
    limits = _limits(top.section("limits"))
    found = Rulebook(
        id=_id(top),
        language=language,
        title=_title(top.section("title")),
        articles=articles,
        cloth=_cloth(top.section("cloth")),
        terms=_spots(top.section("spots")),
        settled=_settled(top.section("settled")),
        zero=_zero(top.section("zero")),
        limits=limits,
        pieces=_optional(top, "pieces", _pieces),
        excess=_optional(top, "excess", partial(_excess, limits=limits)),
        payment=_payment(top.section("payment")),
        reduction=_optional(top, "reduction", _reduction),
        announcements=_announcements(top.section("announcements")),
        chips=_chips(top.section("chips")),
        betting=_betting(top.section("betting")),
        absence=_absence(top.section("absence")),
        wheel=_wheel(top.section("wheel")),
        closing=_closing(top.section("closing")),
        posts=read_posts(top.section("posts")),
        staffing=_optional(top, "staffing", read_staffing) or (),
        calls=_calls(top.section("calls"), language),
        words=_book_words(top.section("words")),
    )
    top.done()
    for where, id in top.citations:
        if id not in articles:
            raise RulebookError(file, where, f"cites {id}, which is no article of this book")
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


def _articles(top: Section, language: str) -> dict[str, book.Article]:
    found: dict[str, book.Article] = {}
    for part in ("articles", "readings"):
        section = top.section(part)
        for id in section.keys():
            entry = section.section(id)
            if id in found:
                raise section.error(id, "stands twice")
            summary = {each: entry.text(each) for each in dict.fromkeys(("en", language))}
            reason = entry.text("nothing_to_do") if entry.has("nothing_to_do") else None
            source = entry.text("source") if entry.has("source") else None
            entry.done()
            found[id] = book.Article(id, summary, part == "readings", reason, source)
    return found


def _cloth(section: Section) -> book.ClothRules:
    rules = book.ClothRules(
        drawing=section.one("drawing", book.Drawing),
        left=section.texts("left"),
        right=section.texts("right"),
        cites=section.citing(cite.ClothCites),
    )
    if sorted((*rules.left, *rules.right)) != sorted(SIMPLE_CHANCES):
        every = ", ".join(SIMPLE_CHANCES)
        raise section.error("left, right", f"expected each of {every} once, on one side")
    if rules.drawing is book.Drawing.FRENCH and len(rules.left) != 3:
        raise section.error("left", "a French cloth has three chances on each flank")
    if rules.drawing is book.Drawing.AMERICAN and rules.right:
        raise section.error("right", "an American-style cloth has all its chances on one side")
    section.done()
    return rules


def _spots(section: Section) -> dict[Spot, Terms]:
    terms: dict[Spot, Terms] = {}
    for kind in LIMITED:
        part = section.section(kind.value)
        pays = Fraction(part.integer("pays", least=1))
        spots = [spot for spot in SPOTS.values() if spot.kind is kind]
        names = {spot.name: False for spot in spots}
        cites = part.citing(cite.SpotCites, names | {"spot": not all(map(part.cites, names))})
        for spot in spots:
            terms[spot] = Terms(
                spot=spot,
                pays=pays,
                spot_cites=cites.of_spot[spot.name] or cites.spot,
                pays_cites=cites.pays,
                minimum_of=(kind,),
                minimum_times=1,
                minimum_cites=(),
                maximum_of=kind,
                maximum_times=1,
                limit_cites=(),
                halves=False,
            )
        part.done()
    if section.has("straddle"):
        terms.update(_straddles(section.section("straddle")))
    section.done()
    return terms


def _straddles(section: Section) -> dict[Spot, Terms]:
    plays = section.one("plays", book.StraddlePlay)
    halves = plays is book.StraddlePlay.HALVES
    pays = Fraction(0) if halves else _odds(section, "pays")
    minimum = section.integer("minimum", least=1)
    maximum = section.integer("maximum", least=1)
    offered = section.section("offered")
    bound_by = {name: offered.one(name, SpotClass) for name in offered.keys()}
    cites = section.citing(cite.StraddleCites, dict.fromkeys(bound_by, True))
    limit_cites = offered.citing(cite.NamedCites).named
    terms: dict[Spot, Terms] = {}
    for name, limited_by in bound_by.items():
        spot = SPOTS.get(name)
        if spot is None or spot.kind is not SpotClass.STRADDLE:
            known = ", ".join(s.name for s in SPOTS.values() if s.kind is SpotClass.STRADDLE)
            raise offered.error(name, f"expected one of: {known}")
        boxes = tuple(dict.fromkeys(book.classes_of(spot)))
        if limited_by not in boxes:
            raise offered.error(name, f"expected one of: {', '.join(boxes)}")
        terms[spot] = Terms(
            spot=spot,
            pays=pays,
            spot_cites=cites.of_spot[name],
            pays_cites=cites.plays if halves else (),
            minimum_of=boxes,
            minimum_times=minimum,
            minimum_cites=cites.minimum,
            maximum_of=limited_by,
            maximum_times=maximum,
            limit_cites=limit_cites[name],
            halves=halves,
        )
    section.done()
    return terms


def _odds(section: Section, key: str) -> Fraction:
    pair = section.take(key)
    whole = isinstance(pair, list) and len(pair) == 2 and all(type(n) is int for n in pair)
    if not whole or pair[0] < 1 or pair[1] < 1:
        raise section.error(key, "expected two whole numbers, such as [1, 2] for half the stake")
    return Fraction(pair[0], pair[1])


def _settled(section: Section) -> cite.SettledCites:
    cites = section.citing(cite.SettledCites, {"won": True, "lost": True, "rounded": False})
    section.done()
    return cites


def _zero(section: Section) -> book.ZeroRules:
    simple = section.one("simple", book.ZeroRule)
    prison = simple is not book.ZeroRule.LOSE
    occasions = dict.fromkeys(("half", "prison", "freed", "taken", "again"), prison)
    occasions |= {"unchosen": simple is book.ZeroRule.CHOICE, "double": True, "wins": True}
    rules = book.ZeroRules(
        simple=simple,
        again=section.one("again", book.ZeroAgain) if prison else None,
        last_is_forced=section.flag("last_is_forced", default=False),
        small_halves_stay=section.flag("small_halves_stay", default=False),
        void_reopens_choice=section.flag("void_reopens_choice", default=False),
        cites=section.citing(cite.ZeroCites, occasions),
    )
    section.done()
    return rules


def _limits(section: Section) -> book.LimitRules:
    multiples = section.section("multiples_of_minimum", default={})
    rules = book.LimitRules(
        kept=section.many("kept", book.LimitsKept, least=1),
        change_while_open=section.flag("change_while_open"),
        change_binds=section.one("change_binds", book.ChangeBinds, default="betting"),
        third_parties=section.flag("third_parties"),
        multiples_of_minimum={
            SpotClass(key): multiples.integer(key, least=1)
            for key in multiples.keys()
            if _limited_class(multiples, key)
        },
        cites=section.citing(cite.LimitCites, {"minimum": True, "maximum": True}),
    )
    multiples.citing(cite.NamedCites)
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
    multiples = section.one("multiples", book.LateExcess)
    cascades = multiples is book.LateExcess.CASCADE
    chances = section.one("chances", book.LateExcess)
    if chances is book.LateExcess.CASCADE:
        raise section.error("chances", "only the excess of a multiple can cascade")
    rules = book.ExcessRules(
        multiples=multiples,
        chances=chances,
        multiples_until=section.one("multiples_until", book.Instant),
        chances_until=section.one("chances_until", book.Instant),
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


PAYMENT_CLASSES = (*LIMITED, "straddle", "straddle-dozen", "straddle-column")


def _payment(section: Section) -> book.PaymentRules:
    order = section.take("order")
    groups: list[frozenset[str]] = []
    if not isinstance(order, list):
        raise section.error("order", "expected a list of lists of classes")
    for group in order:
        if not isinstance(group, list) or not all(each in PAYMENT_CLASSES for each in group):
            raise section.error("order", f"expected lists of: {', '.join(PAYMENT_CLASSES)}")
        groups.append(frozenset(group))
    named = [name for group in order for name in group]
    if len(set(named)) != len(named):
        raise section.error("order", "the same class stands twice")
    for kind in LIMITED:
        if kind not in named:
            raise section.error("order", f"no place is given to {kind}")
    rules = book.PaymentRules(
        order=tuple(groups),
        by=section.one("by", book.PayBy),
        value_chips_last=section.flag("value_chips_last", default=False),
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


def _announcements(section: Section) -> book.AnnouncementRules:
    calls = section.section("calls", default={})
    neighbours = section.integer("neighbours", least=1) if section.has("neighbours") else None
    replays = section.many("replays", book.Replay, default=[])
    occasions = {replay.value: replay in replays for replay in book.Replay}
    occasions |= {"sector": neighbours is not None, "not_taken": True}
    rules = book.AnnouncementRules(
        must_be_covered=section.flag("must_be_covered"),
        calls={name: _call(calls.section(name), name) for name in calls.keys()},
        neighbours=neighbours,
        replays=replays,
        cites=section.citing(cite.AnnouncementCites, occasions, name=book.Replay),
    )
    calls.citing(cite.NamedCites)
    section.done()
    return rules


def _call(section: Section, name: str) -> book.Call:
    spots: list[Spot] = []
    for piece in section.texts("pieces"):
        spot = SPOTS.get(piece)
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
    rules = book.ChipRules(
        on_numbers=section.many("on_numbers", book.ChipKind, least=1),
        on_chances=section.many("on_chances", book.ChipKind, least=1),
        own_colour=section.flag("own_colour"),
        colour_worth=section.one("colour_worth", book.ColourWorth, default="any"),
        value_counted_in=section.one("value_counted_in", book.ValueCounted, default="own"),
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
        winners_stay=section.one("winners_stay", book.Winning),
        cites=section.citing(cite.BettingCites, occasions),
    )
    section.done()
    return rules


def _absence(section: Section) -> book.AbsenceRules:
    rules = book.AbsenceRules(
        to_custody=section.flag("to_custody"),
        multiples_after=section.integer("multiples_after", least=0, default=0),
        chances_after=section.integer("chances_after", least=0, default=0),
        cites=section.citing(cite.AbsenceCites),
    )
    section.done()
    return rules


def _wheel(section: Section) -> book.WheelRules:
    causes = frozenset(section.many("causes", book.Cause, least=1))
    occasions = {cause.value: cause in causes for cause in book.Cause}
    occasions |= dict.fromkeys(("stakes_stay", "too_late", "corrected"), True)
    rules = book.WheelRules(
        alternates=section.flag("alternates"),
        ball_against_wheel=section.flag("ball_against_wheel"),
        causes=causes,
        cites=section.citing(cite.WheelCites, occasions, name=book.Cause),
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
    book.NumberCall.NUMBER: (),
    book.NumberCall.NUMBER_COLOUR: ("red", "black"),
    book.NumberCall.NUMBER_CHANCES: SIMPLE_CHANCES,
    book.NumberCall.COLOUR_NUMBER: ("red", "black"),
}
"""The chances that are called with a number, and so need words."""


def _calls(section: Section, house: str) -> book.CallRules:
    language = section.text("language")
    if language not in NUMERALS:
        raise section.error("language", f"expected one of: {', '.join(NUMERALS)}")
    number = section.one("number", book.NumberCall)
    chances = section.section("chances", default={})
    rules = book.CallRules(
        open_betting=section.text("open_betting"),
        invites=section.one("invites", book.Invitation, default=book.Invitation.BETTING.value),
        no_more_bets=section.text("no_more_bets"),
        void=section.text("void"),
        number=number,
        language=house if language == DIGITS else language,
        numbers=NUMERALS[language],
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
    """Checks what no single section can see: posts for every act, closing calls."""
    given = frozenset(act for post in found.posts.values() for act in post.may)
    needed = {book.Act.LAUNCH_BALL, book.Act.CLOSE_BETTING, book.Act.POCKET_BALL}
    needed |= {book.Act.CALL_NUMBER, book.Act.VOID_BALL, *book.CHIP_ACTS} - {book.Act.CORRECT}
    if book.LimitsKept.POLICED in found.limits.kept:
        needed.add(book.Act.NOTICE_EXCESS)
        if found.excess is None:
            raise RulebookError(file, "[excess]", "policed limits need articles on excess")
    if found.closing.last_games:
        needed.add(book.Act.ANNOUNCE_LAST_GAMES)
        if len(found.calls.games_left) != found.closing.last_games:
            raise RulebookError(file, "[calls] games_left", "expected a call for each last game")
    if found.betting.exception_after_close:
        needed.add(book.Act.GRANT_EXCEPTION)
    if found.limits.change_while_open:
        needed.add(book.Act.CHANGE_LIMITS)
    if book.Act.ORDER_CORRECTION in given:
        needed.add(book.Act.CORRECT)
    for act in sorted(needed - given):
        raise RulebookError(file, "[posts]", f"no post may {act}")
    check_staff(found, file=file)
    if found.reduction is not None:
        _check_reduced(found, file=file)


def _check_reduced(found: Rulebook, *, file: str) -> None:
    """Checks that a house that reduces counts by colour and pays from the spool."""
    if found.payment.by is not book.PayBy.SPOOL:
        problem = "expected spool, for this house has a [reduction]"
        raise RulebookError(file, "[payment] by", problem)
    if found.chips.on_numbers != (book.ChipKind.COLOUR,):
        problem = "expected colour alone, for this house has a [reduction]"
        raise RulebookError(file, "[chips] on_numbers", problem)
