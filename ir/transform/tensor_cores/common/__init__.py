"""Helpers that several passes on tensor cores share."""
