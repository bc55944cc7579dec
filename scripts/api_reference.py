"""A Sphinx extension: the reference of the public API, from `novamas.__all__` and its docstrings.

The directive `public-api` lists every public name with its first sentence, and then documents the
functions, the classes and the exceptions, each under the path by which people import it. Docstrings
of the project are plain text with names in backticks; they are escaped for reStructuredText here.
"""

import importlib
import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

SECTIONS = ("Functions", "Classes", "Exceptions", "Data")
NONE = "The package exports no public names yet."


def kind_of(thing: object) -> str:
    """The section in which a thing is documented.

    >>> kind_of(len), kind_of(int), kind_of(ValueError), kind_of(37)
    ('Functions', 'Classes', 'Exceptions', 'Data')
    """
    if inspect.isclass(thing):
        return "Exceptions" if issubclass(thing, BaseException) else "Classes"
    return "Functions" if callable(thing) else "Data"


def reference(package: str) -> list[str]:
    """The page of a package's public names, in reStructuredText."""
    module = importlib.import_module(package)
    names: Sequence[str] = getattr(module, "__all__", ())
    kinds = {name: kind_of(getattr(module, name)) for name in names if not name.startswith("_")}
    if not kinds:
        return [NONE]
    lines: list[str] = []
    for section in SECTIONS:
        found = sorted(name for name, kind in kinds.items() if kind == section)
        if found:
            lines += [section, "-" * len(section), "", *_summary(package, found)]
            for name in found:
                lines += [*_entry(package, name, section), ""]
    return lines


def _summary(package: str, names: Sequence[str]) -> Iterator[str]:
    yield from (".. autosummary::", "   :nosignatures:", "")
    yield from (f"   {package}.{name}" for name in names)
    yield ""


def _entry(package: str, name: str, section: str) -> Iterator[str]:
    match section:
        case "Functions":
            yield f".. autofunction:: {package}.{name}"
        case "Data":
            yield f".. autodata:: {package}.{name}"
            yield "   :no-value:"
        case _:
            yield f".. autoclass:: {package}.{name}"
            yield "   :members:"
            yield "   :member-order: bysource"


def as_rst(lines: Sequence[str]) -> list[str]:
    r"""A docstring of the project as reStructuredText: examples stay as they are, text is escaped.

    >>> as_rst(["Pays `35` to 1, *not* 36.", "", "    indented", "", ">>> 2 * 3", "6"])
    ['Pays ``35`` to 1, \\*not\\* 36.', '', '::', '', '    indented', '', '>>> 2 * 3', '6']
    """
    made: list[str] = []
    in_example = in_block = False
    for line in lines:
        if not line.strip():
            in_example = False
            made.append(line)
            continue
        in_example = in_example or line.lstrip().startswith(">>>")
        if in_example:
            made.append(line)
        elif line.startswith(" "):
            if not in_block:
                made += [*([""] if made and made[-1].strip() else []), "::", ""]
            in_block = True
            made.append(line)
        else:
            if in_block and made and made[-1].strip():
                made.append("")
            in_block = False
            made.append(_escaped(line))
    return made


def _escaped(line: str) -> str:
    parts = re.split(r"(`+[^`]+`+)", line)
    return "".join(
        f"``{part.strip('`')}``" if place % 2 else re.sub(r"([*|]|(?<=\w)_(?!\w))", r"\\\1", part)
        for place, part in enumerate(parts)
    )


class PublicApi(SphinxDirective):
    """Puts the reference of a package at its place."""

    required_arguments = 1

    def run(self) -> list[Any]:
        """The nodes of the parsed reference."""
        text = "\n".join(reference(self.arguments[0]))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def _process(
    _app: Any, _what: str, _name: str, _thing: Any, _options: Any, lines: list[str]
) -> None:
    lines[:] = as_rst(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    """Makes the directive known to Sphinx."""
    app.setup_extension("sphinx.ext.autodoc")
    app.setup_extension("sphinx.ext.autosummary")
    app.add_directive("public-api", PublicApi)
    app.connect("autodoc-process-docstring", _process)
    return {"parallel_read_safe": True}
