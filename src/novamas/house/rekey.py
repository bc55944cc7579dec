"""Key rotation: encrypts all secrets of a store under another key.

A store has two kinds of encrypted secrets: the seeds of the ball's chains, and the secrets of
authenticator apps. Both are decrypted with the old key and encrypted with the new one in one
transaction, so that a store always uses one key or the other. No server may use the store
meanwhile.

The log is not changed, because its events are hash-chained: the old ciphertext of an app's
enrolment stays there, and a later event replaces it.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import NamedTuple

from novamas.game.errors import NovamasError
from novamas.house.ball.seeds import seed_bound_to
from novamas.house.encryption import DerivedKey, SealError, SealingKey
from novamas.house.leases import is_table
from novamas.house.log import codec
from novamas.house.log.backup import Durable
from novamas.house.log.store import Batch, Head, Lease, SharedStore, Store, StoreError
from novamas.house.people import events
from novamas.house.people.events import RegisterEvent
from novamas.house.people.registry import LOG, Kept, batch_of
from novamas.house.people.second_factor import SEALED_FOR, bound_to
from novamas.house.people.state import MACHINE, Factor, FactorKind, Person, sound
from novamas.house.table.events import BallChainCommitted

LEASE_SECONDS = 60.0
"""Seconds for which no server may take a table whose key is rotated."""


class RekeyError(NovamasError):
    """Why the key was not rotated; the store is unchanged."""


class Rekeyed(NamedTuple):
    """The result of a key rotation."""

    seeds: int
    """How many seeds of the ball are under the new key now."""
    apps: int
    """How many secrets of apps are under the new key now."""
    left: int
    """Secrets that neither key decrypts: their key was given up earlier."""
    is_done_before: bool = False
    """Whether all of them were under the new key already."""


class _Opened(NamedTuple):
    """A decrypted secret, until it is encrypted again."""

    secret: bytes
    bound: bytes


class _Keys(NamedTuple):
    """The old and the new key for one purpose."""

    old: SealingKey
    new: SealingKey

    def open(self, sealed: bytes, bound: bytes) -> tuple[_Opened | None, bool]:
        """The secret, if the old key decrypts it; and whether either key does."""
        if (secret := _unsealed(self.old, sealed, bound)) is not None:
            return _Opened(secret, bound), True
        return None, _unsealed(self.new, sealed, bound) is not None


class _Work:
    """The secrets to encrypt again, those already done, and those that cannot be decrypted."""

    def __init__(self) -> None:
        self.seeds: dict[str, dict[int, _Opened]] = {}
        self.heads: dict[str, Head] = {}
        self.apps: list[tuple[Person, Factor, _Opened]] = []
        self.done = 0
        self.left = 0

    @property
    def count(self) -> tuple[int, int]:
        return sum(map(len, self.seeds.values())), len(self.apps)


def rekey(
    store: Durable, old: SealingKey, new: SealingKey, *, now: int, account: str, reason: str
) -> Rekeyed:
    """Encrypts all secrets of a store with the new key, or none; and records it.

    After that the store needs the new key. Raises a RekeyError if the old key is wrong, and
    whatever the store raises; then nothing is changed.
    """
    if old.found() is None:
        raise RekeyError(f"the old key is missing: {old.where}")
    if old.found() == new.found():
        raise RekeyError(f"{new.where} is the old key: name another place for a new one")
    apps = _Keys(DerivedKey(old, SEALED_FOR), DerivedKey(new, SEALED_FOR))
    kept = Kept.load(store)
    work = _Work()
    for table in filter(is_table, store.tables()):
        _open_seeds(store, table, _Keys(old, new), work)
    _open_apps(kept, apps, work)
    seeds, factors = work.count
    if not seeds and not factors:
        if work.left and not work.done:
            raise RekeyError(f"{old.where} opens nothing of what is sealed in this store")
        return Rekeyed(0, 0, work.left, is_done_before=bool(work.done))
    # Make the key durable before anything is encrypted with it; the refusals above leave no key.
    new.prepare()
    wanted = tuple(_events(apps.new, work, account=account, reason=reason))
    batches = [batch_of(kept, wanted, now), *_sealed_anew(work, new)]
    with store.whole():
        store.append(*batches)
        kept.go_on(store.read(LOG, after=kept.head.seq))
        _require_opens(store, kept, work, new, apps.new)
    # Read it again, as the next start will.
    _require_opens(store, Kept.load(store), work, new, apps.new)
    return Rekeyed(seeds, factors, work.left)


def hold_tables(store: Store) -> None:
    """Takes the lease of every table of a shared store, so that no server can."""
    if not isinstance(store, SharedStore):
        return
    lease = Lease(f"rekey {secrets.token_hex(8)}", "")
    for table in filter(is_table, store.tables()):
        if not store.take_lease(table, lease, seconds=LEASE_SECONDS):
            raise StoreError(f"table {table} is served: end every server of the house first")


def _open_seeds(store: Store, table: str, keys: _Keys, work: _Work) -> None:
    """Decrypts the seeds of a table. The newest one must succeed: a coup may depend on it."""
    tips = dict(_tips(store, table))
    found: dict[int, _Opened] = {}
    for chain, sealed in store.secrets(table):
        tip = tips.get(chain)
        bound = seed_bound_to(table, tip) if tip is not None else b""
        opened, is_known = keys.open(sealed, bound)
        if opened is not None:
            found[chain] = opened
        elif is_known:
            work.done += 1
        elif chain == max(tips, default=None):
            raise RekeyError(
                f"table {table}: {keys.old.where} is not the key that sealed the ball's seed"
            )
        else:
            work.left += 1
    work.seeds[table], work.heads[table] = found, store.head(table)


def _tips(store: Store, table: str) -> Iterator[tuple[int, str]]:
    """Each chain of a table with the commitment that its seed is bound to."""
    for record in store.read(table):
        if record.type == BallChainCommitted.__name__:
            event = codec.decode(record.type, record.version, record.payload, None)
            if isinstance(event, BallChainCommitted):
                yield event.number, event.tip


def _open_apps(kept: Kept, keys: _Keys, work: _Work) -> None:
    for person in kept.register.people.values():
        for factor in person.factors.values():
            if factor.kind is FactorKind.TOTP:
                sealed, bound = bytes.fromhex(factor.sealed), bound_to(person.name, factor.id)
                opened, is_known = keys.open(sealed, bound)
                if opened is not None:
                    work.apps.append((person, factor, opened))
                else:
                    work.done += is_known
                    work.left += not is_known


def _events(key: SealingKey, work: _Work, *, account: str, reason: str) -> Iterator[RegisterEvent]:
    """The register's events of the rotation."""
    seeds, apps = work.count
    yield events.KeyChanged(by=MACHINE, account=account, reason=reason, seeds=seeds, apps=apps)
    for person, factor, opened in work.apps:
        sealed = key.seal(opened.secret, bound_to=opened.bound)
        yield events.TotpResealed(name=person.name, factor=factor.id, sealed=sealed.hex())


