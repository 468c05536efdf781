"""Runtime: arrays, devices, modules of compiled functions."""
