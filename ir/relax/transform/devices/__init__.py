"""Virtual devices of tensors."""
