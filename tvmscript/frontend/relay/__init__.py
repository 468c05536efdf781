"""The names of TVM's Relay over graph functions."""
