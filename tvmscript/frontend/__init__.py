"""Import models into graph modules, one folder a source: `torch`, `onnx`, `nn` (models written in Python), `relay`.

No folder imports the library of its source when it is loaded: torch and onnx are optional.
"""
