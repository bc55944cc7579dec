"""Second factors over HTTP: signing in with a passkey, and one's own factors.

A passkey verifies its user by itself, so it signs in without a password. A code is sent together
with the password, at `POST /api/sign-in`.
"""

from __future__ import annotations

import logging
from typing import Annotated, Any, Literal

import segno
from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import Field

from novamas.house.people import decide, second_factor
from novamas.house.people.events import PasskeyEnrolled, Post, TotpEnrolled
from novamas.house.people.state import FactorKind, Person
from novamas.house.refusals import Problem
from novamas.web.auth import CHALLENGE, Folk, SignedIn, is_secure, permitted
from novamas.web.errors import NotDoneError, refused
from novamas.web.factor_proofs import NotProvedError, Site, provisioning
from novamas.web.routes.account import WRONG, Name, Secret, SignedInAs, let_in, require_door
from novamas.web.schemas import Shape, problems
from novamas.web.sessions import People, Session
from novamas.web.sign_in import WrongPasswordError

log = logging.getLogger(__name__)

router = APIRouter(dependencies=[Depends(permitted)], tags=["second-factors"])

Label = Annotated[str, Field(min_length=1, max_length=second_factor.LONGEST_LABEL)]
Code = Annotated[str, Field(min_length=6, max_length=10)]
Proof = Annotated[dict[str, Any], Field(max_length=12)]
"""The result of a browser's `PublicKeyCredential.toJSON`."""


class PasskeySignIn(Shape):
    """The signature of a passkey, and the post that its owner signs in for."""

    credential: Proof
    post: Post = Post.PLAYER
    """The post to sign in for."""
    by: Literal["cookie", "token"] = "cookie"
    """Whether the token goes into a cookie that scripts cannot read, or into the answer."""


class PublicKey(Shape):
    """The options for a browser's `navigator.credentials`, in WebAuthn's JSON."""

    publicKey: dict[str, Any]  # noqa: N815 - WebAuthn's own word
    """The options, as `navigator.credentials` takes them."""


class MyFactor(Shape):
    """A second factor of one's own."""

    id: str
    """The id of the factor."""
    kind: FactorKind
    """What it is: a passkey, or an authenticator app."""
    label: str
    enrolled: int
    """When, in milliseconds since 1970."""
    used: int | None
    """When it was last used to sign in."""


class MyFactors(Shape):
    """One's own second factors."""

    factors: list[MyFactor]
    """The factors that are enrolled."""
    required: bool
    """Whether one is required here: for a post, or for every player."""
    sign_in_name: bool
    """Whether the person signs in under another name than the one shown at a table."""


class Picture(Shape):
    """A QR code: its width in modules, and the dark ones as an SVG path."""

    size: int
    """The width and height in modules."""
    path: str
    """The dark modules, as the `d` of an SVG path."""


class NewSecret(Shape):
    """A secret for an authenticator app; it counts once its first code is confirmed."""

    secret: str
    """The secret in base32, to type into an app."""
    uri: str
    """The secret as an `otpauth` address."""
    picture: Picture
    """The address as a QR code."""
    ticket: str
    """The same secret, encrypted for this session; it is sent back with the first code."""


class NewTotp(Shape):
    """A secret with its first code."""

    ticket: Annotated[str, Field(min_length=1, max_length=500)]
    """The ticket that came with the secret."""
    code: Code
    """The first code that the app shows."""
    label: Label
    password: Secret | None = None
    """Required, except for a required first factor: a session alone is not enough."""


class NewPasskey(Shape):
    """A passkey that a browser created."""

    credential: Proof
    label: Label
    password: Secret | None = None
    """Required, except for a required first factor."""


class SignInName(Shape):
    """A name to sign in with, which nobody else sees."""

    name: Name
    password: Secret | None = None
    """Required, except before a required first factor."""


class RemovedFactor(Shape):
    """The password, which is required to remove a factor: a session alone is not enough."""

    password: Secret
    """The password of the person who asks."""


# Signing in ---------------------------------------------------------------------------------------


def site_of(request: Request) -> Site:
    """The house under the name that the browser uses; requests under other names are refused."""
    scheme = "https" if is_secure(request) else "http"
    host = request.headers.get("host", "")
    return Site(rp_id=request.url.hostname or "", origin=f"{scheme}://{host}")


@router.post("/api/sign-in/passkey/challenge", responses=problems(403, 429))
async def get_passkey_challenge(request: Request, people: Folk) -> PublicKey:
    """A challenge for a passkey, valid once and for five minutes; it names nobody."""
    require_door(request)
    _require_accounts(people)
    options = people.factors.authentication(site_of(request), now=people.registry.now())
    return PublicKey(publicKey=options)


@router.post("/api/sign-in/passkey", responses=problems(400, 401, 403, 413, 422, 429))
async def sign_in_with_passkey(
    body: PasskeySignIn, request: Request, response: Response, people: Folk
) -> SignedInAs:
    """Signs in with a passkey that signed a challenge and verified its user."""
    address = require_door(request)
    _require_accounts(people)
    try:
        opened = await people.sign_in_with_passkey(body.credential, body.post, site_of(request))
    except NotProvedError as problem:
        log.info("a sign-in failed", extra={"why": problem.why, "address": address})
        raise NotDoneError(401, problem.why, str(problem), CHALLENGE) from None
    except decide.RegisterError as problem:
        status = 401 if problem.why is Problem.PASSKEY_NOT_GOOD else 403
        raise refused(problem, status) from None
    return await let_in(request, response, people, opened, by=body.by)


