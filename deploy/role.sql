-- The house's role and database: it logs in, owns this one database, and may do nothing besides.
-- As a superuser, once:  psql --file deploy/role.sql
--
-- There is no password in it. On one machine PostgreSQL knows who asks by the user of the system
-- (peer: the user novamas is the role novamas); from another machine by a certificate whose common
-- name is the role's, with a line in pg_hba.conf:  hostssl house novamas 192.0.2.0/24 cert
CREATE ROLE novamas LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
    CONNECTION LIMIT 40;
CREATE DATABASE house OWNER novamas TEMPLATE template0 ENCODING 'UTF8';
REVOKE ALL ON DATABASE house FROM PUBLIC;
