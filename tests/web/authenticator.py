"""An authenticator for a test: passkeys made and used without a browser, as WebAuthn writes them.

It does what a phone or a security key does, and on demand what one should not do: it signs without
having verified its user, for another origin, or with a count that goes back.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
import httpx
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import bytes_to_base64url

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


@dataclass
class Authenticator:
    """One passkey, and the device that holds it."""

    verifies: bool = True
    """Whether it makes sure that its user is its owner, by a finger or a PIN."""
    counts: bool = True
    count: int = 0
    origin: str | None = None
    """What it is told that the page's origin is, if another than the house's own."""
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    user: str = ""

    def make(self, options: dict[str, Any], origin: str) -> dict[str, Any]:
        """A new passkey, as a page sends it to the house."""
        self.user = options["user"]["id"]
        public = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: public.x.to_bytes(32), -3: public.y.to_bytes(32)}
        data = self._data(options["rp"]["id"], ATTESTED) + bytes(16)
        data += len(self.id).to_bytes(2) + self.id + cbor2.dumps(cose)
        attested = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options["challenge"], origin)
        return self._told(
            {
                "clientDataJSON": bytes_to_base64url(client),
                "attestationObject": bytes_to_base64url(attested),
            }
        )

    def sign(self, options: dict[str, Any], origin: str) -> dict[str, Any]:
        """A challenge, signed, as a page sends it to the house."""
        data = self._data(options["rpId"])
        client = self._client("webauthn.get", options["challenge"], origin)
        signed = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._told(
            {
                "clientDataJSON": bytes_to_base64url(client),
                "authenticatorData": bytes_to_base64url(data),
                "signature": bytes_to_base64url(signed),
                "userHandle": self.user,
            }
        )

    def private_key(self) -> str:
        """The key as a virtual authenticator of a browser takes it."""
        der = self.key.private_bytes(
            serialization.Encoding.DER,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        return bytes_to_base64url(der)

    def _data(self, rp_id: str, flags: int = 0) -> bytes:
        self.count += self.counts
        flags |= PRESENT | (VERIFIED if self.verifies else 0)
        return hashlib.sha256(rp_id.encode()).digest() + bytes([flags]) + self.count.to_bytes(4)

    def _client(self, kind: str, challenge: str, origin: str) -> bytes:
        told = {"type": kind, "challenge": challenge, "origin": self.origin or origin}
        return json.dumps({**told, "crossOrigin": False}).encode()

    def _told(self, response: dict[str, Any]) -> dict[str, Any]:
        id = bytes_to_base64url(self.id)
        return {
            "id": id,
            "rawId": id,
            "type": "public-key",
            "response": response,
            "clientExtensionResults": {},
            "authenticatorAttachment": "platform",
        }


KEPT: dict[tuple[str, str], Authenticator] = {}
"""Whose passkey it is, by the house's address and the name."""


def enter(
    http: httpx.Client,
    name: str,
    password: str,
    post: str,
    *,
    new: str | None = None,
    by: str = "token",
) -> str | None:
    """Signs somebody in at a house that is really served, and enrols a passkey the first time.

    This is the one way in for tests: staff of a real house has a second factor.
    """
    origin = str(http.base_url).rstrip("/")
    held = KEPT.get((origin, name))
    if held is not None and new is None:
        options = http.post("/api/sign-in/passkey/challenge").raise_for_status().json()
        body = {"credential": held.sign(options["publicKey"], origin), "post": post, "by": by}
        told = http.post("/api/sign-in/passkey", json=body).raise_for_status().json()
        return str(told["token"]) if by == "token" else None
    asked = {"name": name, "password": password, "post": post, "new": new, "by": by}
    told = http.post("/api/sign-in", json=asked).raise_for_status().json()
    headers = {"Authorization": f"Bearer {told['token']}"} if by == "token" else {}
    if told["enrolling"]:
        enrol(http, name, headers)
    return str(told["token"]) if by == "token" else None


def enrol(http: httpx.Client, name: str, headers: dict[str, str]) -> Authenticator:
    """Enrols a passkey, and a name to sign in under, as whose session has nothing else to do."""
    chosen = {"name": f"{name}, in"}
    http.put("/api/me/sign-in-name", json=chosen, headers=headers).raise_for_status()
    origin, held = str(http.base_url).rstrip("/"), Authenticator()
    path = "/api/me/factors/passkey"
    options = http.post(f"{path}/challenge", headers=headers).raise_for_status().json()
    made = {"credential": held.make(options["publicKey"], origin), "label": "test"}
    http.post(path, json=made, headers=headers).raise_for_status()
    KEPT[origin, name] = held
    return held
