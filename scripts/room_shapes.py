"""Writes the OpenAPI schema of the house, for `npm run types`."""

from __future__ import annotations

import json
from pathlib import Path

from novamas.house.house import House
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.people.registry import Registry
from novamas.web.app import create_app
from novamas.web.sessions import People

TARGET = Path(__file__).parents[1] / "build" / "openapi.json"


def main() -> None:
    """Writes the file."""
    house = House(MemoryStore())
    people = People(Registry(house.store, house.blocking, house.clock))
    shapes = create_app(house, people).openapi()
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps(shapes, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
