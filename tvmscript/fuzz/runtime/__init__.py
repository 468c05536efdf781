"""Fuzz what built programs are called with: arrays, parameters, modules, times."""
