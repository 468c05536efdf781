"""The tensor level: expressions, statements, buffers, functions."""
