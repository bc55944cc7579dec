"""A house in house mode as it is really served: over TLS, with its own certificate."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import ssl
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from novamas.web.server import Options
from tests.web.accounts import PASSWORD
from tests.web.authenticator import enter
from tests.web.house_mode import Open, opened

pytestmark = [pytest.mark.slow, pytest.mark.program("openssl")]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    with opened(tmp_path_factory.mktemp("house")) as found:
        yield found


SIGN_IN = {"name": "cora", "password": PASSWORD, "post": "chief"}


def test_it_speaks_tls_and_nothing_else(house: Open) -> None:
    assert house.url.startswith("https://")
    with pytest.raises(httpx.HTTPError):
        httpx.get(house.url.replace("https", "http") + "/api/health")
    with house.http() as http:
        assert http.get("/api/mode").json() == {"mode": "house", "me": None}
        assert "includeSubDomains" in http.get("/").headers["Strict-Transport-Security"]


@pytest.mark.parametrize(
    ("version", "is_spoken"),
    [
        (ssl.TLSVersion.TLSv1, False),
        (ssl.TLSVersion.TLSv1_1, False),
        (ssl.TLSVersion.TLSv1_2, True),
        (ssl.TLSVersion.TLSv1_3, True),
    ],
)
def test_it_speaks_tls_as_it_is_spoken_today(
    house: Open, version: ssl.TLSVersion, *, is_spoken: bool
) -> None:
    context = house.trusted()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = version
    with socket.create_connection(("127.0.0.1", house.port)) as plain:
        if not is_spoken:
            with pytest.raises((ssl.SSLError, OSError)):
                context.wrap_socket(plain, server_hostname="localhost").close()
            return
        with context.wrap_socket(plain, server_hostname="localhost") as safe:
            cipher = safe.cipher()
            assert cipher is not None
            assert re.match(r"ECDHE-.*(GCM|CHACHA20)|TLS_", cipher[0])


@pytest.mark.parametrize("cipher", ["AES128-SHA", "AES256-GCM-SHA384", "ECDHE-ECDSA-AES128-SHA"])
def test_what_could_be_read_later_is_not_spoken(house: Open, cipher: str) -> None:
    context = house.trusted()
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(f"{cipher}:@SECLEVEL=0")
    with (
        socket.create_connection(("127.0.0.1", house.port)) as plain,
        pytest.raises((ssl.SSLError, OSError)),
    ):
        context.wrap_socket(plain, server_hostname="localhost").close()


def test_an_evening_by_cookie_over_tls(house: Open) -> None:
    own = {"Origin": house.url, "Sec-Fetch-Site": "same-origin"}
    with house.http(**own) as http:
        enter(http, "cora", PASSWORD, "chief", by="cookie")
        assert set(http.cookies) == {"__Host-novamas", "__Host-novamas-device"}
        person = {"name": "ana", "password": "voisins du zéro", "posts": ["player"]}
        assert http.post("/api/people", json=person).status_code == 201
        assert http.post("/api/tables", json={"table": "t", "rulebook": "bg"}).status_code == 201
        token = http.cookies["__Host-novamas"]
        assert asyncio.run(listen(house, f"__Host-novamas={token}", house.url)) == "t"
        assert http.post("/api/sign-out").status_code == 204
        with pytest.raises(ConnectionClosed):
            asyncio.run(listen(house, f"__Host-novamas={token}", house.url))
        with pytest.raises(InvalidStatus):
            asyncio.run(listen(house, f"__Host-novamas={token}", "https://elsewhere.example"))


async def listen(house: Open, cookie: str, origin: str) -> str:
    """The name of the table that a socket shows."""
    address = house.url.replace("https", "wss") + "/api/tables/t/socket"
    headers = {"Cookie": cookie, "Origin": origin}
    async with connect(
        address, ssl=house.trusted(), additional_headers=headers, proxy=None
    ) as wire:
        return str(json.loads(await wire.recv())["table"]["table"])


def test_it_answers_under_its_own_names_alone(tmp_path: Path) -> None:
    with opened(tmp_path, "--name", "casino.example") as house, house.http() as http:
        for host, status in (("casino.example", 200), ("elsewhere.example", 421)):
            assert http.get("/api/health", headers={"Host": host}).status_code == status


def test_a_house_that_nobody_can_call_says_which_option_is_missing(tmp_path: Path) -> None:
    everywhere = ("--host", "0.0.0.0")  # noqa: S104 - it is what is asked for
    with opened(tmp_path, *everywhere) as house:
        assert house.url.startswith("https://127.0.0.1:")
        assert house.process.stdout is not None
        said = house.process.stdout.readline()
        assert "nobody elsewhere is let in" in said
        assert "--name house.example.org" in said
        with house.http() as http:
            elsewhere = http.get("/api/health", headers={"Host": "house.example.org"})
            assert (elsewhere.status_code, http.get("/api/health").status_code) == (421, 200)
        house.process.send_signal(signal.SIGTERM)
        out, err = house.process.communicate(timeout=60)
    assert "--name" in err
    assert out.endswith("the house is closed; nothing was lost\n")


def test_beyond_the_machine_measures_are_told_over_tls(tmp_path: Path) -> None:
    everywhere = ("--metrics", "0.0.0.0:0")
    with opened(tmp_path, *everywhere) as house:
        assert house.process.stdout is not None
        lines = (house.process.stdout.readline() for _ in range(3))
        said = next(line for line in lines if "measures" in line)
        found = re.search(r"https://0\.0\.0\.0:(\d+)/metrics", said)
        assert found is not None, said
        at = f"127.0.0.1:{found[1]}/metrics"
        assert "novamas_info" in httpx.get(f"https://{at}", verify=house.trusted()).text
        with pytest.raises(httpx.HTTPError):
            httpx.get(f"http://{at}")


def test_a_house_with_a_name_is_open_under_it() -> None:
    everywhere = Options(local=False, host="0.0.0.0", certificate="house.crt")  # noqa: S104
    named = replace(everywhere, names=("house.example.org", "x.example"))
    assert (named.url(8037), named.is_nameless) == ("https://house.example.org:8037/", False)
    assert (everywhere.url(8037), everywhere.is_nameless) == ("https://127.0.0.1:8037/", True)
    nameless = replace(everywhere, host="192.0.2.7")
    assert (nameless.url(8037), nameless.is_nameless) == ("https://192.0.2.7:8037/", True)
    assert (Options().url(8037), Options().is_nameless) == ("http://127.0.0.1:8037/", False)


def test_behind_a_proxy_it_believes_that_one_alone(tmp_path: Path) -> None:
    passed_on = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.5"}
    with opened(tmp_path, "--name", "casino.example", "--proxy", "127.0.0.1", tls=False) as house:
        headers = {"Host": "casino.example"}
        plain = httpx.post(f"{house.url}/api/sign-in", json=SIGN_IN, headers=headers)
        assert plain.status_code == 403, "a proxy that does not speak TLS"
        safe = httpx.post(
            f"{house.url}/api/sign-in", json=SIGN_IN, headers={**headers, **passed_on}
        )
        assert safe.status_code == 200
        assert safe.headers["set-cookie"].startswith("__Host-novamas=")
        assert "Strict-Transport-Security" in safe.headers
    with opened(tmp_path, "--name", "casino.example", tls=False) as house:
        told = {**headers, **passed_on}
        answer = httpx.post(f"{house.url}/api/sign-in", json=SIGN_IN, headers=told)
        assert answer.status_code == 403, "anybody can write that into a request"
        assert "Strict-Transport-Security" not in answer.headers


def test_nothing_secret_is_said_on_the_terminal(tmp_path: Path) -> None:
    with opened(tmp_path) as house, house.http() as http:
        http.post("/api/sign-in", json={**SIGN_IN, "password": "wrong password"})
        token = str(enter(http, "cora", PASSWORD, "chief"))
        http.get("/api/me", headers={"Authorization": f"Bearer {token}"})
        http.get(f"/api/tables?token={token}")
        house.process.send_signal(signal.SIGTERM)
        out, err = house.process.communicate(timeout=60)
    assert house.process.returncode == 0
    for secret in (PASSWORD, "wrong password", token, "key="):
        assert secret not in out + err
