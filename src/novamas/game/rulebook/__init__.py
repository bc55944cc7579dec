"""The rulebook: its typed model, and the reader that checks every key of its TOML."""
