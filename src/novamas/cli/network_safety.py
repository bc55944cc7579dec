"""Refuses network settings with which others could listen to a house or impersonate it."""

from __future__ import annotations

import ssl
from argparse import Namespace
from ipaddress import ip_address, ip_network

from novamas.cli.errors import InputError

OWN = "--certificate FILE --key FILE; behind a proxy one will do that the proxy trusts alone"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address.

    >>> [is_loopback(each) for each in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def require_private(args: Namespace, watched: tuple[str, int] | None) -> None:
    """Refuses unencrypted connections beyond this machine."""
    if watched is not None and not is_loopback(watched[0]):
        if args.local:
            raise InputError("--metrics: local mode serves this machine alone")
        if args.certificate is None:
            message = f"--metrics {watched[0]}: metrics leave this machine over TLS alone"
            raise InputError(message, hint="--certificate FILE --key FILE, or the port alone")
    if args.local:
        return
    away = [each for each in args.proxy or () if not ip_network(each).is_loopback]
    if away and args.certificate is None:
        message = (
            f"--proxy {away[0]}: the connection from a proxy on another machine must use TLS too"
        )
        raise InputError(message, hint=OWN)
    if args.host is None or is_loopback(args.host):
        return
    if args.certificate is None:
        raise InputError(
            "--host: people sign in over TLS alone when the house listens beyond this machine",
            hint=OWN,
        )
    if not args.proxy:
        for name in args.name or ():
            _require_trusted(args.certificate, args.key, name)


def _require_trusted(certificate: str, key: str, name: str) -> None:
    """Makes a TLS handshake with itself, against the authorities that this machine trusts."""
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(certificate, key)
    to_house, to_browser = ssl.MemoryBIO(), ssl.MemoryBIO()
    house = serving.wrap_bio(to_house, to_browser, server_side=True)
    try:
        browser = ssl.create_default_context().wrap_bio(to_browser, to_house, server_hostname=name)
        for side in (browser, house, browser):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    except ValueError as problem:  # Also for a name that no host can have.
        message = f"--certificate {certificate}: not to be trusted as {name}: "
        hint = (
            "take one of a public authority, in one file with those between;"
            " SSL_CERT_FILE names authorities of your own"
        )
        reason = getattr(problem, "verify_message", str(problem))
        raise InputError(message + reason, hint=hint) from None
