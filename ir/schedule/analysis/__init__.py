"""Queries that primitives make before they change a program."""
