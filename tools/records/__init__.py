"""Choose the recorded examples of the fuzzers, and record what the package makes of them."""