def _require_accounts(people: People) -> None:
    if people.is_local:
        raise NotDoneError(
            403, Problem.NO_ACCOUNTS, "there are no accounts on a machine of one's own"
        )


# One's own factors --------------------------------------------------------------------------------


def _mine(people: People, who: Session) -> MyFactors:
    person = decide.known(people.registry.register, who.name)
    return MyFactors(
        factors=[
            MyFactor(
                id=each.id,
                kind=each.kind,
                label=each.label,
                enrolled=each.enrolled,
                used=each.used,
            )
            for each in person.factors.values()
        ],
        required=bool(people.required & {*person.posts}),
        sign_in_name=bool(person.sign_in),
    )


@router.get("/api/me/factors", responses=problems(401, 403))
async def list_factors(who: SignedIn, people: Folk) -> MyFactors:
    """One's own second factors."""
    return _mine(people, who)


@router.post("/api/me/factors/totp", responses=problems(401, 403))
async def make_totp_secret(who: SignedIn, people: Folk) -> NewSecret:
    """A new secret for an authenticator app."""
    _require_account(people, who)
    secret, ticket = people.factors.new_secret(who.id, people.registry.now())
    uri = provisioning(secret, who.name)
    return NewSecret(secret=secret, uri=uri, picture=_picture(uri), ticket=ticket)


def _picture(uri: str) -> Picture:
    matrix = tuple(segno.make(uri, error="m", micro=False).matrix)
    dark = (f"M{x} {y}h1v1h-1z" for y, row in enumerate(matrix) for x, bit in enumerate(row) if bit)
    return Picture(size=len(matrix), path="".join(dark))


@router.post(
    "/api/me/factors/totp/confirm",
    status_code=201,
    responses=problems(400, 401, 403, 409, 413, 422),
)
async def enrol_totp(body: NewTotp, who: SignedIn, people: Folk) -> MyFactors:
    """Enrols an authenticator app, with the first code that it shows."""
    person = await _confirmed(people, who, body.password)
    try:
        event = people.factors.enrolled_secret(
            person.name,
            body.label.strip(),
            body.ticket,
            body.code,
            session=who.id,
            now=people.registry.now(),
        )
    except NotProvedError as problem:
        raise NotDoneError(409, problem.why, str(problem)) from None
    return await _enrol(people, who, event)


@router.post("/api/me/factors/passkey/challenge", responses=problems(401, 403))
async def make_passkey_options(request: Request, who: SignedIn, people: Folk) -> PublicKey:
    """The options with which a browser creates a passkey for this house."""
    person = _require_account(people, who)
    options = people.factors.registration(
        person, site_of(request), session=who.id, now=people.registry.now()
    )
    return PublicKey(publicKey=options)


@router.post(
    "/api/me/factors/passkey", status_code=201, responses=problems(400, 401, 403, 409, 413, 422)
)
async def enrol_passkey(
    body: NewPasskey, request: Request, who: SignedIn, people: Folk
) -> MyFactors:
    """Enrols a passkey that verifies its user."""
    person = await _confirmed(people, who, body.password)
    try:
        event = people.factors.enrolled_passkey(
            person.name,
            body.label.strip(),
            body.credential,
            site_of(request),
            session=who.id,
            now=people.registry.now(),
        )
    except NotProvedError as problem:
        raise NotDoneError(409, problem.why, str(problem)) from None
    return await _enrol(people, who, event)


@router.post("/api/me/factors/{factor}/remove", responses=problems(400, 401, 403, 409, 413, 422))
async def remove_factor(
    factor: Annotated[str, Path(description="The id of the factor.")],
    body: RemovedFactor,
    who: SignedIn,
    people: Folk,
) -> MyFactors:
    """Removes a factor; where one is required, the last one stays."""
    person = await _confirmed(people, who, body.password)
    try:
        await people.registry.do(
            lambda r, _: second_factor.remove(r, person.name, factor, people.required)
        )
    except decide.RegisterError as problem:
        raise refused(problem) from None
    log.info("a second factor was removed", extra={"session": who.mark})
    return _mine(people, who)


@router.put("/api/me/sign-in-name", responses=problems(400, 401, 403, 409, 413, 422))
async def choose_sign_in_name(body: SignInName, who: SignedIn, people: Folk) -> MyFactors:
    """Chooses a name to sign in with; the name shown at a table then no longer works for that."""
    person = await _confirmed(people, who, body.password)
    try:
        await people.registry.do(lambda r, _: decide.choose_sign_in_name(r, person.name, body.name))
    except decide.RegisterError as problem:
        raise refused(problem) from None
    return _mine(people, who)


def _require_account(people: People, who: Session) -> Person:
    person = decide.known(people.registry.register, who.name)
    if person.guest or people.is_local:
        raise NotDoneError(403, Problem.IS_A_GUEST, "a guest has no second factor")
    return person


async def _confirmed(people: People, who: Session, password: str | None) -> Person:
    """The person who asks, after checking the password, except for a required enrolment."""
    person = _require_account(people, who)
    if who.enrolling and not person.factors:
        return person
    try:
        return await people.confirm(who, password or "")
    except WrongPasswordError:
        log.info("a second factor was not changed", extra={"why": "wrong", "session": who.mark})
        raise NotDoneError(403, Problem.NOT_RECOGNISED, f"password: {WRONG}") from None


async def _enrol(people: People, who: Session, event: TotpEnrolled | PasskeyEnrolled) -> MyFactors:
    try:
        await people.registry.do(lambda r, _: second_factor.enrol(r, event, session=who.id))
    except decide.RegisterError as problem:
        raise refused(problem) from None
    log.info("a second factor was enrolled", extra={"session": who.mark})
    return _mine(people, who)
