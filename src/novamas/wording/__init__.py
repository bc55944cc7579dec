"""Wording: what the croupier calls, and why a stake got what it got, in every language.

Imports the game alone, and neither clock, chance nor files.
"""
