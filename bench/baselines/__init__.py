"""The baselines of the simulation: what a person would use or write instead."""
