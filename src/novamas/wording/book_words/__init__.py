"""The names of a book's data and of the words it chooses among, a module for each language."""
