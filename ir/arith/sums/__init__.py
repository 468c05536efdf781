"""Canonical sums: atoms, linear forms, division, and conversion back to expressions."""
