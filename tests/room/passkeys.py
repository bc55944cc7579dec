"""Passkeys in a real browser: a virtual authenticator, as Chromium has it for tests."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64decode
from weakref import WeakKeyDictionary

from playwright.sync_api import CDPSession, Page

from tests.web.authenticator import Authenticator

_DEVICES: WeakKeyDictionary[Page, tuple[CDPSession, str]] = WeakKeyDictionary()
RP = "localhost"
BROWSER_COUNTS = 10
"""More than a browser uses a passkey that it was given, so that the count never goes back."""


def plug_in(page: Page, held: Authenticator | None = None) -> None:
    """Gives a page a device that verifies its user, and holds a passkey that was made before."""
    known = _DEVICES.pop(page, None)
    if known is not None:
        session, id = known
        session.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": id})
    else:
        session = page.context.new_cdp_session(page)
        session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    _DEVICES[page] = session, made["authenticatorId"]
    if held is not None:
        credential = {
            "credentialId": b64encode(held.id).decode(),
            "isResidentCredential": True,
            "rpId": RP,
            "privateKey": _plain(held.private_key()),
            "userHandle": _plain(held.user),
            "signCount": held.count,
        }
        session.send(
            "WebAuthn.addCredential",
            {"authenticatorId": made["authenticatorId"], "credential": credential},
        )
        held.count += BROWSER_COUNTS


def _plain(text: str) -> str:
    return b64encode(urlsafe_b64decode(text + "=" * (-len(text) % 4))).decode()
