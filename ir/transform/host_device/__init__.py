"""Passes that split functions into host code and device kernels."""
