"""CommonSubexprElimTIR: bind common subexpressions to variables."""
