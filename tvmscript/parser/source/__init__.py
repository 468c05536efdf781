"""Texts: syntax trees with spans, the header, the dialect, the source of decorated functions."""
