"""Drawing the cloth: its layout, its lettering, and how chips lie on it, as SVG and as text.

It imports only the game, and uses no clock, random source or files.
"""
