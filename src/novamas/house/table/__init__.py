"""A table of the house: one actor owns it, decides commands in batches, and publishes events."""
