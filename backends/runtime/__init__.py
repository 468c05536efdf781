"""What runs: arrays, devices, modules of compiled functions."""
