"""Tools for testing programs and the package itself (extra `test`)."""
