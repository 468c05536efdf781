"""Calling convention: tvm-ffi's ABI, argument checks, wrappers of kernels, packed functions and their calls."""
