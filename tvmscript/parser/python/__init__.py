"""Evaluation of Python expressions: literals, operators, annotations, macros, captured values."""
