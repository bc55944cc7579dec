"""`novamas serve`: serves a house to the person at this machine, or to people with accounts."""

from __future__ import annotations

import errno
import os
import re
import sys
import threading
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from novamas.cli import arguments
from novamas.cli.errors import InputError, OutputError
from novamas.cli.network_safety import require_private
from novamas.cli.open_store import hint_for, house_installed
from novamas.cli.terminal import Terminal

if TYPE_CHECKING:
    from novamas.web.server import NotListeningError

HIGHEST_PORT = 65_535
LONGEST_ADDRESS = 120
LONGEST_ABSENCE = 7 * 24 * 60
"""In minutes."""
LOOPBACK = "127.0.0.1"


def run(args: Namespace, terminal: Terminal) -> int:
    """Serves until Ctrl-C or a signal of the system stops it."""
    _require_sense(args)
    watched = None if args.metrics is None else _metrics(args.metrics)
    require_private(args, watched)
    absent = arguments.whole(args.absent, least=0, most=LONGEST_ABSENCE, what="--absent")
    highest = None
    if args.highest_bet is not None:
        highest = arguments.whole(args.highest_bet, least=1, what="--highest-bet")
    port = arguments.whole(args.port, least=0, most=HIGHEST_PORT, what="--port")
    with house_installed():
        from novamas.house.house import SelfCheckError
        from novamas.house.log.store import StoreError
        from novamas.house.log.stores.addresses import is_shared
        from novamas.web.server import NotListeningError, Options, run, serve

    def tell(text: str) -> None:
        terminal.say(text)
        terminal.out.flush()

    address = None if args.address is None else _address(args.address, args.store)
    if args.checkpoints_key is not None and args.checkpoints is None:
        raise InputError("--checkpoints-key: goes with --checkpoints FILE, which it signs")
    if is_shared(args.store) and args.ball_key is None:
        hint = "--ball-key FILE: the same key for every server of the house"
        raise InputError("servers that share a database need the same key of the ball", hint=hint)
    options = Options(
        port=port,
        local=args.local,
        host=args.host or LOOPBACK,
        names=tuple(args.name or ()),
        certificate=args.certificate,
        key=args.key,
        proxies=tuple(args.proxy or ()),
        store=args.store,
        checkpoints=args.checkpoints,
        checkpoints_key=args.checkpoints_key,
        ball_key=args.ball_key,
        second_factor=args.second_factor or "staff",
        clock_is_right=args.clock_is_right,
        stolen_passwords=args.stolen_passwords,
        address=address,
        absent=60.0 * absent if absent else None,
        highest_bet=highest,
        log=args.log,
        metrics=watched,
    )
    try:
        run(serve(options, tell, opened=_show if args.open else None))
    except SelfCheckError as problem:
        raise OutputError(f"the house does not open: {problem}", hint=problem.hint) from None
    except StoreError as problem:
        raise OutputError(f"the house does not open: {problem}", hint=hint_for(problem)) from None
    except NotListeningError as problem:
        raise _not_listening(problem) from None
    except OSError as problem:
        if problem.filename is None:
            raise  # The output cannot be written.
        option = (
            "--log " if args.log and Path(args.log).absolute() == Path(problem.filename) else ""
        )
        where = args.log if option else problem.filename
        raise OutputError(f"{option}{where}: {problem.strerror}") from None
    except ValueError as problem:  # A path cannot contain NUL, and a key only digits.
        raise InputError(f"the house does not open: {problem}") from None
    return 0


def _require_sense(args: Namespace) -> None:
    """Checks the options that a house with accounts needs."""
    for_people = ("host", "name", "certificate", "key", "proxy", "second-factor")
    if args.local:
        for option in for_people:
            if getattr(args, option.replace("-", "_")) is not None:
                raise InputError(f"--{option}: local mode serves this machine alone")
        return
    if args.store is None:
        hint = "novamas serve --local: on the loopback, with play money and without a login"
        raise InputError("a house with accounts needs a --store", hint=hint)
    if (args.certificate is None) != (args.key is None):
        raise InputError("--certificate and --key go together")
    if args.certificate is not None:
        _require_certificate(args.certificate, args.key)
    for name in args.name or ():
        _require_name(name)
    for proxy in args.proxy or ():
        _require_proxy(proxy)


