"""Helpers that several passes on parameters and results share."""
