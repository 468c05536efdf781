"""Passes on expressions and on statements that do nothing."""