def _sealed_anew(work: _Work, key: SealingKey) -> Iterator[Batch]:
    """The batches with the new ciphertexts; nothing is added to the tables' logs."""
    for table, seeds in work.seeds.items():
        if seeds:
            resealed = tuple(
                (chain, key.seal(opened.secret, bound_to=opened.bound))
                for chain, opened in seeds.items()
            )
            yield Batch(table, work.heads[table].seq, (), (), (), resealed=resealed)


def _require_opens(
    store: Store, kept: Kept, work: _Work, key: SealingKey, apps: SealingKey
) -> None:
    """Raises an error unless every secret can be read back as it was."""
    for table, seeds in work.seeds.items():
        found = dict(store.secrets(table))
        for chain, opened in seeds.items():
            if _unsealed(key, found.get(chain, b""), opened.bound) != opened.secret:
                raise RekeyError(f"table {table}: the seed of chain {chain} cannot be read again")
    for person, factor, opened in work.apps:
        now = kept.register.people[sound(person.name)].factors[factor.id]
        if _unsealed(apps, bytes.fromhex(now.sealed), opened.bound) != opened.secret:
            raise RekeyError(f"the secret of an app of {person.name} cannot be read again")


def _unsealed(key: SealingKey, sealed: bytes, bound: bytes) -> bytes | None:
    try:
        return key.unseal(sealed, bound_to=bound)
    except SealError:
        return None
