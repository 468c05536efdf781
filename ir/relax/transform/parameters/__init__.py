"""Parameters and results of functions."""
