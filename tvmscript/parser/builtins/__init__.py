"""Tables of the names that a text may use, and checks of their arguments."""
