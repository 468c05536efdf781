"""Traces: the instructions of a schedule, written as JSON and as Python, and replayed."""
