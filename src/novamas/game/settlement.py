"""Settlement: from the number that came out to a line for every stake, each with its articles.

`settle` is a pure function of the book, the stakes and the pocket. It decides money only. The table
knows when things happen: what was noticed in time, and who chose what.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice

from novamas.game.announcements import call_cites
from novamas.game.cloth import Spot
from novamas.game.errors import UsageError
from novamas.game.excess import (
    Descent,
    Over,
    RulebookWithoutExcessError,
    cascade,
    divide_excess,
    winning_numbers,
)
from novamas.game.limits import NO_LIMITS, Limits, maxima_of
from novamas.game.lines import Line, Part, Reason, Settlement, Unplayed, cited, not_played
from novamas.game.money import halve, is_whole, times
from novamas.game.partage import pair_odd_chips
from novamas.game.payment_order import in_order, note
from novamas.game.positions import Position, Positions, above_maxima
from novamas.game.reduction import settle_reductions
from novamas.game.rulebook.behaviours import (
    AbsenceEnds,
    ChipKind,
    LateExcess,
    Winning,
    ZeroAgain,
    ZeroRule,
)
from novamas.game.rulebook.model import ExcessRules, Rulebook
from novamas.game.spot_classes import class_pays, class_terms
from novamas.game.stakes import Prisoner, Stake
from novamas.game.verdicts import Fate, Verdict, straddle_halves, verdicts
from novamas.game.wheel import Pocket, is_zero


def settle(  # noqa: PLR0913 - each is something that a table decides, and all have names.
    book: Rulebook,
    pocket: Pocket,
    stakes: Iterable[Stake],
    *,
    prison: Iterable[Prisoner] = (),
    limits: Limits = NO_LIMITS,
    winning: Winning = Winning.HAND,
    last: bool = False,
    coup: int = 1,
    on_spot: Mapping[Position, int] | None = None,
) -> Settlement:
    """Settles a coup.

    `last` says that it is the last coup of the session: nothing can stay in prison where the house
    then forces players to take the half. `coup` is its number, which names the stakes that a
    reduction makes. `on_spot` is what each player answers for on each spot: a table has counted it
    while the stakes were laid. Without it, it is counted here where a maximum applies.

    >>> from novamas.rulebooks import load
    >>> from novamas.game.cloth import spot
    >>> line = settle(load("ar"), 17, [Stake("b1", "ana", spot("17"), 3)]).lines[0]
    >>> line.won, line.returned, line.articles
    (105, 3, ('AR-5.b', 'AR-5.a'))
    """
    if pocket not in book.wheel.pockets:
        raise UsageError(f"pocket: expected {book.wheel.pockets.expected}, not {pocket!r}")
    return _Coup(book, pocket, tuple(stakes), limits, winning, last=last, on_spot=on_spot).settle(
        tuple(prison), coup=coup
    )


class _Coup:
    """The work of settling one coup.

    A stake's place is its number in the order in which the stakes were laid.
    """

    def __init__(
        self,
        book: Rulebook,
        pocket: Pocket,
        stakes: tuple[Stake, ...],
        limits: Limits,
        winning: Winning,
        *,
        last: bool,
        on_spot: Mapping[Position, int] | None,
    ) -> None:
        self.book = book
        self.pocket = pocket
        self.stakes = stakes
        self.limits = limits
        self.winning = winning
        self.last = last
        self.maxima = maxima_of(book, limits)
        self.over = {} if book.excess is None else above_maxima(stakes, self.maxima, on_spot)
        self.cloth = Positions(verdicts(book, pocket), self.over)
        self.collected: list[Line] = []
        self.within: list[tuple[list[int], list[str], int]] = []
        """Places and players of winners on the numbers, and how many are within the maxima: those
        come first."""
        self.for_others: list[int] = []
        """The places of winners within the maxima that somebody laid for another."""
        self.odd: Counter[tuple[str, Spot, bool]] = Counter()
        """Player, spot, and whether it goes into custody → how many odd stakes a zero halved."""
        self.divided: dict[tuple[str, Spot, int], list[Stake]] = defaultdict(list)
        self.staying: Counter[tuple[str, Spot]] | None = None
        """Player and spot → what stays of their winners; counted once something may ride."""
        self.cascades: dict[str, dict[str, Descent]] = {}

    def settle(self, prison: Sequence[Prisoner], *, coup: int) -> Settlement:
        freed = [self._prisoner(prisoner) for prisoner in prison]
        self._settle_stakes()
        self._settle_all_over()
        pair_odd_chips(self.book.zero, self.divided.values(), self.collected)
        lying = chain[Stake | Prisoner](self.stakes, prison)
        paid = in_order(self.book, self.cloth.paid, self.stakes)
        winners = settle_reductions(self.book, paid, lying=lying, coup=coup)
        return Settlement(self.pocket, (*self.collected, *freed, *winners))

    def _settle_stakes(self) -> None:
        """Settles the stakes that the number alone decides, then those that need more."""
        lost: list[Line | None] = [None] * len(self.stakes)
        later: list[int] = []
        cloth = self.cloth
        wins, half_wins, loses, foreign = Fate.WINS, Fate.HALF_WINS, Fate.LOSES, ChipKind.FOREIGN
        all_lost, all_won, half_won = Line.all_lost, Line.all_won, Line.half_won
        halves: dict[tuple[Spot, int], tuple[Part, int, tuple[str, ...]]] = {}
        stays, rounded = self.winning is not Winning.HAND, self.book.settled.rounded
        for place, stake in enumerate(self.stakes):
            verdict, over, above, paid = cloth[stake.spot]
            if over is not None and (stake.principal or stake.player) in over:
                above.append(place)
                continue
            fate = verdict.fate
            if stake.call is not None or stake.away or stake.kind is foreign:
                later.append(place)
                continue
            if fate is loses:
                lost[place] = all_lost(stake, verdict.lost)
                continue
            if fate is wins and verdict.odds is not None:
                line = all_won(stake, stake.amount * verdict.odds, verdict.won, stays=stays)
            elif fate is half_wins:
                # Equal stakes share what becomes of them: it never changes.
                equal = stake.spot, stake.amount
                if equal not in halves:
                    halves[equal] = straddle_halves(verdict, stake.amount, verdict.won, rounded)
                line = half_won(stake, *halves[equal])
                if not line.won:
                    lost[place] = line
                    continue
            else:
                later.append(place)
                continue
            places, players, lines = paid
            places.append(place)
            players.append(stake.player)
            lines.append(line)
            if stake.principal is not None:
                self.for_others.append(place)
        # What rides for an absent owner has the room that their other winners leave.
        for place in sorted(later, key=lambda place: self.stakes[place].away):
            self._settle_special(place, lost)
        self.collected = [line for line in lost if line is not None]

    def _settle_special(self, place: int, lost: list[Line | None]) -> None:
        """Settles a stake that needs more than a look at the verdict."""
        stake = self.stakes[place]
        verdict = self.cloth[stake.spot][0]
        line = self._special(stake, verdict)
        if line.won:
            self._pay(place, line)
            if stake.principal is not None:
                self.for_others.append(place)
        else:
            lost[place] = line

    def _pay(self, place: int, line: Line) -> None:
        """Adds the line of a winner."""
        note(self.cloth[line.stake.spot][-1], place, line)
        if self.staying is not None:
            self._stay(self.staying, place, line)

    def _stay(self, staying: Counter[tuple[str, Spot]], place: int, line: Line) -> None:
        stake = self.stakes[place]
        staying[stake.whose, stake.spot] += line.stays

    def _stays_there(self, stake: Stake) -> int:
        """What stays of a player's winners on a spot, as far as they are settled."""
        if self.staying is None:
            self.staying = Counter()
            for places, _, lines in self.cloth.paid.values():
                for place, line in zip(places, lines, strict=True):
                    self._stay(self.staying, place, line)
        return self.staying[stake.whose, stake.spot]

    # Excess that nobody noticed in time ------------------------------------------------------

    def _settle_all_over(self) -> None:
        """Settles the positions above a maximum, spot by spot."""
        if not self.over:
            return
        self.within = [
            (places, players, len(places))
            for (_, on_numbers), (places, players, _) in self.cloth.paid.items()
            if on_numbers
        ]
        for spot in self.maxima:
            if spot in self.over:
                firsts, several = self.cloth.over(spot, self.stakes)
                self._settle_spot_over(spot, firsts, several)

    def _settle_spot_over(
        self, spot: Spot, firsts: Sequence[int], several: Mapping[int, Sequence[int]]
    ) -> None:
        """Settles the positions above the maximum of a spot."""
        verdict = self.cloth[spot][0]
        loses = verdict.fate is Fate.LOSES
        alone = cited(verdict.lost, self.excess.cites.lost)
        laid, collected, all_lost = self.stakes, self.collected, Line.all_lost
        for first in firsts:
            if loses and first not in several:
                stake = laid[first]
                if not stake.is_special:
                    collected.append(all_lost(stake, alone))
                    continue
            places = several.get(first, (first,))
            stakes = [laid[place] for place in places]
            if loses and not any(stake.is_special for stake in stakes):
                self._lose_over(stakes, verdict)
            else:
                self._settle_over(places, stakes)

    def _settle_over(self, places: Sequence[int], stakes: Sequence[Stake]) -> None:
        """Settles the stakes of one player on one spot where they have more than the maximum."""
        spot, several = stakes[0].spot, len(stakes) > 1
        verdict = self.cloth[spot][0]
        divided = divide_excess(self.book, stakes, self.maxima[spot])
        rules = self.excess
        multiple = spot.kind.on_numbers
        cascades = multiple and rules.multiples is LateExcess.CASCADE
        plays_whole = (rules.multiples if multiple else rules.chances) is LateExcess.WHOLE
        late = rules.cites.multiples if multiple else rules.cites.chances
        if verdict.fate is Fate.HALF_WINS:
            late = cited(late, rules.cites.halves)
        if any(stake.principal for stake in stakes):
            late = cited(late, rules.cites.third_parties)
        together = rules.cites.together if several else ()
        lines: dict[int, Line] = {}
        for place, over in sorted(zip(places, divided, strict=True), key=lambda p: p[1].stake.away):
            if verdict.fate is Fate.WINS and cascades and over.excess:
                line = self._cascaded(over, verdict)
            elif verdict.fate in (Fate.WINS, Fate.HALF_WINS):
                whole = over._replace(plays=over.plays + over.excess, excess=0)
                late_cites = late if over.excess else ()
                line = self._capped(whole if plays_whole else over, verdict, late_cites)
            elif verdict.fate is Fate.ZERO:
                # Nothing is won, so there are no unpaid winnings to make good.
                line = self._zero(over.stake, over.plays + over.excess, over.not_clear)
            else:
                line = self._lost_over(over, verdict)
            cites = rules.cites.unclear_plays_maximum if over.unclear else ()
            if over.unclear and multiple:
                cites = cited(cites, rules.cites.unclear_multiples)
            if over.unclear or (over.excess and verdict.fate is not Fate.ZERO):
                line = line._replace(articles=cited(line.articles, cites, together))
            lines[place] = line
            if line.won:
                self._pay(place, line)
        self.collected += [lines[place] for place in places if not lines[place].won]

    def _lose_over(self, stakes: Sequence[Stake], verdict: Verdict) -> None:
        """Settles several plain stakes that lose together above the maximum.

        All that matters is which of them have a part above it: the later are cut first.
        """
        cites = self.excess.cites
        beyond = cited(verdict.lost, cites.lost, cites.together)
        within = self.maxima[stakes[0].spot]
        for stake in stakes:
            within -= stake.amount
            self.collected.append(Line.all_lost(stake, beyond if within < 0 else verdict.lost))

    @cached_property
    def excess(self) -> ExcessRules:
        """The house's articles on excess; raises `RulebookWithoutExcessError` if there are none."""
        if self.book.excess is None:
            raise RulebookWithoutExcessError(self.book.id)
        return self.book.excess

    def _lost_over(self, over: Over, verdict: Verdict) -> Line:
        lost = over.plays + over.excess
        cites = self.excess.cites.lost if over.excess else ()
        articles = cited(self._lost_cites(over.stake, verdict), cites)
        return Line(
            over.stake,
            returned=over.unclear,
            lost=lost,
            articles=articles,
            unplayed=over.not_clear,
        )

    def _capped(self, over: Over, verdict: Verdict, cites: tuple[str, ...]) -> Line:
        """The line of a winner that counts as playing the maximum; the rest is returned."""
        stake = over.stake
        articles = cited(self._won_cites(over, verdict), cites)
        rests = (*not_played(Reason.EXCESS, over.excess), *over.not_clear)
        if verdict.fate is Fate.HALF_WINS:
            return self._half_wins(stake, over.plays, verdict, articles, rests)
        won = times(over.plays, verdict.pays)
        articles = cited(articles, self._rounded(whole=is_whole(over.plays, verdict.pays)))
        parts = (Part(verdict.kind, over.plays, won),)
        return self._kept(stake, won, over.plays, articles, parts, rests)

    def _cascaded(self, over: Over, verdict: Verdict) -> Line:
        """The line of a winning multiple whose excess plays on at the lower classes (AR-14)."""
        stake = over.stake
        parts = [Part(stake.spot.kind, over.plays, times(over.plays, verdict.pays))]
        owner = stake.whose
        if owner not in self.cascades:
            winners = [self.stakes[place] for place in self.winners_on_numbers[owner]]
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
        rests = (*not_played(Reason.EXCESS, remains), *over.not_clear)
        return self._kept(stake, won, over.plays, articles, tuple(parts), rests)

    @cached_property
    def winners_on_numbers(self) -> dict[str, list[int]]:
        """Player → the places of their winners on the numbers, in the order they were laid.

        Only players who have one above a maximum are listed: nobody else asks.
        """
        found: dict[str, list[int]] = defaultdict(list)
        for spot in winning_numbers(self.book, self.pocket):
            for place in self.cloth[spot][2]:
                found[self.stakes[place].whose].append(place)
        for_others = set(self.for_others)
        for places, players, within in self.within:
            for place, player in zip(islice(places, within), players, strict=False):
                if player in found and place not in for_others:
                    found[player].append(place)
        for place in for_others:
            stake = self.stakes[place]
            if stake.spot.kind.on_numbers and stake.whose in found:
                found[stake.whose].append(place)
        return {player: sorted(places) for player, places in found.items()}

    # Stakes that need more than a look at the verdict -----------------------------------------

    def _special(self, stake: Stake, verdict: Verdict) -> Line:
        if verdict.fate is Fate.LOSES:
            articles = self._lost_cites(stake, verdict)
            return Line.all_lost(stake, articles)
        if verdict.fate is Fate.ZERO:
            return self._zero(stake, stake.amount)
        articles = cited(self._call_cites(stake), verdict.won)
        if verdict.fate is Fate.HALF_WINS:
            return self._half_wins(stake, stake.amount, verdict, articles)
        articles = cited(articles, self._rounded(whole=is_whole(stake.amount, verdict.pays)))
        return self._kept(stake, times(stake.amount, verdict.pays), stake.amount, articles)

    def _rounded(self, *, whole: bool) -> tuple[str, ...]:
        """The articles on rounding up to a whole unit, if the winnings were rounded."""
        return () if whole else self.book.settled.rounded

    def _call_cites(self, stake: Stake) -> tuple[str, ...]:
        if stake.call is None:
            return ()
        return call_cites(self.book, stake.call, stake.spot, self.pocket)

    def _won_cites(self, over: Over, verdict: Verdict) -> tuple[str, ...]:
        """The articles of a winner over the maximum; none on payment if nothing plays."""
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
        """The line of a winner: where its stake goes, and also its winnings if its owner is absent.

        `plays` is what won and may stay. What a cascade took plays for this coup only: it goes back
        to the hand, and so does what did not play.
        """
        rest = 0
        if len(parts) > 1 or unplayed:
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
        """Where a winner goes whose owner is away: to the hand (X-07) or into custody (IT-14).

        `line` has it in the hand; `plays` is the part of the stake that won and may ride.
        """
        rules = self.book.absence
        declared = rules.until is AbsenceEnds.DECLARED
        if not rules.to_custody:
            cites = rules.cites.to_custody if self.winning is Winning.CLOTH else ()
            return line._replace(articles=cited(line.articles, cites))
        multiple = stake.spot.kind.on_numbers
        wait = rules.multiples_after if multiple else rules.chances_after
        waited = 0 if stake.waited is None else stake.waited + 1
        cites = rules.cites.multiples_after if multiple else rules.cites.chances_after
        whole = line.won + line.returned
        if declared:
            cites = rules.cites.declared if multiple else rules.cites.rides
        articles = cited(line.articles, cites)
        if multiple if declared else waited >= wait:
            return line._replace(returned=0, aside=whole, articles=articles)
        # All that stays of one player's on a spot must be within the maximum; what lay above it
        # does not ride (IT-general-15c).
        most = self.maxima.get(stake.spot)
        rides = line.won + plays
        if most is not None:
            room = max(0, most - self._stays_there(stake))
            if self.book.zero.simple is ZeroRule.PARTAGE:
                # Only whole chips ride: otherwise zero would give back a part of a chip undivided.
                room -= room % stake.chip
            rides = min(rides, room)
        return line._replace(returned=0, stays=rides, aside=whole - rides, articles=articles)

    def _half_wins(
        self,
        stake: Stake,
        plays: int,
        verdict: Verdict,
        articles: tuple[str, ...],
        unplayed: tuple[Unplayed, ...] = (),
    ) -> Line:
        """Settles a straddle: half wins in one box, and half loses in the other (AR-11.a3)."""
        part, lost, articles = straddle_halves(verdict, plays, articles, self.book.settled.rounded)
        if stake.away or stake.kind is ChipKind.FOREIGN:
            won, winning = part.won, part.amount
            return self._kept(stake, won, winning, articles, (part,), unplayed, lost=lost)
        if not unplayed:
            return Line.half_won(stake, part, lost, articles)
        # A winning half alone cannot lie across the line, so it goes back to its owner.
        return Line(
            stake,
            won=part.won,
            returned=part.amount + sum(each.amount for each in unplayed),
            lost=lost,
            articles=articles,
            parts=(part,),
            unplayed=unplayed,
        )

    # Zero and prison ----------------------------------------------------------------------------

    def _zero(self, stake: Stake, plays: int, unplayed: tuple[Unplayed, ...] = ()) -> Line:
        """Settles a simple chance on zero, where the house does not simply take it."""
        rules = self.book.zero
        rest = sum(each.amount for each in unplayed)
        cites = self.book.terms[stake.spot].spot_cites
        if rules.simple is ZeroRule.CHOICE:
            if self.last and rules.last_is_forced:
                back, lost = halve(plays)
                articles = cited(cites, rules.cites.half, rules.cites.last_is_forced)
                articles = cited(articles, self._rounded(whole=plays % 2 == 0))
                back += rest
                line = Line(stake, returned=back, lost=lost, articles=articles, unplayed=unplayed)
                return self._given_back(line, away=stake.away)
            articles = cited(cites, rules.cites.prison)
            return Line(stake, returned=rest, held=plays, articles=articles, unplayed=unplayed)
        if rules.simple is ZeroRule.HALF:
            return self._halved(stake, plays, unplayed)
        chips, loose = divmod(plays, stake.chip)
        half = chips // 2 * stake.chip
        held = chips % 2 * stake.chip
        # A single chip cannot be divided: it goes to prison.
        divided = rules.cites.half if half or not held else ()
        articles = cited(
            cites,
            divided,
            rules.cites.prison if held else (),
            self._rounded(whole=not loose),
        )
        unplayed = (*unplayed, *not_played(Reason.LOOSE, loose))
        if held:
            self.divided[stake.player, stake.spot, stake.chip].append(stake)
        back = half + loose + rest
        return Line(
            stake, returned=back, lost=half, held=held, articles=articles, unplayed=unplayed
        )

    def _halved(self, stake: Stake, plays: int, unplayed: tuple[Unplayed, ...]) -> Line:
        """The line of a simple chance of which half goes back at once.

        Half of all that a player has on the chance goes back, so the odd units of their stakes go
        by turns to the player and to the bank, the first to the player (X-03).
        """
        rules = self.book.zero
        back, lost = halve(plays)
        if plays % 2:
            # What nobody is there to take is halved apart, because it goes elsewhere.
            apart = stake.away and self.book.absence.until is AbsenceEnds.DECLARED
            whose = (stake.player, stake.spot, apart)
            if self.odd[whose] % 2:
                back, lost = lost, back
            self.odd[whose] += 1
        articles = cited(
            self.book.terms[stake.spot].spot_cites,
            rules.cites.half,
            self._rounded(whole=back <= lost),
        )
        back += sum(each.amount for each in unplayed)
        line = Line(stake, returned=back, lost=lost, articles=articles, unplayed=unplayed)
        return self._given_back(line, away=stake.away)

    def _given_back(self, line: Line, *, away: bool) -> Line:
        """What zero leaves of a stake: it waits in custody if nobody is there to take it."""
        rules = self.book.absence
        if not away or not rules.to_custody or rules.until is not AbsenceEnds.DECLARED:
            return line
        articles = cited(line.articles, rules.cites.declared)
        return line._replace(returned=0, aside=line.returned, articles=articles)

    def _prisoner(self, prisoner: Prisoner) -> Line:
        rules = self.book.zero
        cites = self.book.terms[prisoner.spot].spot_cites
        amount = prisoner.amount
        if not is_zero(self.pocket):
            if self.pocket in prisoner.spot.numbers:
                articles = cited(cites, rules.cites.freed)
                line = Line(prisoner, returned=amount, articles=articles)
                return self._given_back(line, away=prisoner.away)
            return Line(prisoner, lost=amount, articles=cited(cites, rules.cites.taken))
        again = cited(cites, rules.cites.again)
        if rules.again is ZeroAgain.STAY:
            return Line(prisoner, held=amount, articles=again)
        if rules.again is ZeroAgain.LOSE:
            return Line(prisoner, lost=amount, articles=again)
        value, gone = halve(amount)
        if self.last and rules.last_is_forced:
            back, lost = halve(value)
            rounded = self._rounded(whole=amount % 2 == value % 2 == 0)
            articles = cited(again, rules.cites.last_is_forced, rounded)
            line = Line(prisoner, returned=back, lost=gone + lost, articles=articles)
            return self._given_back(line, away=prisoner.away)
        again = cited(again, self._rounded(whole=amount % 2 == 0))
        return Line(prisoner, lost=gone, held=value, articles=again)
