"""Rewriters and analyses that several families of passes share."""
