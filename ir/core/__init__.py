"""The ground: dtypes, nodes, traversal, equality, errors, operators' registry, modules."""
