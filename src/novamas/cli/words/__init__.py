"""The words of the commands about the game, a module for each language."""
