"""The HTTP routes, a module for each group of resources."""
