"""The dataflow pattern language: patterns of graph values, and their matcher.

pattern.py     patterns and the functions that make them
matcher.py     whether a value matches, and what each pattern matched
"""
