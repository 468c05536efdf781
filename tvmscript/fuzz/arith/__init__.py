"""The area `arith`: laws of the simplifier, bounds, index maps."""
