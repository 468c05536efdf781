"""Values of constants: float formats, payloads of nan, leaves, constant data."""
