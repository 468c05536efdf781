"""Accesses to buffers: regions, conflicts, bounds, races."""
