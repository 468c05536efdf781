"""The primitives, one file for each family: what they check, what they do, and their errors."""
