"""Verifiers of functions: SSA form, memory accesses of the host, limits of GPU kernels."""
