"""Evenings of a house that cheats, or whose past was changed: each with what must be found."""

from __future__ import annotations

import copy

from novamas.game.wheel import Pocket
from novamas.house.ball import fair_draw
from novamas.house.ball.fair_draw import Chain
from scripts.vectors.play import ME, OTHER, Play, Vectors, fixed, nonce_of

VECTORS = vector = Vectors()
WANTED = 0
"""The number that the house wants."""

# Secrets and commitments --------------------------------------------------------------------------


@vector("wrong_secret")
def secret_chosen_after_the_close(play: Play) -> None:
    """The house reveals another secret than it committed to, one that draws what it wants."""
    play.begin()
    play.coup()
    play.until_reveal()
    nonces, _ = play.given()
    text = play.ground(WANTED, "secret", lambda text: play.fallen(2, fixed(text), nonces))
    play.event("BallPocketed", number=play.reveal(secret=fixed(text)), last=False)


@vector("changed_commitment")
def commitment_replaced(play: Play) -> None:
    """While bets are open the house publishes another commitment for the same spin."""
    play.begin()
    play.coup()
    play.stake()
    other = Chain(play.table, fixed("other"), 8)
    play.bind(spin=2, commitment=other.commitment(play.place).hex())


@vector("changed_commitment")
def commitment_of_another_chain(play: Play) -> None:
    """The next commitment is not the secret that was just revealed."""
    play.begin()
    play.until_reveal()
    play.event("BallPocketed", number=play.reveal(), last=False)
    other = Chain(play.table, fixed("other"), 8)
    play.chain = other
    play.bind()
    play.coup()


@vector("changed_commitment")
def secret_skipped(play: Play) -> None:
    """The house leaves a secret of the chain out that does not suit it."""
    play.begin()
    play.until_reveal()
    play.event("BallPocketed", number=play.reveal(), last=False)
    play.bind(skip=1)


@vector("changed_commitment")
def commitment_not_of_the_chain_one_comes_to(play: Play) -> None:
    """Who comes is shown a commitment that does not belong to the tip."""
    play.begin()
    play.coup()
    play.leave()
    play.bound["commitment"] = fixed("made up").hex()
    play.connect()


@vector("changed_commitment", told=False)
def chain_replaced_while_one_was_away(play: Play) -> None:
    """Who comes back is shown another tip under the same number of the chain."""
    play.begin()
    play.coup()
    play.leave()
    play.chain = Chain(play.table, fixed("other"), play.length)
    play.bind()
    play.connect()


@vector("repeated_secret")
def chain_used_again(play: Play) -> None:
    """A new chain is the old one again: anybody who saw that one knows every ball."""
    play.begin()
    play.coup()
    play.leave()
    play.commit_chain("taken_up", seed="1")
    play.bind()
    play.connect(resumed=True)


@vector("history_changed", "repeated_secret", told=False)
def restored_house_plays_the_same_ball(play: Play) -> None:
    """A backup is restored, and the spin that was seen already is played again."""
    play.begin()
    play.coup()
    play.until_reveal()
    play.reveal()
    play.leave()
    backup = Play()
    backup.begin()
    backup.coup()
    backup.notes = play.notes
    backup.connect()
    backup.until_reveal()
    backup.reveal()
    play.events = backup.events


@vector("history_changed", told=False)
def restored_house_with_a_new_chain(play: Play) -> None:
    """A backup is restored and a new chain committed: honest, but a spin is lost, and one asks."""
    play.begin()
    play.coup()
    play.until_reveal()
    play.settle(play.reveal())
    play.leave()
    backup = Play()
    backup.begin()
    backup.coup()
    backup.notes = play.notes
    backup.leave()
    backup.commit_chain("taken_up", seed="after the backup")
    backup.bind()
    backup.connect()
    backup.coup()


# New chains ---------------------------------------------------------------------------------------


@vector("recommitted")
def new_chain_while_one_plays(play: Play) -> None:
    """The house says that it started again, but nobody's connection ended."""
    play.begin()
    play.coup()
    play.stake()
    play.commit_chain("taken_up")
    play.bind()


