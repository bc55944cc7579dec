"""Settlement: from the number that came out to a line for every stake, each with its articles.

`settle` is a pure function of the book, the stakes and the pocket. It decides money only; when
things happen (what was noticed in time, who chose what) is the table's to know.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from novamas.game.announcements import call_of
from novamas.game.cloth import SPOTS, Spot, SpotClass
from novamas.game.excess import Descent, Over, cascade, divide_excess, positions_over
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.lines import Line, Part, Reason, Settlement, Unplayed, cited
from novamas.game.money import halve, times
from novamas.game.payment import in_order
from novamas.game.reduction import settle_reductions
from novamas.game.rulebook.model import (
    ChipKind,
    ExcessRules,
    LateExcess,
    Rulebook,
    Terms,
    Winning,
    ZeroAgain,
    ZeroRule,
)
from novamas.game.spot_classes import class_pays, class_terms
from novamas.game.stakes import Prisoner, Stake


class RulebookWithoutExcessError(LookupError):
    """The house has no articles on excess."""


class Fate(IntEnum):
    """What a pocket does to a spot."""

    LOSES = 0
    WINS = 1
    HALF_WINS = 2
    ZERO = 3


class Verdict(NamedTuple):
    """What a pocket does to every stake on a spot."""

    fate: Fate
    pays: Fraction
    won: tuple[str, ...]
    lost: tuple[str, ...]
    rank: int
    """Its place in the house's order of payment."""
    kind: SpotClass
    """The class at which it wins: its own, or that of a straddle's winning box."""

    @property
    def whole(self) -> bool:
        """Whether whole amounts win whole amounts."""
        return self.pays.denominator == 1


def settle(
    book: Rulebook,
    pocket: int,
    stakes: Iterable[Stake],
    *,
    prison: Iterable[Prisoner] = (),
    limits: Limits = NO_LIMITS,
    winning: Winning = Winning.HAND,
    last: bool = False,
    coup: int = 1,
) -> Settlement:
    """Settles a coup.

    `last` says that it is the session's last, so that nothing can stay in prison where the house
    forces the half to be taken. `coup` is its number, which names the stakes that a reduction
    makes.

    >>> from novamas.rulebooks import load
    >>> from novamas.game.cloth import spot
    >>> line = settle(load("ar"), 17, [Stake("b1", "ana", spot("17"), 3)]).lines[0]
    >>> line.won, line.returned, line.articles
    (105, 3, ('AR-5.b', 'AR-5.a'))
    """
    stakes, prison = tuple(stakes), tuple(prison)
    settlement = _Coup(book, pocket, stakes, limits, winning, last=last).settle(prison)
    return settle_reductions(book, settlement, lying=(*stakes, *prison), coup=coup)


