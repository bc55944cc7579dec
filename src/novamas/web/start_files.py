"""The keys that a house needs at its start, and the files that it creates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from novamas.house.encryption import KeyFile, SealError, SealingKey, kept_key
from novamas.house.house import NO_KEY, SelfCheckError
from novamas.house.log.checkpoints import KEY_SUFFIX
from novamas.house.log.stores.addresses import is_shared
from novamas.house.log.stores.create import Unmade

if TYPE_CHECKING:
    from novamas.web.server import Options

BALL_KEY_SUFFIX = ".ball-key"
"""The default name of the ball's key: the name of the store's file with this suffix."""


def ball_key_source(store: str | None, named: str | None) -> str | None:
    """The source of the ball's key: the configured one, or a file beside the store's file."""
    if named is None and store is not None and not is_shared(store):
        return f"{store}{BALL_KEY_SUFFIX}"
    return named


def ball_key(options: Options) -> SealingKey:
    """The key that encrypts the ball's seeds: never in the store, and in no backup of it."""
    source = ball_key_source(options.store, options.ball_key)
    try:
        return SealingKey() if source is None else kept_key(source)
    except SealError as problem:
        raise SelfCheckError(str(problem), hint=NO_KEY) from None


def unmade(options: Options) -> Unmade:
    """The files that a start creates, if they do not exist yet."""
    keys = [key.path] if isinstance(key := ball_key(options), KeyFile) else []
    if options.checkpoints is not None and options.checkpoints_key is None:
        keys.append(Path(f"{options.checkpoints}{KEY_SUFFIX}"))
    log_file = options.log if options.log != "-" else None
    return Unmade(options.store, keys, log_file)
