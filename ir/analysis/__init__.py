"""Analyses of TIR programs.

access/   regions, conflicts, bounds and races of buffer accesses
blocks/   read and write regions of blocks, dependences, reducers
memory/   liveness, allocation sizes, known contents
cost/     operations, trip counts, sizes
verify/   SSA form, host accesses, limits of GPU kernels
"""
