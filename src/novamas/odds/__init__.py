"""The odds: what a layout, a staking system and a rulebook really do, by the engine that pays.

Every result comes from enumerating the pockets of the wheel through `settle`; this package contains
no rule of a house. Answers are exact fractions where that takes seconds, and state their precision
otherwise. The standard library is enough; the extra `maths` makes some things faster, and draws
PNG.
"""
