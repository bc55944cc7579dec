"""Proofs of a second factor: time-based codes (TOTP), and passkeys (WebAuthn).

The server keeps no state for them. A challenge, a secret that is being enrolled and the mark of a
device are encrypted, handed out, and sent back; so any server of a house can check them.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import pyotp
import webauthn
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, exceptions
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from novamas.house.encryption import DerivedKey, SealError, SealingKey
from novamas.house.people import events
from novamas.house.people.decide import RegisterError
from novamas.house.people.second_factor import SEALED_FOR, bound_to, find_passkey
from novamas.house.people.state import Factor, FactorKind, Person, Register, sound
from novamas.house.refusals import Problem

STEP: Final = 30
"""Seconds for which an app shows a code."""
DRIFT: Final = 1
"""How many steps a clock may be early or late."""
CHALLENGED: Final = 5 * 60 * 1000
"""Milliseconds for which a challenge, or a secret that is being enrolled, is valid."""
DEVICE: Final = 90 * 24 * 60 * 60
"""Seconds for which a device on which somebody signed in is remembered."""
ISSUER: Final = "novamas"
ID_BYTES: Final = 8
UNREADABLE: Final = (
    exceptions.WebAuthnException,
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    struct.error,
)
"""What the WebAuthn parser raises on malformed input."""


class NotProvedError(Exception):
    """A code or a signature that is not valid, and why."""

    def __init__(self, why: Problem, detail: str) -> None:
        super().__init__(detail)
        self.why = why


@dataclass(frozen=True, slots=True)
class Site:
    """The house as a browser identifies it."""

    rp_id: str
    """The host name."""
    origin: str


@dataclass(frozen=True, slots=True)
class Signed:
    """A passkey that signed a challenge."""

    person: Person
    factor: Factor
    count: int
    challenge: str
    """The hash of the challenge."""
    expires: int


class Factors:
    """Creates and checks challenges, secrets and device marks."""

    def __init__(self, key: SealingKey) -> None:
        self._key = DerivedKey(key, SEALED_FOR)

    # Codes ----------------------------------------------------------------------------------

    def new_secret(self, session: str, now: int) -> tuple[str, str]:
        """A new secret for an authenticator app, and the ticket that enrols it."""
        secret = pyotp.random_base32()
        return secret, self._issue({"secret": secret}, f"enrol totp {session}", now)

    def enrolled_secret(
        self, name: str, label: str, ticket: str, code: str, *, session: str, now: int
    ) -> events.TotpEnrolled:
        """Checks the first code of a secret; returns the event that enrols it."""
        found = self._open(ticket, f"enrol totp {session}", now)
        step = _step(found["secret"], code, now) if found is not None else None
        if found is None or step is None:
            raise NotProvedError(Problem.CODE_NOT_GOOD, "code: not the one that the app shows now")
        id = secrets.token_hex(ID_BYTES)
        sealed = self._key.seal(found["secret"].encode(), bound_to=bound_to(name, id))
        return events.TotpEnrolled(
            name=name, factor=id, label=label, sealed=sealed.hex(), counter=step
        )

    def step_of(self, person: Person, code: str, now: int) -> tuple[Factor, int] | None:
        """The app of this person that shows the code, and the time step of the code."""
        found = None
        for factor in person.factors.values():
            if factor.kind is FactorKind.TOTP:
                step = _step(self._secret(person, factor), code, now, after=factor.counter)
                found = (factor, step) if step is not None else found
        return found

    def _secret(self, person: Person, factor: Factor) -> str:
        try:
            bound = bound_to(person.name, factor.id)
            return self._key.unseal(bytes.fromhex(factor.sealed), bound_to=bound).decode()
        except SealError as problem:
            raise NotProvedError(
                Problem.CODES_NOT_CHECKED, f"codes cannot be checked: {problem}"
            ) from None

    # Passkeys -------------------------------------------------------------------------------

    def registration(self, person: Person, site: Site, *, session: str, now: int) -> dict[str, Any]:
        """The options for a browser to create a discoverable passkey that verifies its user."""
        options = webauthn.generate_registration_options(
            rp_id=site.rp_id,
            rp_name=ISSUER,
            user_name=person.name,
            user_id=hashlib.sha256(sound(person.name).encode()).digest(),
            challenge=self._challenge(f"enrol passkey {session}", now),
            timeout=CHALLENGED,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[
                PublicKeyCredentialDescriptor(id=base64url_to_bytes(each.credential))
                for each in person.factors.values()
                if each.kind is FactorKind.PASSKEY
            ],
        )
        options_data: dict[str, Any] = msgspec.json.decode(webauthn.options_to_json(options))
        return options_data

    def enrolled_passkey(
        self,
        name: str,
        label: str,
        credential: dict[str, Any],
        site: Site,
        *,
        session: str,
        now: int,
    ) -> events.PasskeyEnrolled:
        """Checks a passkey that a browser created; returns the event that enrols it."""
        challenge, _ = self._challenged(credential, f"enrol passkey {session}", now)
        try:
            verified = webauthn.verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=site.rp_id,
                expected_origin=site.origin,
                require_user_verification=True,
            )
        except UNREADABLE:
            raise _not_proved() from None
        return events.PasskeyEnrolled(
            name=name,
            factor=secrets.token_hex(ID_BYTES),
            label=label,
            credential=bytes_to_base64url(verified.credential_id),
            public_key=bytes_to_base64url(verified.credential_public_key),
            counter=verified.sign_count,
        )

    def authentication(self, site: Site, *, now: int) -> dict[str, Any]:
        """The options for a browser to sign in with a passkey; they name nobody."""
        options = webauthn.generate_authentication_options(
            rp_id=site.rp_id,
            challenge=self._challenge("sign in", now),
            timeout=CHALLENGED,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        options_data: dict[str, Any] = msgspec.json.decode(webauthn.options_to_json(options))
        return options_data

    def signed(
        self, register: Register, credential: dict[str, Any], site: Site, *, now: int
    ) -> Signed:
        """Checks a signed challenge of this house, and finds its passkey."""
        challenge, expires = self._challenged(credential, "sign in", now)
        found = find_passkey(register, str(credential.get("id", "")))
        if found is None:
            raise NotProvedError(Problem.PASSKEY_NOT_GOOD, "this passkey is not known here")
        person, factor = found
        try:
            verified = webauthn.verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=site.rp_id,
                expected_origin=site.origin,
                credential_public_key=base64url_to_bytes(factor.public_key),
                credential_current_sign_count=factor.counter,
                require_user_verification=True,
            )
        except UNREADABLE:
            raise _not_proved() from None
        used = hashlib.sha256(challenge).hexdigest()
        return Signed(person, factor, verified.new_sign_count, used, expires)

    def _challenge(self, use: str, now: int) -> bytes:
        expires = (now + CHALLENGED).to_bytes(8, "big")
        return self._key.seal(expires, bound_to=use.encode())

    def _challenged(self, credential: dict[str, Any], use: str, now: int) -> tuple[bytes, int]:
        """The challenge that a browser signed; raises if it is too old or not from this house."""
        try:
            data = base64url_to_bytes(credential["response"]["clientDataJSON"])
            challenge = base64url_to_bytes(msgspec.json.decode(data)["challenge"])
            expires = int.from_bytes(self._key.unseal(challenge, bound_to=use.encode()), "big")
        except (SealError, *UNREADABLE):
            raise _not_proved() from None
        if not now < expires <= now + CHALLENGED:
            raise NotProvedError(Problem.PASSKEY_NOT_GOOD, "this took too long; try again")
        return challenge, expires

    # Devices --------------------------------------------------------------------------------

    def device(self, name: str, now: int) -> str:
        """The mark of a device on which somebody signed in; it grants no access."""
        mark = {"name": sound(name), "id": secrets.token_hex(ID_BYTES)}
        return self._issue(mark, "device", now, DEVICE * 1000)

    def known_device(self, mark: str | None, name: str, now: int) -> str | None:
        """The device of a mark, if that person signed in on it before."""
        found = self._open(mark, "device", now) if mark else None
        if found is None or found["name"] != sound(name):
            return None
        return str(found["id"])

    # What is handed out and comes back ------------------------------------------------------

    def _issue(self, data: dict[str, Any], use: str, now: int, good: int = CHALLENGED) -> str:
        state = msgspec.json.encode({**data, "expires": now + good})
        return bytes_to_base64url(self._key.seal(state, bound_to=use.encode()))

    def _open(self, sealed: str, use: str, now: int) -> dict[str, Any] | None:
        try:
            raw = base64url_to_bytes(sealed)
            found: dict[str, Any] = msgspec.json.decode(
                self._key.unseal(raw, bound_to=use.encode())
            )
        except (SealError, *UNREADABLE):
            return None
        return found if now < found["expires"] else None


def kinds(factors: Iterable[Factor]) -> frozenset[FactorKind]:
    """The kinds of these factors."""
    return frozenset(each.kind for each in factors)


def provisioning(secret: str, name: str) -> str:
    """The URI of a secret, which an authenticator app reads from a QR code."""
    return pyotp.TOTP(secret, interval=STEP).provisioning_uri(name=name, issuer_name=ISSUER)


def _step(secret: str, code: str, now: int, *, after: int = -1) -> int | None:
    """The latest time step that has this code; compared in constant time."""
    app, current, found = pyotp.TOTP(secret, interval=STEP), now // 1000 // STEP, None
    given = code.replace(" ", "").encode()
    for step in range(current - DRIFT, current + DRIFT + 1):
        is_it = hmac.compare_digest(app.at(step * STEP).encode(), given)
        found = step if is_it and step > after else found
    return found


def _not_proved() -> NotProvedError:
    return NotProvedError(Problem.PASSKEY_NOT_GOOD, "the passkey proves nothing here; try again")


def refused(problem: NotProvedError) -> RegisterError:
    """Turns the error into a refusal of the register."""
    return RegisterError(problem.why, str(problem))
