"""Approvals: what takes two people is asked for by one and approved by another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from novamas.house.people import approvals, events
from novamas.house.people import decide as people_decide
from novamas.house.people.approvals import ACTS, COOLING, EXPIRES, MOST
from novamas.house.people.decide import RegisterError
from novamas.house.people.events import ActForTwo, ApprovalRequested, Post, RegisterEvent
from novamas.house.people.state import DAY, Register, evolve
from novamas.house.refusals import Problem
from novamas.web.permissions import APPROVERS

NOW = 1_700_000_000_000
HASH = "the hash of a password"
CHIEFS = frozenset((Post.CHIEF,))


class Book:
    """A register with two chiefs, a cashier and a player, and a clock."""

    def __init__(self) -> None:
        self.register = Register()
        self.now = NOW
        for name, post in (
            ("cora", Post.CHIEF),
            ("dino", Post.CHIEF),
            ("caj", Post.CASHIER),
            ("ana", Post.PLAYER),
        ):
            self.do(
                *people_decide.register_person(
                    self.register, name, [post], by="house init", password=HASH
                )
            )

    def do(self, *made: RegisterEvent) -> tuple[RegisterEvent, ...]:
        for event in made:
            evolve(self.register, event, self.now)
        return made

    def ask(self, **more: object) -> ApprovalRequested:
        wanted = replace(STAFF, **more)  # type: ignore[arg-type]
        self.do(*approvals.request(self.register, wanted, now=self.now))
        return self.register.pending[wanted.id].request

    def decide(
        self,
        by: str,
        *,
        id: str = "1",
        approve: bool = True,
        reason: str = "I know of it",
        approvers: frozenset[Post] = CHIEFS,
    ) -> tuple[RegisterEvent, ...]:
        return self.do(
            *approvals.decide(
                self.register,
                id,
                by=by,
                approvers=approvers,
                approve=approve,
                reason=reason,
                now=self.now,
            )
        )

    def refusal(self, by: str, **more: object) -> Problem:
        with pytest.raises(RegisterError) as refused:
            self.decide(by, **more)  # type: ignore[arg-type]
        return refused.value.why


STAFF = ApprovalRequested(
    id="1",
    act=ActForTwo.REGISTER_STAFF,
    by="cora",
    subject="vera",
    details={"posts": ["croupier"]},
    reason="a new croupier",
    expires=0,
    password=HASH,
)


def test_what_was_asked_for_is_done_with_the_approval() -> None:
    book = Book()
    book.ask()
    assert book.register.person("vera") is None
    *act, decided = book.decide("dino")
    assert [type(each).__name__ for each in act] == ["PersonRegistered", "PasswordSet"]
    assert decided == events.ApprovalDecided(
        id="1", by="dino", approved=True, reason="I know of it"
    )
    assert book.register.pending == {}
    assert book.refusal("dino") is Problem.NO_SUCH_REQUEST


def test_who_asked_or_whom_it_is_about_does_not_approve_it() -> None:
    book = Book()
    book.ask()
    for by in ("cora", "CORA", "ｃｏｒａ"):
        assert book.refusal(by) is Problem.OWN_REQUEST
    own = {
        "act": ActForTwo.CHANGE_POSTS,
        "subject": "dino",
        "details": {"posts": ["chief", "cashier"]},
    }
    book.ask(id="2", **own)
    assert book.refusal("dino", id="2") is Problem.OWN_REQUEST


def test_only_a_post_that_may_approve_it_does() -> None:
    book = Book()
    book.ask()
    assert book.refusal("caj") is Problem.NOT_FOR_YOU
    assert book.refusal("ana") is Problem.NOT_FOR_YOU
    # Nor does a post that somebody may hold, but is not signed in for.
    assert book.refusal("dino", approvers=frozenset()) is Problem.NOT_FOR_YOU


def test_both_say_why() -> None:
    book = Book()
    for reason in ("", "  "):
        with pytest.raises(RegisterError, match="say why"):
            book.ask(reason=reason)
    book.ask()
    assert book.refusal("dino", reason=" ") is Problem.REASON_NOT_VALID
    assert book.refusal("dino", reason="x" * 201) is Problem.REASON_NOT_VALID


def test_a_request_is_refused_or_withdrawn_and_nothing_is_done() -> None:
    for by, withdrawn in (("dino", False), ("cora", True)):
        book = Book()
        book.ask()
        (decided,) = book.decide(by, approve=False)
        assert isinstance(decided, events.ApprovalDecided)
        assert (decided.approved, decided.withdrawn) == (False, withdrawn)
        assert book.register.person("vera") is None


def test_a_request_expires() -> None:
    book = Book()
    book.ask()
    book.now += EXPIRES
    assert book.refusal("dino") is Problem.NO_SUCH_REQUEST
    book.ask()  # It is asked for anew.
    book.decide("dino")


def test_it_is_decided_again_on_the_register_as_it_stands() -> None:
    book = Book()
    book.ask()
    book.do(*people_decide.register_person(book.register, "Vera", [Post.PLAYER], by="cora"))
    assert book.refusal("dino") is Problem.NAME_TAKEN


def test_what_could_not_be_done_is_not_asked_for() -> None:
    book = Book()
    with pytest.raises(RegisterError, match="is taken"):
        book.ask(subject="ANA")
    with pytest.raises(RegisterError, match="own posts"):
        book.ask(act=ActForTwo.CHANGE_POSTS, subject="cora", details={"posts": ["cashier"]})


def test_so_many_wait_and_no_more() -> None:
    book = Book()
    for number in range(MOST):
        book.ask(id=str(number), subject=f"vera {number}")
    with pytest.raises(RegisterError, match="requests wait"):
        book.ask(id="more", subject="mia")
    book.now += EXPIRES
    book.ask(id="more", subject="mia")


# Nobody makes themselves a second one -------------------------------------------------------------


def second_chief(book: Book) -> None:
    """Cora has eva made known as a chief, which dino approves."""
    book.ask(subject="eva", details={"posts": ["chief"]})
    book.decide("dino")
    book.ask(id="2", subject="vera")


def test_whom_one_made_known_does_not_approve_for_them_within_a_day() -> None:
    book = Book()
    second_chief(book)
    assert book.refusal("eva", id="2") is Problem.TOO_CLOSE
    # Nor does whoever asked for it or approved it approve what the new one asks for.
    book.ask(id="3", by="eva", subject="mia")
    assert book.refusal("cora", id="3") is Problem.TOO_CLOSE
    assert book.refusal("dino", id="3") is Problem.TOO_CLOSE
    book.now += COOLING
    book.ask(id="4", subject="zoe")
    book.decide("eva", id="4")


@pytest.mark.parametrize("act", [ActForTwo.SET_PASSWORD, ActForTwo.CHANGE_POSTS])
def test_nor_does_whose_password_or_posts_they_set(act: ActForTwo) -> None:
    book = Book()
    book.do(
        *people_decide.register_person(book.register, "eva", [Post.CHIEF], by="x", password=HASH)
    )
    book.ask(act=act, subject="eva", details={"posts": ["chief", "cashier"]})
    book.decide("dino")
    book.ask(id="2")
    assert book.refusal("eva", id="2") is Problem.TOO_CLOSE
    book.now += COOLING - 1
    book.ask(id="3", subject="mia")
    assert book.refusal("eva", id="3") is Problem.TOO_CLOSE
    book.now += 1
    book.decide("eva", id="3")


# The cash desk ------------------------------------------------------------------------------------


def credit(book: Book, amount: int, id: str) -> tuple[RegisterEvent, ...]:
    return book.do(
        *people_decide.take_cash(book.register, "ana", amount, id=id, by="caj", now=book.now)
    )


def test_one_person_takes_so_much_in_a_day_and_two_take_more() -> None:
    book = Book()
    most = book.register.alone.desk
    with pytest.raises(people_decide.TakesTwoError):
        credit(book, most + 1, "a")
    # Many small sums are a large one.
    credit(book, most - 10, "b")
    with pytest.raises(people_decide.TakesTwoError):
        credit(book, 11, "c")
    credit(book, 10, "d")
    book.ask(act=ActForTwo.CREDIT_DESK, by="caj", subject="ana", details={"amount": 5_000_000})
    assert book.register.has("ana") == most
    book.decide("cora")
    assert book.register.has("ana") == most + 5_000_000
    # Two people have looked: what one may take begins anew, as it does after a day.
    credit(book, most, "e")
    with pytest.raises(people_decide.TakesTwoError):
        credit(book, 1, "f")
    book.now += DAY
    credit(book, most, "f")


def test_the_limits_themselves_are_set_by_two() -> None:
    book = Book()
    limits: dict[str, object] = {"desk": 100, "table": 50}
    book.ask(act=ActForTwo.SET_ALONE_LIMITS, subject="house", details=limits)
    book.decide("dino")
    assert (book.register.alone.desk, book.register.alone.table) == (100, 50)
    with pytest.raises(people_decide.TakesTwoError):
        credit(book, 101, "a")


# Data ---------------------------------------------------------------------------------------------


def test_every_act_is_done_by_something_and_approved_by_somebody() -> None:
    assert ACTS.keys() == set(ActForTwo)
    assert APPROVERS.keys() == {act.value for act in ActForTwo}
    for posts in APPROVERS.values():
        assert posts
        assert posts <= {Post.CHIEF, Post.CASHIER}
