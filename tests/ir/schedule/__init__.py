"""Tests of `ir.schedule`."""
