"""LowerIntrin: replace intrinsics by what the target has, with one table of rules per target family."""
