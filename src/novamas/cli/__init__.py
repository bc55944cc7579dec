"""The `novamas` command: a module for the parser, and one for each of its commands.

`main` imports nothing heavy, so that help appears at once; the module of a command is imported when
the command is run.
"""
