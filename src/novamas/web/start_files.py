"""The keys that a house is started with, and the files that a start makes."""

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
"""What the name of the ball's key has more than that of the store's file, if nothing is said."""


def ball_key_source(store: str | None, named: str | None) -> str | None:
    """Where the key of the ball is kept: as it was said, or beside a store that is a file."""
    if named is None and store is not None and not is_shared(store):
        return f"{store}{BALL_KEY_SUFFIX}"
    return named


def ball_key(options: Options) -> SealingKey:
    """The key that seals the ball's seeds: never in the store, and in no backup of it."""
    source = ball_key_source(options.store, options.ball_key)
    try:
        return SealingKey() if source is None else kept_key(source)
    except SealError as problem:
        raise SelfCheckError(str(problem), hint=NO_KEY) from None


def unmade(options: Options) -> Unmade:
    """The files that a start makes, where they are not there yet."""
    keys = [key.path] if isinstance(key := ball_key(options), KeyFile) else []
    if options.checkpoints is not None and options.checkpoints_key is None:
        keys.append(Path(f"{options.checkpoints}{KEY_SUFFIX}"))
    log_file = options.log if options.log != "-" else None
    return Unmade(options.store, keys, log_file)
