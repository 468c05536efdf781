"""Errors of the virtual machine."""

from __future__ import annotations

from tvmscript.backends.runtime.errors import ExecutionError


class UnsupportedDevice(ExecutionError, code="TS5060"):
    """A virtual machine is created for another device than its executable was built for. Executables for CUDA run on
    the first device, and take a CPU beside it.
    """

    message = "the virtual machine runs on {expected}, not on {device}"


class NoInputs(ExecutionError, code="TS5061"):
    """`invoke_stateful` needs inputs from `set_input`, and `get_outputs` a run of `invoke_stateful` before it."""

    message = "{method} of {function} comes before {needed}"