class _Coup:
    """The work of settling one coup."""

    def __init__(
        self,
        book: Rulebook,
        pocket: int,
        stakes: tuple[Stake, ...],
        limits: Limits,
        winning: Winning,
        *,
        last: bool,
    ) -> None:
        self.book = book
        self.pocket = pocket
        self.stakes = stakes
        self.limits = limits
        self.winning = winning
        self.last = last
        self.verdicts = verdicts(book, pocket)
        self.maxima = limits.maxima(book)
        self.collected: list[Line] = []
        self.paid: list[tuple[int, int, Line]] = []
        self.divided: dict[tuple[str, Spot, int], list[Stake]] = defaultdict(list)
        self.riding: dict[tuple[str, Spot], int] = defaultdict(int)
        self.cascades: dict[str, dict[str, Descent]] = {}

    def settle(self, prison: Iterable[Prisoner]) -> Settlement:
        freed = [self._prisoner(prisoner) for prisoner in prison]
        over = positions_over(self.book, self.stakes, self.maxima)
        settled_apart = {stake.id for stakes in over for stake in stakes}
        collected, paid, verdicts = self.collected, self.paid, self.verdicts
        wins, loses, foreign = Fate.WINS, Fate.LOSES, ChipKind.FOREIGN
        stays = self.winning is not Winning.HAND
        for place, stake in enumerate(self.stakes, start=1):
            if stake.id in settled_apart:
                continue
            verdict = verdicts[stake.spot]
            fate = verdict.fate
            if stake.call is not None or stake.away or stake.kind is foreign:
                self._add(place, verdict, self._special(stake, verdict))
            elif fate is loses:
                collected.append(Line.all_lost(stake, verdict.lost))
            elif fate is wins and verdict.whole:
                won = times(stake.amount, verdict.pays)
                line = Line.all_won(stake, won, verdict.won, stays=stays)
                paid.append((verdict.rank, place, line))
            else:
                self._add(place, verdict, self._special(stake, verdict))
        for stakes in over:
            self._settle_over(stakes)
        self._divide()
        lines = (*self.collected, *freed, *in_order(self.book, self.paid))
        return Settlement(self.pocket, lines)

    def _add(self, place: int, verdict: Verdict, line: Line | None) -> None:
        if line is None:
            return
        if line.won:
            self.paid.append((verdict.rank, place, line))
        else:
            self.collected.append(line)

    # Excess that nobody noticed in time ------------------------------------------------------

    def _settle_over(self, stakes: Sequence[Stake]) -> None:
        """Settles the stakes of one player on one spot where he has more than the maximum."""
        rules = self.excess
        spot = stakes[0].spot
        verdict = self.verdicts[spot]
        multiple = spot.kind.on_numbers
        cascades = multiple and rules.multiples is LateExcess.CASCADE
        late = rules.cites.multiples if multiple else rules.cites.chances
        if verdict.fate is Fate.HALF_WINS:
            late = cited(late, rules.cites.halves)
        if any(stake.principal for stake in stakes):
            late = cited(late, rules.cites.third_parties)
        together = rules.cites.together if len(stakes) > 1 else ()
        for over in divide_excess(self.book, stakes, self.maxima[spot]):
            if verdict.fate is Fate.WINS and cascades and over.excess:
                line = self._cascaded(over, verdict)
            elif verdict.fate in (Fate.WINS, Fate.HALF_WINS):
                line = self._capped(over, verdict, late if over.excess else ())
            elif verdict.fate is Fate.ZERO:
                # Nothing is won, so no winnings go unpaid and nothing is given back for them.
                line = self._zero(over.stake, over.plays + over.excess, _unclear(over))
            else:
                line = self._lost_over(over, verdict)
            cites = rules.cites.unclear_plays_maximum if over.unclear else ()
            if over.unclear and multiple:
                cites = cited(cites, rules.cites.unclear_multiples)
            if over.unclear or (over.excess and verdict.fate is not Fate.ZERO):
                line = line._replace(articles=cited(line.articles, cites, together))
            self._add(self.places[over.stake.id], verdict, line)

    @cached_property
    def excess(self) -> ExcessRules:
        """The house's articles on excess; only asked where there is one."""
        if self.book.excess is None:
            raise RulebookWithoutExcessError(self.book.id)
        return self.book.excess

    @cached_property
    def winners(self) -> dict[str, list[Stake]]:
        """The winning stakes on the numbers, by who answers for them."""
        found: dict[str, list[Stake]] = defaultdict(list)
        for stake in self.stakes:
            if self.pocket in stake.spot.numbers and stake.spot.kind.on_numbers:
                found[stake.whose].append(stake)
        return found

    @cached_property
    def places(self) -> dict[str, int]:
        """The order in which the stakes were laid."""
        return {stake.id: place for place, stake in enumerate(self.stakes, start=1)}

    def _lost_over(self, over: Over, verdict: Verdict) -> Line:
        lost = over.plays + over.excess
        cites = self.excess.cites.lost if over.excess else ()
        articles = cited(self._lost_cites(over.stake, verdict), cites)
        return Line(
            over.stake,
            returned=over.unclear,
            lost=lost,
            articles=articles,
            unplayed=_unclear(over),
        )

    def _capped(self, over: Over, verdict: Verdict, cites: tuple[str, ...]) -> Line:
        """A winner that is deemed to play the maximum; the rest goes back."""
        stake = over.stake
        articles = cited(self._won_cites(over, verdict), cites)
        rests = (*_unplayed(Reason.EXCESS, over.excess), *_unclear(over))
        if verdict.fate is Fate.HALF_WINS:
            return self._half_wins(stake, over.plays, verdict, articles, rests)
        won = times(over.plays, verdict.pays)
        articles = cited(articles, self._rounded(over.plays * verdict.pays))
        parts = (Part(verdict.kind, over.plays, won),)
        return self._kept(stake, won, over.plays, articles, parts, rests)

    def _cascaded(self, over: Over, verdict: Verdict) -> Line:
        """A winning multiple whose excess plays on at the lower classes (AR-14)."""
        stake = over.stake
        parts = [Part(stake.spot.kind, over.plays, times(over.plays, verdict.pays))]
        owner = stake.whose
        if owner not in self.cascades:
            winners = self.winners[owner]
            self.cascades[owner] = cascade(self.book, self.pocket, winners, self.limits)
        descent = self.cascades[owner][stake.id]
        for kind, amount in descent.parts:
            parts.append(Part(kind, amount, times(amount, class_pays(self.book, kind))))
        went_down = sum(part.amount for part in parts[1:])
        remains = over.excess - went_down
        articles = cited(
            self._won_cites(over, verdict),
            self.excess.cites.multiples if went_down else (),
            *(class_terms(self.book, part.kind).pays_cites for part in parts[1:]),
            self.excess.cites.at_class if went_down else (),
            self.excess.cites.remainder if remains else (),
            *descent.decided_by,
        )
        won = sum(part.won for part in parts)
        rests = (*_unplayed(Reason.EXCESS, remains), *_unclear(over))
        return self._kept(stake, won, over.plays, articles, tuple(parts), rests)

    # Stakes that need more than a look at the verdict -----------------------------------------

    def _special(self, stake: Stake, verdict: Verdict) -> Line | None:
        if verdict.fate is Fate.LOSES:
            articles = self._lost_cites(stake, verdict)
            return Line.all_lost(stake, articles)
        if verdict.fate is Fate.ZERO:
            return self._zero(stake, stake.amount)
        articles = cited(self._call_cites(stake), verdict.won)
        if verdict.fate is Fate.HALF_WINS:
            return self._half_wins(stake, stake.amount, verdict, articles)
        exact = stake.amount * verdict.pays
        articles = cited(articles, self._rounded(exact))
        return self._kept(stake, times(stake.amount, verdict.pays), stake.amount, articles)

    def _rounded(self, *exact: Fraction) -> tuple[str, ...]:
        """The articles for a part of a unit that is made whole, if there is one."""
        whole = all(each.denominator == 1 for each in exact)
        return () if whole else self.book.settled.rounded

    def _call_cites(self, stake: Stake) -> tuple[str, ...]:
        if stake.call is None:
            return ()
        return call_cites(self.book, stake.call, stake.spot, self.pocket)

    def _won_cites(self, over: Over, verdict: Verdict) -> tuple[str, ...]:
        """The articles of a winner over the maximum; where nothing of it plays, none pays it."""
        won = verdict.won if over.plays else self.book.terms[over.stake.spot].spot_cites
        return cited(self._call_cites(over.stake), won)

    def _lost_cites(self, stake: Stake, verdict: Verdict) -> tuple[str, ...]:
        foreign = stake.kind is ChipKind.FOREIGN
        cites = self.book.chips.cites.foreign_lost if foreign else ()
        return cited(self._call_cites(stake), verdict.lost, cites)

    def _kept(
        self,
        stake: Stake,
        won: int,
        plays: int,
        articles: tuple[str, ...],
        parts: tuple[Part, ...] = (),
        unplayed: tuple[Unplayed, ...] = (),
        *,
        lost: int = 0,
    ) -> Line:
        """The line of a winner: where its stake goes, and with an absent owner its winnings too.

        `plays` is what won and may stay. What a cascade took plays for this coup alone: it goes
        back to the hand, as does what did not play.
        """
        rest = sum(part.amount for part in parts[1:]) + sum(each.amount for each in unplayed)
        line = Line(
            stake,
            won=won,
            returned=plays + rest,
            lost=lost,
            articles=articles,
            parts=parts,
            unplayed=unplayed,
        )
        if stake.kind is ChipKind.FOREIGN:
            # Chips of another table are handed back as they are (AMB-IT-14).
            chips = self.book.chips.cites
            cites = chips.foreign_unknown if stake.unclear else chips.foreign_known
            return line._replace(articles=cited(articles, cites))
        if stake.away:
            return self._unclaimed(stake, line, plays)
        if self.winning is Winning.CLOTH:
            return line._replace(returned=rest, stays=plays)
        return line

    def _unclaimed(self, stake: Stake, line: Line, plays: int) -> Line:
        """A winner whose owner is away: to the hand (X-07), or to the house's custody (IT-14).

        `line` has it in the hand; `plays` is what of the stake won and may ride.
        """
        rules = self.book.absence
        if not rules.to_custody:
            cites = rules.cites.to_custody if self.winning is Winning.CLOTH else ()
            return line._replace(articles=cited(line.articles, cites))
        multiple = stake.spot.kind.on_numbers
        wait = rules.multiples_after if multiple else rules.chances_after
        waited = 0 if stake.waited is None else stake.waited + 1
        cites = rules.cites.multiples_after if multiple else rules.cites.chances_after
        articles = cited(line.articles, cites)
        whole = line.won + line.returned
        if waited >= wait:
            return line._replace(returned=0, aside=whole, articles=articles)
        # All that rides for one player on a spot keeps to the maximum together; what lay above
        # it does not ride (IT-general-15c).
        most, where = self.maxima.get(stake.spot), (stake.whose, stake.spot)
        rides = line.won + plays
        if most is not None:
            room = max(0, most - self.riding[where])
            # Whole chips ride: else zero would give back what is less than one, undivided.
            rides = rides if rides <= room else room - room % stake.chip
        self.riding[where] += rides
        return line._replace(returned=0, stays=rides, aside=whole - rides, articles=articles)

    def _half_wins(
        self,
        stake: Stake,
        plays: int,
        verdict: Verdict,
        articles: tuple[str, ...],
        unplayed: tuple[Unplayed, ...] = (),
    ) -> Line:
        """A straddle of which half wins in its box and half loses in the other (AR-11.a3)."""
        winning_half, losing_half = halve(plays)
        # Stake and gain of the half are made whole together, so that a unit is rounded once.
        won = times(plays, (verdict.pays + 1) / 2) - winning_half
        articles = cited(articles, self._rounded(Fraction(plays, 2)))
        parts = (Part(verdict.kind, winning_half, won),)
        line = self._kept(stake, won, winning_half, articles, parts, unplayed, lost=losing_half)
        if line.stays and not stake.away:
            # A winning half cannot lie across the line alone: it goes back to its owner.
            line = line._replace(stays=0, returned=line.returned + line.stays)
        return line

    # Zero and prison ----------------------------------------------------------------------------

    def _zero(self, stake: Stake, plays: int, unplayed: tuple[Unplayed, ...] = ()) -> Line:
        """A simple chance when zero comes out, where the house does not simply take it."""
        rules = self.book.zero
        rest = sum(each.amount for each in unplayed)
        cites = self.book.terms[stake.spot].spot_cites
        if rules.simple is ZeroRule.CHOICE:
            if self.last and rules.last_is_forced:
                back, lost = halve(plays)
                articles = cited(cites, rules.cites.half, rules.cites.last_is_forced)
                articles = cited(articles, self._rounded(Fraction(plays, 2)))
                back += rest
                return Line(stake, returned=back, lost=lost, articles=articles, unplayed=unplayed)
            articles = cited(cites, rules.cites.prison)
            return Line(stake, returned=rest, held=plays, articles=articles, unplayed=unplayed)
        chips, loose = divmod(plays, stake.chip)
        half = chips // 2 * stake.chip
        held = chips % 2 * stake.chip
        # A single chip cannot be divided at all: it goes to prison, and no more is said of it.
        divided = rules.cites.half if half or not held else ()
        articles = cited(
            cites,
            divided,
            rules.cites.prison if held else (),
            self._rounded(Fraction(plays, stake.chip)),
        )
        unplayed = (*unplayed, *_unplayed(Reason.LOOSE, loose))
        if held:
            self.divided[stake.player, stake.spot, stake.chip].append(stake)
        back = half + loose + rest
        return Line(
            stake, returned=back, lost=half, held=held, articles=articles, unplayed=unplayed
        )

    def _divide(self) -> None:
        """Divides the odd chips that a player has in several stakes on one chance.

        A partage counts his chips on the chance, however many times he laid them, so two odd
        chips of one value make an even pair: one goes back, one to the bank.
        """
        rules = self.book.zero
        paired: dict[str, bool] = {}
        for stakes in self.divided.values():
            for first, second in zip(stakes[0::2], stakes[1::2], strict=False):
                paired[first.id] = True
                paired[second.id] = False
        if not paired:
            return
        for place, line in enumerate(self.collected):
            goes_back = paired.get(line.stake.id)
            if goes_back is None or not line.held:
                continue
            kept = tuple(id for id in line.articles if id not in rules.cites.prison)
            chip = line.held
            self.collected[place] = line._replace(
                held=0,
                returned=line.returned + (chip if goes_back else 0),
                lost=line.lost + (0 if goes_back else chip),
                articles=cited(kept, rules.cites.half),
            )

    def _prisoner(self, prisoner: Prisoner) -> Line:
        rules = self.book.zero
        cites = self.book.terms[prisoner.spot].spot_cites
        amount = prisoner.amount
        if self.pocket != 0:
            if self.pocket in prisoner.spot.numbers:
                articles = cited(cites, rules.cites.freed)
                return Line(prisoner, returned=amount, articles=articles)
            return Line(prisoner, lost=amount, articles=cited(cites, rules.cites.taken))
        again = cited(cites, rules.cites.again)
        if rules.again is ZeroAgain.STAY:
            return Line(prisoner, held=amount, articles=again)
        if rules.again is ZeroAgain.LOSE:
            return Line(prisoner, lost=amount, articles=again)
        value, gone = halve(amount)
        if self.last and rules.last_is_forced:
            back, lost = halve(value)
            rounded = self._rounded(Fraction(amount, 2), Fraction(value, 2))
            articles = cited(again, rules.cites.last_is_forced, rounded)
            return Line(prisoner, returned=back, lost=gone + lost, articles=articles)
        again = cited(again, self._rounded(Fraction(amount, 2)))
        return Line(prisoner, lost=gone, held=value, articles=again)


