"""Import torch models: fx graphs, exported programs, TorchScript."""
