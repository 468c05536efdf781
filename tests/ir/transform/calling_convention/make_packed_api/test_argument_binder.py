"""Promises of a signature that contradict each other."""

from __future__ import annotations

import pytest

from tvmscript.ir.core.dtype import FLOAT32, HANDLE, INT32
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import IntImm, Var
from tvmscript.ir.tir.rewrite import NOOP
from tvmscript.ir.tir.stmt import LetStmt
from tvmscript.ir.transform.calling_convention.make_packed_api.argument_binder import ArgumentBinder, nest
from tvmscript.ir.transform.calling_convention.runtime_fields import ffi_type_of
from tvmscript.ir.transform.errors import ContradictoryArgument


def test_a_value_that_never_fits() -> None:
    binder = ArgumentBinder(ffi_type_of)
    with pytest.raises(ContradictoryArgument, match=r"main\.A\.shape\[0\] must be 4, which is impossible"):
        binder.bind(IntImm(INT32, 4), IntImm(INT32, 5), "main.A.shape[0]")


def test_a_variable_is_defined_once_and_compared_afterwards() -> None:
    binder, n, m = ArgumentBinder(ffi_type_of), Var("n", "int32"), Var("m", "int32")
    assert binder.bind(n, m, "main.A.shape[0]")
    assert not binder.bind(n, n, "main.B.shape[0]")
    assert (len(binder.init), len(binder.checks)) == (1, 0)
    assert not binder.bind(n, Var("k", "int32"), "main.C.shape[0]")
    assert len(binder.checks) == 1


def test_strides_of_another_dtype_than_extents() -> None:
    stride, zero = Var("s", "int64"), IntImm(INT32, 0)
    buffer = Buffer(Var("A", HANDLE), FLOAT32, (IntImm(INT32, 4),), (stride,), zero, "A")
    binder = ArgumentBinder(ffi_type_of)
    binder.array(buffer, Var("a", HANDLE), "main.a", IntImm(INT32, 1), Var("dev_id", INT32))
    lets = {node.var: node.value for node in nodes(nest(binder.init, NOOP)) if isinstance(node, LetStmt)}
    assert lets[stride].dtype == "int64"