def _unplayed(reason: Reason, amount: int) -> tuple[Unplayed, ...]:
    """What did not play for a reason, if there is any."""
    return (Unplayed(reason, amount),) if amount else ()


def _unclear(over: Over) -> tuple[Unplayed, ...]:
    return _unplayed(Reason.UNCLEAR, over.unclear)


def call_cites(book: Rulebook, name: str, spot: Spot, pocket: int) -> tuple[str, ...]:
    """The articles behind a piece of an announcement.

    They are those of the call, of the piece, and of the number that came out where the house says
    something of its own about it (BG-25).
    """
    key = ("call", name, spot, pocket)
    if key not in book.derived:
        call = call_of(book, name)
        found: tuple[str, ...] = ()
        if call is not None:
            of_pieces = call.piece_cites
            piece = of_pieces.get(spot.name, of_pieces.get("*", ()))
            hit = of_pieces.get(f"number {pocket}", ()) if pocket in spot.numbers else ()
            found = cited(call.cites, piece, hit)
        book.derived[key] = found
    cites: tuple[str, ...] = book.derived[key]  # type: ignore[assignment]
    return cites


def verdicts(book: Rulebook, pocket: int) -> dict[Spot, Verdict]:
    """What a pocket does to each spot of the house; worked out once for each pocket."""
    key = ("verdicts", pocket)
    if key not in book.derived:
        ranks = _ranks(book)
        book.derived[key] = {
            spot: _verdict(book, terms, pocket, ranks[spot]) for spot, terms in book.terms.items()
        }
    found: dict[Spot, Verdict] = book.derived[key]  # type: ignore[assignment]
    return found


