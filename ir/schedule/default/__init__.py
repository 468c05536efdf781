"""Schedules for functions that nobody has scheduled."""
