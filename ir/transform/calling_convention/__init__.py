"""Passes that lower functions and calls to the calling conventions of the runtime."""
