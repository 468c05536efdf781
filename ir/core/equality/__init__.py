"""Structural equality and hash, and the text of mismatches."""
