"""Generated mutants: one syntax node of the package changed, judged by a smoke test, the fuzzers, the tests."""
