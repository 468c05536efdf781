"""Rewriters that several passes on dtypes share."""
