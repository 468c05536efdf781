"""Tests of the primitives, one file for each family."""
