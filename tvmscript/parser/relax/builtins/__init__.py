"""The names of `R`, one file per family."""
