"""A plugin of pytest: append the outcome and the seconds of each step of a test to the file `MUTATION_MARKS`."""

from __future__ import annotations

import os

import pytest


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    with open(os.environ["MUTATION_MARKS"], "a", encoding="utf-8") as record:
        record.write(f"{report.outcome}\t{report.duration:.3f}\t{report.nodeid}\n")
