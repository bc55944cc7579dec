"""The table: who may do what and when, from the first chip bought to the last coup.

`decide(state, command)` says what happens, as events, or refuses with an article; `evolve(state,
event)` makes it so. Time, chance and the outside world come in as commands: a script, a croupier's
console and an automatic croupier use the same ones. Nothing here reads a clock, a file or a random
source.
"""
