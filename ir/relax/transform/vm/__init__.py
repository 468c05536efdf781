"""Calls of the virtual machine."""
