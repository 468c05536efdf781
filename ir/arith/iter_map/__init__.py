"""Iteration maps: index expressions as splits and fusions of iterators, and what follows from that form."""
