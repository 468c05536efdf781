"""Tests of the importer of ONNX models."""
