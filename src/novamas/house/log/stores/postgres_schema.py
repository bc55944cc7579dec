"""The schema of a house in PostgreSQL: its migrations."""

from __future__ import annotations

from typing import LiteralString

MIGRATIONS: tuple[LiteralString, ...] = (
    """
    CREATE TABLE novamas.records (
        tbl TEXT COLLATE "C" NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL, type TEXT NOT NULL,
        version INTEGER NOT NULL, payload BYTEA NOT NULL, command TEXT, previous BYTEA NOT NULL,
        hash BYTEA NOT NULL, PRIMARY KEY (tbl, seq)
    );
    CREATE TABLE novamas.entries (
        tbl TEXT COLLATE "C" NOT NULL, seq BIGINT NOT NULL, place INTEGER NOT NULL,
        source TEXT NOT NULL, target TEXT NOT NULL,
        amount BIGINT NOT NULL CHECK (amount > 0 AND source <> target),
        PRIMARY KEY (tbl, seq, place)
    );
    CREATE TABLE novamas.balances (
        tbl TEXT COLLATE "C" NOT NULL, account TEXT NOT NULL, amount BIGINT NOT NULL,
        PRIMARY KEY (tbl, account)
    );
    CREATE TABLE novamas.outcomes (
        tbl TEXT COLLATE "C" NOT NULL, command TEXT NOT NULL, who TEXT NOT NULL,
        first BIGINT NOT NULL, last BIGINT NOT NULL, answer BYTEA NOT NULL,
        PRIMARY KEY (tbl, command)
    );
    CREATE TABLE novamas.snapshots (
        tbl TEXT COLLATE "C" PRIMARY KEY, seq BIGINT NOT NULL, memento BYTEA NOT NULL
    );
    CREATE TABLE novamas.secrets (
        tbl TEXT COLLATE "C" NOT NULL, chain BIGINT NOT NULL, secret BYTEA NOT NULL,
        PRIMARY KEY (tbl, chain)
    );
    CREATE TABLE novamas.leases (
        tbl TEXT COLLATE "C" PRIMARY KEY, epoch BIGINT NOT NULL, owner TEXT NOT NULL,
        address TEXT NOT NULL, until TIMESTAMPTZ NOT NULL
    );
    CREATE FUNCTION novamas.require_lease(name TEXT, held BIGINT) RETURNS VOID AS $$
    BEGIN
        -- The row stays locked until the commit: nobody takes the table over in between.
        PERFORM 1 FROM novamas.leases WHERE tbl = name AND epoch = held FOR SHARE;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'the lease of % is another server''s', name USING ERRCODE = 'NV001';
        END IF;
    END $$ LANGUAGE plpgsql;
    """,
    """
    ALTER TABLE novamas.outcomes ADD COLUMN digest BYTEA NOT NULL DEFAULT ''::bytea;
    ALTER TABLE novamas.snapshots DROP CONSTRAINT snapshots_pkey;
    ALTER TABLE novamas.snapshots ADD PRIMARY KEY (tbl, seq);
    """,
    # Version 0.1.0 stored a secret of 32 bytes for each spin, in a column of another name. All but
    # the newest are revealed in the log; the newest may be that of a running ball.
    """
    DO $$ BEGIN
        IF EXISTS (
            SELECT 1 FROM information_schema.columns WHERE table_schema = 'novamas'
            AND table_name = 'secrets' AND column_name = 'spin'
        ) THEN
            ALTER TABLE novamas.secrets RENAME COLUMN spin TO chain;
        END IF;
    END $$;
    DELETE FROM novamas.secrets AS old WHERE length(secret) = 32 AND chain < (
        SELECT max(chain) FROM novamas.secrets AS newest
        WHERE newest.tbl = old.tbl AND length(newest.secret) = 32
    );
    UPDATE novamas.secrets SET chain = -chain WHERE length(secret) = 32;
    """,
)
"""The migrations in order; `novamas.version` counts those that were applied."""
