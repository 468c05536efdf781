"""Passes on threads of a GPU: bindings, barriers, values that cross lanes."""
