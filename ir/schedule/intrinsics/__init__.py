"""Tensor intrinsics that are known without registration; each is made when it is asked for by its name.

`catalogue` has the names. A file for each kind of machine has functions that make the description and the
implementation out of element types, shapes and memories; `building` has what they are made with.
"""
