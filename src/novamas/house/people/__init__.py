"""The register: the people of a house, the posts they may hold, their sessions and their wallets.

It is a log like a table's, in the same store, under a name that no table can have: chained, double
entry, append-only. Who was given a post, who gave it, when somebody signed in, what the cash desk
took and paid, and every limit that a person set for himself stand there and can be verified.
"""
