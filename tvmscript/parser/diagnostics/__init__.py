"""Errors of a text: the catalogue, the report, recovery, hints, limits."""
