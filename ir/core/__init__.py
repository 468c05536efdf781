"""Core of the IR: dtypes, nodes, traversal, equality, errors, operator registry, modules."""
