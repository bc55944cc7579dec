"""The odds: what a layout, a staking system and a rulebook really do, by the engine that pays.

Every result comes from enumerating the 37 pockets through `settle`; no rule of a house stands here.
Answers are exact fractions wherever that is possible in seconds, and say their precision where not.
The standard library is enough; the extra `maths` makes some things faster, and draws PNG.
"""
