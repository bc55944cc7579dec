"""A roulette house that plays by the book.

The rulebook is data, the engine is a small closed set of behaviours that the data chooses, and
every chip that moves cites the article that moved it. This module stays empty of imports: the
command line starts through it, and what is heavy is imported where it is used.
"""

__version__ = "0.1.0"
