"""What a run has collected: for tests that look at the tests."""

import pytest

COLLECTED = pytest.StashKey[list[pytest.Item]]()
"""Every test that was collected, also those that `-m` or `-k` then leaves out."""
