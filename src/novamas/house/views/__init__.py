"""Views: what each audience is shown of tables, rulebooks, decisions and history."""
