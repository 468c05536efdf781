"""Fuzz analyses of programs: what they say is compared with a run in Python, in both directions."""
