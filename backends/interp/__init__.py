"""The reference interpreter: it defines what the language means."""
