"""What a house is reached by, beyond the machine that it runs on."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from novamas.cli.errors import InputError
from novamas.cli.network_safety import require_private
from novamas.cli.parser import build_parser
from tests.certificates import certified

pytestmark = pytest.mark.program("openssl")

NAME = "house.example.org"


def asked(*words: str) -> Namespace:
    return build_parser().parse_args(["serve", "--store", "house.db", *words])


def is_private(args: Namespace, watched: tuple[str, int] | None = None) -> bool:
    try:
        require_private(args, watched)
    except InputError:
        return False
    return True


@pytest.fixture
def own(tmp_path: Path) -> tuple[str, ...]:
    """A certificate that is its own authority."""
    certificate, key = certified(tmp_path, NAME)
    return "--certificate", str(certificate), "--key", str(key)


def test_strangers_are_shown_a_certificate_that_they_can_trust(
    own: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    everywhere = ("--host", "0.0.0.0", *own)  # noqa: S104 - it is what is asked for
    with pytest.raises(InputError, match=rf"not to be trusted as {NAME}: self.signed") as told:
        require_private(asked("--name", NAME, *everywhere), None)
    assert "a public authority" in told.value.hint
    monkeypatch.setenv("SSL_CERT_FILE", own[1])
    assert is_private(asked("--name", NAME, *everywhere))
    with pytest.raises(InputError, match=r"not to be trusted as elsewhere\.example: Host"):
        require_private(asked("--name", NAME, "--name", "elsewhere.example", *everywhere), None)
    with pytest.raises(InputError, match=r"not to be trusted as \.example"):
        require_private(asked("--name", ".example", *everywhere), None)


def test_on_the_machine_itself_any_certificate_will_do(own: tuple[str, ...]) -> None:
    assert is_private(asked("--name", NAME, *own), ("127.0.0.1", 9037))
    assert is_private(asked("--name", NAME, "--host", "127.0.0.1", *own))


def test_a_proxy_elsewhere_is_spoken_to_over_tls_by_a_certificate_that_it_knows(
    own: tuple[str, ...],
) -> None:
    for proxy in ("10.0.0.7", "10.0.0.0/8", "0.0.0.0/0", "2001:db8::7"):
        words = ("--name", NAME, "--host", "10.0.0.8", "--proxy", proxy)
        with pytest.raises(InputError, match="must use TLS too"):
            require_private(asked(*words), None)
        assert is_private(asked(*words, *own))
    for proxy in ("127.0.0.1", "127.0.0.0/8", "::1"):
        assert is_private(asked("--name", NAME, "--proxy", proxy))


def test_measures_are_plain_on_the_machine_alone(own: tuple[str, ...]) -> None:
    for host in ("0.0.0.0", "::", "10.0.0.7", "watch.example.org"):  # noqa: S104
        with pytest.raises(InputError, match="metrics leave this machine over TLS"):
            require_private(asked(), (host, 9037))
        assert is_private(asked(*own), (host, 9037))
    for host in ("127.0.0.1", "localhost", "::1"):
        assert is_private(asked(), (host, 9037))
