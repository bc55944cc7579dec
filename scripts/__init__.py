"""The tools of the repository: run by make, by CI and by the tests, never by the house."""
