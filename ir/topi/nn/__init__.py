"""Operators of neural networks: activations, matrix products, convolutions, pooling, normalisation."""
