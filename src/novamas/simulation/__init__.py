"""The simulation: a great many coups, played by compiled loops from tables that `settle` wrote.

What a coup pays stands in tables that the engine itself filled; what a player lays next comes from
the same systems that the exact odds follow. Needs the extra `maths`.
"""
