"""The stores: memory, for tests and for tables that nobody needs to remember; and SQLite."""
