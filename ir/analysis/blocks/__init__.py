"""Blocks: read and write regions, dependences, reducers, copies."""
