"""Passes that verify a program or insert checks, and passes that remove checks."""
