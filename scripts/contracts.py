"""A contract that import-linter lacks: packages that import the standard library alone.

Modules of the standard library that a package may not import either (clock, random source, files)
are listed as barred.
"""

import sys
from typing import Any

from grimp import DetailedImport, ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class StandardLibraryOnly(Contract):
    """The modules named, and all within them, import only the standard library and the project.

    A module that does not exist yet is skipped, so that the contract can be written first.
    """

    type_name = "standard_library_only"

    modules: Any = fields.ListField(subfield=fields.StringField())
    barred: Any = fields.ListField(subfield=fields.StringField(), required=False, default=[])

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002, FBT001 - the signature is import-linter's.
        """Look at every import that leaves the project."""
        roots = set(self.session_options["root_packages"])
        allowed = roots | (set(sys.stdlib_module_names) - set(self.barred))
        strangers: list[DetailedImport] = []
        for package in self.modules:
            if package not in graph.modules:
                continue
            for module in sorted({package, *graph.find_descendants(package)}):
                for imported in sorted(graph.find_modules_directly_imported_by(module)):
                    if imported.split(".")[0] not in allowed:
                        strangers += graph.get_import_details(importer=module, imported=imported)
        return ContractCheck(kept=not strangers, metadata={"strangers": strangers})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name the place of every import that breaks the contract."""
        for stranger in check.metadata["strangers"]:
            place = f"{stranger['importer']}:{stranger['line_number']}"
            output.print_error(f"{place} imports {stranger['imported']}", bold=False)
