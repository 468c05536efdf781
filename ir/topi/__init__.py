"""The operator inventory: functions from tensors to tensors, one file a family, with the texts of TVM's `topi`.

A docstring names the function of NumPy or the operator of ONNX that an operator is. Names and argument order are TVM's.
"""
