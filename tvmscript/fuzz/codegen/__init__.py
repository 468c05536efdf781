"""Fuzz the LLVM backend: generators of kernels with accesses, memory, loops, calls, arguments.

Each generator takes a `random.Random` and returns a `Written`: a text, and values for its symbolic sizes.
"""
