"""Passes on functions: targets, host and device, calling conventions."""