def _ranks(book: Rulebook) -> dict[Spot, int]:
    place = {name: rank for rank, group in enumerate(book.payment.order) for name in group}
    ranks: dict[Spot, int] = {}
    for spot in book.terms:
        name = spot.kind.value
        if spot.boxes:
            exact = f"straddle-{SPOTS[spot.boxes[0]].kind}"
            name = exact if exact in place else name
        ranks[spot] = place.get(name, len(place))
    return ranks


def _verdict(book: Rulebook, terms: Terms, pocket: int, rank: int) -> Verdict:
    spot, zero = terms.spot, book.zero
    won = cited(terms.spot_cites, terms.pays_cites, book.settled.won)
    lost = cited(terms.spot_cites, book.settled.lost)
    if pocket in spot.numbers:
        if terms.halves:
            box = next(SPOTS[name] for name in spot.boxes if pocket in SPOTS[name].numbers)
            inner = book.terms[box]
            won = cited(won, inner.spot_cites, inner.pays_cites)
            return Verdict(Fate.HALF_WINS, inner.pays, won, lost, rank, box.kind)
        if pocket == 0:
            won = cited(won, zero.cites.wins)
        return Verdict(Fate.WINS, terms.pays, won, lost, rank, spot.kind)
    if pocket == 0 and not spot.kind.on_numbers:
        simple = spot.kind is SpotClass.SIMPLE
        if simple and zero.simple is not ZeroRule.LOSE:
            return Verdict(Fate.ZERO, terms.pays, won, lost, rank, spot.kind)
        lost = cited(lost, zero.cites.simple if simple else zero.cites.double)
    return Verdict(Fate.LOSES, terms.pays, won, lost, rank, spot.kind)