@vector("recommitted")
def new_chain_with_any_reveal(play: Play) -> None:
    """The same, together with a reveal: the house says that it started again, and did not."""
    play.begin()
    play.coup()
    play.until_reveal()
    play.event("BallPocketed", number=play.reveal(), last=False)
    play.commit_chain("taken_up")
    play.bind()


@vector("recommitted")
def new_chain_before_the_old_is_used_up(play: Play) -> None:
    """The house says that the chain is used up, which it is not."""
    play.begin()
    play.coup()
    play.stake()
    play.commit_chain("used_up")
    play.bind()


@vector("recommitted")
def new_chain_as_if_the_table_had_just_opened(play: Play) -> None:
    """The house says that the table has just opened."""
    play.begin()
    play.coup()
    play.commit_chain("opened")
    play.bind()


@vector("recommitted")
def new_chain_left_out(play: Play) -> None:
    """A chain was committed and abandoned without announcing it to anybody."""
    play.begin()
    play.coup()
    play.leave()
    play.commit_chain("taken_up", number=3)
    play.bind()
    play.connect(resumed=True)


@vector("dropped_coup")
def new_chain_while_the_ball_runs(play: Play) -> None:
    """After the close the house starts again, and does not play the ball that it knows."""
    play.begin()
    play.until_reveal()
    play.leave()
    play.commit_chain("taken_up")
    play.bind()
    play.connect(resumed=True)


# Nonces -------------------------------------------------------------------------------------------


@vector("ghost_nonce")
def ghost_among_the_texts(play: Play) -> None:
    """A text of nobody is among those that were opened, and makes the number."""
    play.begin()
    play.until_reveal()
    nonces, _ = play.given()
    secret = play.chain.secret(play.place)

    def number(text: str) -> Pocket:
        return play.fallen(1, secret, {**nonces, "ghost": text})

    text = play.ground(WANTED, "boo", number)
    play.event("BallPocketed", number=play.reveal(nonces={**nonces, "ghost": text}), last=False)


@vector("ghost_nonce")
def ghost_among_the_withheld(play: Play) -> None:
    """A hash of nobody is among those whose text was not opened, and makes the number."""
    play.begin()
    play.until_reveal()
    nonces, _ = play.given()
    secret = play.chain.secret(play.place)

    def number(text: str) -> Pocket:
        return play.fallen(1, secret, nonces, {"ghost": fixed(text).hex()})

    text = play.ground(WANTED, "boo", number)
    play.settle(play.reveal(withheld={"ghost": fixed(text).hex()}))


@vector("ghost_nonce")
def text_of_somebody_who_is_not_seated(play: Play) -> None:
    """The house takes a text of somebody who never sat down."""
    play.begin()
    play.commit("nobody")
    play.until_reveal()
    play.open("nobody")
    play.settle(play.reveal())


@vector("late_nonce")
def text_committed_after_the_close(play: Play) -> None:
    """A confederate commits to a text after the close, when the house knows all others."""
    play.begin()
    play.until_reveal(ME)
    nonces, _ = play.given()
    secret = play.chain.secret(play.place)

    def number(text: str) -> Pocket:
        return play.fallen(1, secret, {**nonces, OTHER: text})

    play.commit(OTHER, play.ground(WANTED, "late", number))
    play.open(OTHER)
    play.settle(play.reveal())


@vector("late_nonce")
def text_opened_in_secret(play: Play) -> None:
    """A text is used that was never opened before all eyes."""
    play.begin()
    play.until_close()
    play.open(ME)
    play.open(OTHER, told=False)
    play.settle(play.reveal())


@vector("late_nonce")
def text_opened_before_the_close(play: Play) -> None:
    """A text is opened while others may still answer it."""
    play.begin()
    play.commit(ME)
    play.commit(OTHER)
    play.open(OTHER)
    play.close()
    play.open(ME)
    play.settle(play.reveal())


@vector("late_nonce")
def text_for_another_spin(play: Play) -> None:
    """A text of the spin before is taken for this one."""
    play.begin()
    play.coup()
    play.event("NonceCommitted", player=OTHER, spin=1, hash=fixed("old").hex())


