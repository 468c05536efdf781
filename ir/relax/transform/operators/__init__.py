"""Operators: legalization, constants, layouts, precision, gradients."""
