"""Passes on dtypes: wider, narrower, or those that a target has."""
