"""Memory of results: allocation, planning, lifetimes."""
