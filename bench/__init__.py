"""The measurements of the house; `make bench` takes them all and writes build/bench.json."""
