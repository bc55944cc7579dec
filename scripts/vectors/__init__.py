"""The test vectors of the ball: honest evenings and every known way to cheat."""
