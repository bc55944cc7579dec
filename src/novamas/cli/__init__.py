"""The `novamas` command: a module for the parser, and one for each of its commands.

`main` imports nothing heavy, so that help comes at once; a command's module is imported when the
command is given.
"""
