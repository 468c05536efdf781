"""Fuzz the printer."""
