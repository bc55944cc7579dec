"""The pure game: wheel, cloth, chips, rulebooks, limits, announcements, settlement.

Everything here is a function of its arguments and uses the standard library alone: no clock, no
random source, no file, no network. The table, the odds, the simulator and the screens stand on it.
"""
