"""The log: events as bytes in a hash chain, the stores that keep them, verification and backup."""
