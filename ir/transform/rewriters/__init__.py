"""Rewriters that several passes share."""
