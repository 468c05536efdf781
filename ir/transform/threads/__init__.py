"""Passes on GPU threads: bindings, barriers, reductions and warp memory."""
