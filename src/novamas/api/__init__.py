"""What `import novamas` offers, each name in its own module; nothing here is imported before use.

The public path of every name is `novamas.NAME`; these modules define the names.
"""
