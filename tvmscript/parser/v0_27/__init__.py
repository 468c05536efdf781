"""Read the dialect of TVM 0.27."""
