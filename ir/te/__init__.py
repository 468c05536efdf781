"""Tensor expressions: tensors by functions of their indices, the classic schedule over them, and both as TIR."""
