"""How the documentation is built: Sphinx, Markdown and Furo, offline, warnings as errors."""

import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

import novamas

# The reference of the API, the notebooks and the playground are extensions of our own, in scripts/.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

project = "novamas"
author = "the novamas contributors"
copyright = f"2026, {author}"
version = release = novamas.__version__

extensions = [
    "myst_parser",
    "scripts.api_reference",
    "scripts.notebook_pages",
    "scripts.playground",
]
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


def level_captions(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any
) -> None:
    """Gives the captions of the navigation a level: they have the role of headings, but none."""
    tree = context.get("furo_navigation_tree")
    if tree:
        leveled = tree.replace('role="heading"', 'role="heading" aria-level="2"')
        context["furo_navigation_tree"] = leveled


def setup(app: Sphinx) -> None:
    """Mends what the theme leaves out, after the theme has made it."""
    app.connect("html-page-context", level_captions, priority=900)
