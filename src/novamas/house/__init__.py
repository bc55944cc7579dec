"""The house: tables that many people play at once, that lose nothing and can be verified.

Stores, the ledger, the ball, the clock, and one actor for each table. The game's rules are not
here: the actor asks `novamas.table` what a command brings about, makes it durable, and only then
shows it.
"""
