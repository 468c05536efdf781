"""Analyses that primitives run on a program before they change it."""
