"""Passes on blocks: what they hold, where it lives, and how they become loops."""
