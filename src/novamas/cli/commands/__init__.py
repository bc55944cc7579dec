"""The commands of `novamas`, a module each, imported only when it is called."""
