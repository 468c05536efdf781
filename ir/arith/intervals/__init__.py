"""Constant bounds and residues of expressions."""
