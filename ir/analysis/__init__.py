"""Analyses of TIR programs."""
