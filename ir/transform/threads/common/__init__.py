"""Helpers that several passes on threads share."""