def _require_certificate(certificate: str, key: str) -> None:
    """Checks that the TLS certificate and key can be read, are valid, and match."""
    import ssl

    from novamas.house import key_files
    from novamas.house.key_sources import KeySourceError, is_handed_over, require_owner_alone

    wanted = (("--certificate", certificate, "certificate"), ("--key", key, "private key"))
    texts: dict[str, str] = {}
    for option, file, _ in wanted:
        try:
            texts[option] = key_files.read(file)
        except OSError as problem:
            raise InputError(f"{option} {file}: {problem.strerror}") from None
        except ValueError as problem:  # A path cannot contain NUL.
            raise InputError(f"{option} {file!r}: {problem}") from None
    for option, file, kind in wanted:
        if f"{kind.upper()}-----" not in texts[option]:
            what = key_files.describe(texts[option])
            hint = f"{option} wants a file in PEM that begins -----BEGIN {kind.upper()}-----"
            raise InputError(f"{option} {file}: not a {kind}, but {what}", hint=hint)
    try:
        if not is_handed_over(Path(key)):
            # A group may read it: on many systems a group owns the TLS keys.
            require_owner_alone(Path(key), but_group=True)
    except KeySourceError as problem:
        raise InputError(f"--key {problem}") from None
    if "ENCRYPTED" in texts["--key"]:
        hint = f"openssl pkey -in {key} -out FILE: keep FILE readable to the house alone"
        raise InputError(
            f"--key {key}: the key is encrypted; nobody can type its password at a start",
            hint=hint,
        )
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    except ssl.SSLError as problem:
        said = (problem.reason or "not in PEM").lower().replace("_", " ")
        hint = "both are files in PEM, and the key is that of the certificate"
        message = f"--certificate {certificate} --key {key}: cannot be used: {said}"
        raise InputError(message, hint=hint) from None


def _require_name(text: str) -> None:
    """Checks a host name as a browser sends it: without a scheme, a port or a blank."""
    if not re.fullmatch(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?", text):
        hint = "such as --name house.example.org: the name alone, in the letters that DNS has"
        raise InputError(f"--name: {text!r} is not a host name", hint=hint)


def _require_proxy(text: str) -> None:
    """Checks the address or network of a trusted proxy."""
    from ipaddress import ip_network

    try:
        ip_network(text)
    except ValueError:
        hint = "such as --proxy 127.0.0.1, or --proxy 172.30.37.0/24"
        raise InputError(
            f"--proxy: {text!r} is neither an address nor a network", hint=hint
        ) from None


def _not_listening(problem: NotListeningError) -> OutputError:
    """The option whose address cannot be bound."""
    if problem.option == "--metrics":
        return OutputError(f"--metrics {problem.host}:{problem.port}: {problem.why}")
    if problem.errno in (errno.EADDRINUSE, errno.EACCES):
        hint = "--port 0 takes one that is free"
        return OutputError(f"port {problem.port}: {problem.why}", hint=hint)
    hint = "--host is an address of this machine, or 0.0.0.0 for all that it has"
    return OutputError(f"--host {problem.host}: {problem.why}", hint=hint)


def _metrics(text: str) -> tuple[str, int]:
    """The address for metrics: on the loopback, unless one is given."""
    host, _, port = text.rpartition(":")
    return host or LOOPBACK, arguments.whole(port, least=0, most=HIGHEST_PORT, what="--metrics")


def _address(text: str, store: str | None) -> str:
    """The address at which others reach this server; it must fit a WebSocket close reason."""
    from urllib.parse import urlsplit

    from novamas.house.log.stores.addresses import is_shared

    if not is_shared(store):
        hint = "several servers share a database: --store postgresql://…"
        raise InputError("--address: is for several servers of one house", hint=hint)
    address = text.rstrip("/")
    try:
        parts = urlsplit(address)
        good = bool(parts.scheme in ("http", "https") and parts.hostname and parts.port != 0)
    except ValueError:
        good = False
    if not good or len(address.encode()) > LONGEST_ADDRESS or not address.isprintable():
        hint = "such as https://one.example.org"
        raise InputError(f"--address: {text!r} is not the address of a server", hint=hint)
    return address


def _show(url: str) -> None:
    """Opens the house in the browser, if there is a screen."""
    has_screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    )
    if has_screen:
        import webbrowser

        # A browser may start slowly, so the house does not wait for it.
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
