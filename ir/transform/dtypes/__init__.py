"""Passes that change dtypes: narrow indices, and legalize narrow floats."""
