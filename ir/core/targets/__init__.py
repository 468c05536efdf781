"""Targets: what programs are compiled for."""
