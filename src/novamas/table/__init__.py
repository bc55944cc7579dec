"""The table: who may do what and when, from the first chip bought to the last coup.

`decide(state, command)` returns events, or a refusal with its article; `evolve(state, event)`
changes the state. Time, chance and the outside world come in as commands: a script, a croupier's
console and an automatic croupier use the same ones. Nothing here reads a clock, a file or a random
source.
"""
