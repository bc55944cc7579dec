#!/bin/sh
# Who comes to the database of compose.yaml: those who reach its socket, by the user that they run as. The
# image of PostgreSQL runs this once, when it has made the database and role.sql its role.
#
# The house's container runs as 999, which is postgres in the database's: from there one is the house's
# role and nothing more. The superuser is root in the database's own container.
set -eu

cat >"$PGDATA/pg_ident.conf" <<'END'
# map   user of the system   role
house   postgres             novamas
house   root                 postgres
END

cat >"$PGDATA/pg_hba.conf" <<'END'
local   house   novamas    peer map=house
local   all     postgres   peer map=house
END
