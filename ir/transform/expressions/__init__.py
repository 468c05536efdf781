"""Passes that simplify expressions, lower intrinsics and remove dead statements."""
