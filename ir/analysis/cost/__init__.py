"""Cost: operations, trip counts, sizes."""