@vector("changed_nonce")
def another_text_than_committed(play: Play) -> None:
    """A confederate opens another text than the one behind the hash, and makes the number."""
    play.begin()
    play.until_close()
    play.open(ME)
    secret = play.chain.secret(play.place)

    def number(text: str) -> Pocket:
        return play.fallen(1, secret, {**play.opened, OTHER: text})

    play.nonces[OTHER] = play.ground(WANTED, "other", number)
    play.open(OTHER)
    play.settle(play.reveal())


@vector("changed_nonce")
def own_text_changed(play: Play) -> None:
    """The house uses another text of yours than you opened."""
    play.begin()
    play.until_reveal()
    nonces, _ = play.given()
    play.settle(play.reveal(nonces={**nonces, ME: "not mine"}))


@vector("changed_nonce")
def own_hash_changed(play: Play) -> None:
    """The house publishes a hash in your name that your machine did not make."""
    play.begin()
    play.commit(ME)
    foreign = (play.table, 1, play.bound["commitment"], ME, "the house's own")
    play.commit(ME, "the house's own", known=fair_draw.nonce_hash(*foreign))


@vector("changed_nonce")
def withheld_hash_changed(play: Play) -> None:
    """A text was not opened, and another hash than the committed one is mixed in."""
    play.begin()
    play.until_close()
    play.open(ME)
    play.settle(play.reveal(withheld={OTHER: fixed("other").hex()}))


@vector("dropped_nonce")
def own_text_dropped(play: Play) -> None:
    """Your text was committed and opened, and is not among those that drew the number."""
    play.begin()
    play.until_reveal()
    nonces, _ = play.given()
    del nonces[ME]
    play.settle(play.reveal(nonces=nonces))


@vector("dropped_nonce")
def own_text_called_withheld(play: Play) -> None:
    """Your machine opened your text in time, and the house says that you withheld it."""
    play.begin()
    play.until_close()
    play.open(OTHER)
    play.open(ME, told=False)
    del play.opened[ME]
    play.settle(play.reveal())


@vector("dropped_nonce")
def text_of_another_dropped(play: Play) -> None:
    """A text that another player opened before all eyes is called withheld."""
    play.begin()
    play.until_reveal()
    nonces, _ = play.given()
    del nonces[OTHER]
    play.settle(play.reveal(nonces=nonces, withheld={OTHER: play.hashes[OTHER]}))


@vector("dropped_nonce")
def text_of_another_forgotten(play: Play) -> None:
    """A hash that stood at the close is in no list at all."""
    play.begin()
    play.until_close()
    play.open(ME)
    play.settle(play.reveal(withheld={}))


@vector("dropped_nonce", proof=False)
def text_dropped_as_the_house_tells_it(play: Play) -> None:
    """The same is found in what the house tells, without a proof."""
    play.begin()
    play.until_reveal()
    nonces, _ = play.given()
    del nonces[OTHER]
    play.settle(play.reveal(nonces=nonces))


# Numbers and spins --------------------------------------------------------------------------------


@vector("wrong_number")
def another_number_revealed(play: Play) -> None:
    """The revealed number is not the one that comes out."""
    play.begin()
    play.until_reveal()
    nonces, _ = play.given()
    fallen = play.fallen(1, play.chain.secret(1), nonces)
    play.settle(play.reveal(number=play.after(fallen)))


@vector("wrong_number")
def another_number_pocketed(play: Play) -> None:
    """The ball is said to lie in another pocket than it was drawn to."""
    play.begin()
    play.until_reveal()
    play.settle(play.after(play.reveal()))


@vector("wrong_number")
def another_number_called(play: Play) -> None:
    """Another number is called, and paid."""
    play.begin()
    play.until_reveal()
    number = play.reveal()
    play.event("BallPocketed", number=number, last=False)
    play.event("NumberCalled", call="other", pocket=play.after(number))


@vector("wrong_number")
def number_corrected(play: Play) -> None:
    """A drawn number is corrected by hand."""
    play.begin()
    play.until_reveal()
    number = play.reveal()
    play.settle(number)
    play.event("NumberCorrected", before=number, number=play.after(number))


