"""Lets `python -m novamas.cli` do what `novamas` does."""

import sys

from novamas.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
