"""Passes on copies and fragments of tensor cores: pipelines, async copies, layouts."""
