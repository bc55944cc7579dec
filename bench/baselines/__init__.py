"""What the simulation is held against: what a person would take or write instead."""