@vector("left_out")
def spin_left_out(play: Play) -> None:
    """A spin is jumped over."""
    play.begin()
    play.until_reveal()
    play.event("BallPocketed", number=play.reveal(), last=False)
    play.bind(spin=3)


@vector("left_out")
def revealed_without_a_close(play: Play) -> None:
    """A ball falls while bets are open."""
    play.begin()
    play.commit(ME)
    play.settle(play.reveal())


@vector("left_out", proof=False)
def event_left_out(play: Play) -> None:
    """What the house tells has a gap."""
    play.begin()
    play.coup()
    del play.events[-3]


@vector("dropped_coup")
def table_closed_while_the_ball_runs(play: Play) -> None:
    """After the close the house closes the table instead of letting the ball fall."""
    play.begin()
    play.until_reveal()
    play.event("TableClosed", by="management")


@vector("dropped_coup")
def table_closed_with_stakes(play: Play) -> None:
    """The house gives your stakes back and closes the table, though the ball was committed."""
    play.begin()
    play.coup()
    play.commit(ME)
    play.stake(id="mine")
    play.event("StakesReturned", returned=[["mine", 100, []]])
    play.event("TableClosed", by="management")


@vector("dropped_coup")
def ball_declared_void(play: Play) -> None:
    """A committed ball is declared void."""
    play.begin()
    play.until_reveal()
    play.event("BallVoided", cause="ball_out")


@vector("unbound_stake")
def stake_before_the_commitment(play: Play) -> None:
    """Stakes are taken while the last spin is paid, before the next ball is committed."""
    play.begin()
    play.until_reveal()
    number = play.reveal()
    play.event("BallPocketed", number=number, last=False)
    play.stake()
    play.bind()


@vector("unbound_stake")
def stake_after_the_close(play: Play) -> None:
    """A stake is taken after the close."""
    play.begin()
    play.until_reveal()
    play.stake(OTHER)


# A past that changes ------------------------------------------------------------------------------


@vector("history_changed")
def past_rewritten(play: Play) -> None:
    """What the house tells now hangs together, but is not what you received."""
    play.begin()
    play.coup()
    other = Play()
    other.begin()
    other.commit(ME)
    other.commit(OTHER, "another text")
    other.stake()
    other.close()
    other.open(ME)
    other.open(OTHER)
    other.settle(other.reveal())
    play.events = other.events


@vector("history_changed")
def past_cut_off(play: Play) -> None:
    """What the house tells now ends before what you received."""
    play.begin()
    play.coup()
    play.coup()
    del play.events[-4:]


@vector("history_changed")
def own_text_removed_from_the_past(play: Play) -> None:
    """The house takes your text out of its log, and works the number out again."""
    play.begin()
    play.coup()
    other = Play()
    other.begin()
    other.event("LastBetsCalled", call="last")
    other.commit(OTHER)
    other.stake()
    other.close()
    other.event("LastBetsCalled", call="last")
    other.open(OTHER)
    other.settle(other.reveal())
    play.events = other.events


@vector("unreadable")
def event_that_cannot_be_read(play: Play) -> None:
    """An event is not of the shape that it must have."""
    play.begin()
    play.until_reveal()
    unread = {"spin": 1, "nonces": [], "withheld": {}, "number": 0}
    unread["secret"] = "no hexadecimal"  # noqa: S105 # nosec B105 # A cheat.
    play.event("BallRevealed", **unread)


@vector("unreadable", told=False)
def chain_without_end(play: Play) -> None:
    """A place in a chain that would keep a verifier busy for ever."""
    play.begin()
    play.leave()
    play.bound["place"] = 10**15
    play.chain = copy.copy(play.chain)
    play.chain.length = 10**15
    play.connect()


@vector(told=False)
def notes_that_a_house_tells_are_not_believed(play: Play) -> None:
    """The house cannot speak for your machine: of such events nothing is noted."""
    play.begin()
    play.event("Opening", spin=1, nonce=nonce_of(ME, 1))
    play.coup()
