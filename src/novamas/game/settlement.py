"""Settlement: from the number that came out to a line for every stake, each with its articles.

`settle` is a pure function of the book, the stakes and the pocket. It decides money only. The table
knows when things happen: what was noticed in time, and who chose what.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain

from novamas.game import wheel
from novamas.game.announcements import call_of
from novamas.game.cloth import Spot
from novamas.game.errors import NovamasError, UsageError
from novamas.game.excess import Descent, Over, cascade, divide_excess, winning_numbers
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.lines import Line, Part, Reason, Settlement, Unplayed, cited
from novamas.game.money import halve, is_whole, times
from novamas.game.payment import Winner, in_order
from novamas.game.positions import Position, Positions, above_maxima
from novamas.game.reduction import settle_reductions
from novamas.game.rulebook.model import (
    ChipKind,
    ExcessRules,
    LateExcess,
    Rulebook,
    Winning,
    ZeroAgain,
    ZeroRule,
)
from novamas.game.spot_classes import class_pays, class_terms
from novamas.game.stakes import Prisoner, Stake
from novamas.game.verdicts import Fate, Verdict, verdicts


class RulebookWithoutExcessError(NovamasError, LookupError):
    """The house has no articles on excess."""


def settle(  # noqa: PLR0913 - each is something that a table decides, and all have names.
    book: Rulebook,
    pocket: int,
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
    if not wheel.is_pocket(pocket):
        raise UsageError(f"pocket: expected a whole number from 0 to 36, not {pocket!r}")
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
        pocket: int,
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
        self.maxima = limits.maxima(book)
        over = () if book.excess is None else above_maxima(stakes, self.maxima, on_spot)
        self.cloth = Positions(verdicts(book, pocket), over)
        self.collected: list[Line] = []
        self.paid: list[Winner] = []
        self.within = 0
        """How many of `paid` are not above a maximum; they are settled first."""
        self.divided: dict[tuple[str, Spot, int], list[Stake]] = defaultdict(list)
        self.staying: Counter[tuple[str, Spot]] | None = None
        """Player and spot → what stays of their winners; counted once something may ride."""
        self.cascades: dict[str, dict[str, Descent]] = {}

    def settle(self, prison: Sequence[Prisoner], *, coup: int) -> Settlement:
        freed = [self._prisoner(prisoner) for prisoner in prison]
        self._settle_stakes()
        self._divide()
        winners = in_order(self.book, self.paid)
        lying = chain[Stake | Prisoner](self.stakes, prison)
        winners = settle_reductions(self.book, winners, lying=lying, coup=coup)
        return Settlement(self.pocket, (*self.collected, *freed, *winners))

    def _settle_stakes(self) -> None:
        """Settles the stakes that the number alone decides, then those that need more."""
        lost: list[Line | None] = [None] * len(self.stakes)
        later: list[int] = []
        paid, cloth = self.paid, self.cloth
        wins, loses, foreign = Fate.WINS, Fate.LOSES, ChipKind.FOREIGN
        all_lost, all_won = Line.all_lost, Line.all_won
        stays = self.winning is not Winning.HAND
        for place, stake in enumerate(self.stakes):
            verdict, over = cloth[stake.spot]
            if over is not None:
                whose = stake.principal or stake.player
                if whose in over:
                    over[whose].append(place)
                    continue
            fate = verdict.fate
            if stake.call is not None or stake.away or stake.kind is foreign:
                later.append(place)
            elif fate is loses:
                lost[place] = all_lost(stake, verdict.lost)
            elif fate is wins and verdict.odds is not None:
                line = all_won(stake, stake.amount * verdict.odds, verdict.won, stays=stays)
                paid.append((verdict.rank, place, stake.player, verdict.kind, line))
            else:
                later.append(place)
        # What rides for an absent owner has the room that their other winners leave.
        for place in sorted(later, key=lambda place: self.stakes[place].away):
            self._settle_special(place, lost)
        self.collected = [line for line in lost if line is not None]
        self.within = len(self.paid)
        for spot in self.maxima:
            positions = cloth.over(spot)
            if positions:
                self._settle_spot_over(spot, positions)

    def _settle_special(self, place: int, lost: list[Line | None]) -> None:
        """Settles a stake that needs more than a look at the verdict."""
        stake = self.stakes[place]
        verdict = self.cloth[stake.spot].verdict
        line = self._special(stake, verdict)
        if line.won:
            self._pay(place, line, verdict)
        else:
            lost[place] = line

    def _pay(self, place: int, line: Line, verdict: Verdict) -> None:
        """Adds the line of a winner."""
        self.paid.append((verdict.rank, place, line.stake.player, verdict.kind, line))
        if self.staying is not None:
            self._stay(self.staying, place, line)

    def _stay(self, staying: Counter[tuple[str, Spot]], place: int, line: Line) -> None:
        stake = self.stakes[place]
        staying[stake.whose, stake.spot] += line.stays

    def _stays_there(self, stake: Stake) -> int:
        """What stays of a player's winners on a spot, as far as they are settled."""
        if self.staying is None:
            self.staying = Counter()
            for _, place, _, _, line in self.paid:
                self._stay(self.staying, place, line)
        return self.staying[stake.whose, stake.spot]

    # Excess that nobody noticed in time ------------------------------------------------------

    def _settle_spot_over(self, spot: Spot, positions: Sequence[Sequence[int]]) -> None:
        """Settles the positions above the maximum of a spot."""
        verdict = self.cloth[spot].verdict
        loses = verdict.fate is Fate.LOSES
        alone = cited(verdict.lost, self.excess.cites.lost)
        for places in positions:
            stakes = [self.stakes[place] for place in places]
            if not loses or any(map(_is_special, stakes)):
                self._settle_over(places, stakes)
            elif len(stakes) == 1:
                self.collected.append(Line.all_lost(stakes[0], alone))
            else:
                self._lose_over(stakes, verdict)

    def _settle_over(self, places: Sequence[int], stakes: Sequence[Stake]) -> None:
        """Settles the stakes of one player on one spot where they have more than the maximum."""
        spot, several = stakes[0].spot, len(stakes) > 1
        verdict = self.cloth[spot].verdict
        divided = divide_excess(self.book, stakes, self.maxima[spot])
        rules = self.excess
        multiple = spot.kind.on_numbers
        cascades = multiple and rules.multiples is LateExcess.CASCADE
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
                line = self._capped(over, verdict, late if over.excess else ())
            elif verdict.fate is Fate.ZERO:
                # Nothing is won, so there are no unpaid winnings to make good.
                line = self._zero(over.stake, over.plays + over.excess, _unclear(over))
            else:
                line = self._lost_over(over, verdict)
            cites = rules.cites.unclear_plays_maximum if over.unclear else ()
            if over.unclear and multiple:
                cites = cited(cites, rules.cites.unclear_multiples)
            if over.unclear or (over.excess and verdict.fate is not Fate.ZERO):
                line = line._replace(articles=cited(line.articles, cites, together))
            lines[place] = line
            if line.won:
                self._pay(place, line, verdict)
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
            unplayed=_unclear(over),
        )

    def _capped(self, over: Over, verdict: Verdict, cites: tuple[str, ...]) -> Line:
        """The line of a winner that counts as playing the maximum; the rest is returned."""
        stake = over.stake
        articles = cited(self._won_cites(over, verdict), cites)
        rests = (*_unplayed(Reason.EXCESS, over.excess), *_unclear(over))
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
            winners = self._winners_on_numbers(owner)
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

    def _winners_on_numbers(self, owner: str) -> list[Stake]:
        """A player's winners on the numbers, in the order they were laid."""
        places = self.cloth.places(owner, winning_numbers(self.book, self.pocket))
        places += self.winners_within.get(owner, ())
        return [self.stakes[place] for place in sorted(places)]

    @cached_property
    def winners_within(self) -> dict[str, list[int]]:
        """Player → the places of their winners on the numbers that are not above a maximum."""
        found: dict[str, list[int]] = defaultdict(list)
        for _, place, _, kind, _ in self.paid[: self.within]:
            if kind.on_numbers:
                found[self.stakes[place].whose].append(place)
        return found

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
        # All that stays of one player's on a spot must be within the maximum; what lay above it
        # does not ride (IT-general-15c).
        most = self.maxima.get(stake.spot)
        rides = line.won + plays
        if most is not None:
            room = max(0, most - self._stays_there(stake))
            # Only whole chips ride: otherwise zero would give back a part of a chip undivided.
            rides = rides if rides <= room else room - room % stake.chip
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
        winning_half, losing_half = halve(plays)
        # Stake and gain of the half are rounded together, so that a unit is rounded only once.
        odds = verdict.odds
        half = times(plays, (verdict.pays + 1) / 2) if odds is None else -(-plays * (odds + 1) // 2)
        won = half - winning_half
        articles = cited(articles, self._rounded(whole=plays % 2 == 0))
        parts = (Part(verdict.kind, winning_half, won),)
        line = self._kept(stake, won, winning_half, articles, parts, unplayed, lost=losing_half)
        if line.stays and not stake.away:
            # A winning half alone cannot lie across the line, so it goes back to its owner.
            line = line._replace(stays=0, returned=line.returned + line.stays)
        return line

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
                return Line(stake, returned=back, lost=lost, articles=articles, unplayed=unplayed)
            articles = cited(cites, rules.cites.prison)
            return Line(stake, returned=rest, held=plays, articles=articles, unplayed=unplayed)
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
        unplayed = (*unplayed, *_unplayed(Reason.LOOSE, loose))
        if held:
            self.divided[stake.player, stake.spot, stake.chip].append(stake)
        back = half + loose + rest
        return Line(
            stake, returned=back, lost=half, held=held, articles=articles, unplayed=unplayed
        )

    def _divide(self) -> None:
        """Divides the odd chips that a player has in several stakes on one chance.

        A partage counts all of a player's chips on the chance, however many stakes they form, so
        two odd chips of one value make an even pair: one goes back, and one goes to the bank.
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
            rounded = self._rounded(whole=amount % 2 == value % 2 == 0)
            articles = cited(again, rules.cites.last_is_forced, rounded)
            return Line(prisoner, returned=back, lost=gone + lost, articles=articles)
        again = cited(again, self._rounded(whole=amount % 2 == 0))
        return Line(prisoner, lost=gone, held=value, articles=again)


def _is_special(stake: Stake) -> bool:
    """Whether more than the number decides a losing stake."""
    return stake.unclear or stake.call is not None or stake.kind is ChipKind.FOREIGN


def _unplayed(reason: Reason, amount: int) -> tuple[Unplayed, ...]:
    """The amount that did not play for this reason, as a tuple; empty for 0."""
    return (Unplayed(reason, amount),) if amount else ()


def _unclear(over: Over) -> tuple[Unplayed, ...]:
    return _unplayed(Reason.UNCLEAR, over.unclear)


def call_cites(book: Rulebook, name: str, spot: Spot, pocket: int) -> tuple[str, ...]:
    """The articles behind a piece of an announcement.

    They are those of the call, of the piece, and of the winning number where the house has an
    article about it (BG-25).
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
