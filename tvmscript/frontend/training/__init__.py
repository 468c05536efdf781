"""Losses and optimizers: what TVM calls `tvm.relax.training`."""
