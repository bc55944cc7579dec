"""Takes every measurement of this package, shows it, and writes build/bench.json.

    python -m bench [WORD …]    only the measurements whose name has one of the words

Exits with 1 when a ratio is not as wanted.
"""

import importlib
import json
import pkgutil
import sys
from pathlib import Path

import bench
from bench.measure import BENCHMARKS, Result

OUTPUT = Path("build") / "bench.json"


def main() -> None:
    """Measure, show and write."""
    for module in pkgutil.iter_modules(bench.__path__, "bench."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    words = sys.argv[1:]
    results: list[Result] = []
    for measure in BENCHMARKS:
        name = f"{measure.__module__}.{measure.__name__}"
        if words and not any(word in name for word in words):
            continue
        print(f"==> {name}", flush=True)
        for result in measure():
            results.append(result)
            wanted = f" (wanted: {result.wanted})" if result.wanted else ""
            print(f"    {result.name}")
            print(f"    {result.value:,.6g} {result.unit} against {result.against:,.6g}: ", end="")
            print(f"ratio {result.ratio:.3g}{wanted}{'' if result.is_met else '  MISSED'}")
    if not results:
        sys.exit("no such measurement")
    OUTPUT.parent.mkdir(exist_ok=True)
    text = json.dumps([result.as_json() for result in results], indent=2)
    OUTPUT.write_text(text + "\n", "utf-8")
    print(f"wrote {OUTPUT}")
    sys.exit(0 if all(result.is_met for result in results) else 1)


if __name__ == "__main__":
    main()
