"""How the documentation is built: Sphinx, Markdown and Furo, offline, warnings as errors."""

import sys
from pathlib import Path

import novamas

# The reference of the API is an extension of our own, in scripts/.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

project = "novamas"
author = "the novamas contributors"
copyright = f"2026, {author}"
version = release = novamas.__version__

extensions = ["myst_parser", "scripts.api_reference"]
exclude_patterns = ["examples"]
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3

autosummary_generate = False
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "novamas"
html_show_sphinx = False
nitpicky = True
# A signature names types that have no page of their own; links between pages are still checked.
nitpick_ignore_regex = [("py:.*", ".*")]
