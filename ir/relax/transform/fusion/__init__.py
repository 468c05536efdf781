"""Fusion: operators that become one kernel or one call of a library."""
