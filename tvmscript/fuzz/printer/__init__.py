"""The area `printer`."""
