"""TVM's `contrib.debugger`: the debug executor."""
