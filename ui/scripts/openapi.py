"""Prints what the house publishes of its HTTP interface, for `npm run types` to read."""

from __future__ import annotations

import json

from novamas.house.house import House
from novamas.house.stores.memory import MemoryStore
from novamas.web.app import create_app
from novamas.web.sessions import Sessions

print(json.dumps(create_app(House(MemoryStore()), Sessions()).openapi(), indent=1, sort_keys=True))
