"""The simulation: a great many coups, played by compiled loops from tables that `settle` wrote.

The payoff tables are filled by the engine itself, and the systems are those of the exact odds. This
package needs the extra `maths`.
"""
