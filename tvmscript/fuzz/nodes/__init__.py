"""Fuzz nodes and the values in them: numbers, accesses, programs, targets, errors, against Python."""
