"""How the documentation is built: Sphinx, Markdown and Furo, offline, warnings as errors."""

import novamas

project = "novamas"
author = "the novamas contributors"
copyright = f"2026, {author}"
version = release = novamas.__version__

extensions = ["myst_parser"]
exclude_patterns = ["examples"]
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = "novamas"
html_show_sphinx = False
nitpicky = True
