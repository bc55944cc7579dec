"""Wording: what the croupier calls, and why a stake got what it got, in every language.

It imports only the game, and uses no clock, random source or files.
"""
