"""The register: the people of a house, the posts they may hold, their sessions and their wallets.

It is a log like a table's, in the same store, under a name that no table can have: hash-chained,
append-only, with a double-entry ledger. It records who got a post and from whom, who signed in
when, what the cash desk took and paid, and the limits that people set for themselves. All of it can
be verified.
"""
