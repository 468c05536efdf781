"""Writers of kernels for what machine code does besides arithmetic: accesses, memory, loops, calls, arguments.

Each takes its choices from a `random.Random` and gives a `Written`: a text, and sizes of what it leaves open.
"""
