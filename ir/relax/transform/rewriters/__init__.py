"""Rewriters that passes use and users call."""
