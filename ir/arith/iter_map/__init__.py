"""Iteration maps: index expressions as splits and fusions of iterators."""
