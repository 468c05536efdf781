"""Programs for the development of this package; not installed."""
