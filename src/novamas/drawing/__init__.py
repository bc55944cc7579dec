"""Drawing the cloth: its layout, its lettering, and how chips lie on it, as SVG and as text.

Imports the game alone, and neither clock, chance nor files.
"""
