"""Memory: liveness, allocation sizes, known contents, in-place updates."""
