"""The area `graphs`: random graphs that run, and laws of the passes over them."""
