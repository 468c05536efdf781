"""Statements: launches, loops, memory of the storage scopes, assertions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tvmscript.backends.c.statements import constant_count, write_attr, write_for
from tvmscript.backends.c.types import string_literal
from tvmscript.backends.cuda.codegen import NIBBLES, CudaCodegen, rule
from tvmscript.backends.cuda.wmma import declare_fragment
from tvmscript.ir.tir import Range, stmt
from tvmscript.ir.tir import expr as tir

#: threads and blocks along an axis; a TIR variable holds one of them
_AXES: Final = frozenset(f"{kind}.{axis}" for kind in ("blockIdx", "threadIdx") for axis in "xyz")
_CLUSTER_AXES: Final = {f"clusterCtaIdx.{axis}": f"cluster_rank_{axis}()" for axis in "xyz"}


@rule(stmt.AttrStmt)
def write_attribute(cg: CudaCodegen, node: stmt.AttrStmt) -> None:
    if node.attr_key in stmt.LAUNCHES and isinstance(node.node, tir.IterVar):
        _write_launch(cg, node, node.node)
    elif node.attr_key == "pragma_import_c" and isinstance(node.value, tir.StringImm):
        cg.program.imports[node.value.value.rstrip() + "\n"] = None
    elif node.attr_key == "async_commit_queue_scope":
        cg.statement(node.body)
        cg.line("cp_async_commit();")
        return
    elif node.attr_key == "async_wait_queue_scope" and isinstance(node.body, stmt.AttrStmt):
        count = cg.constant(node.body.value, "a wait for a number of groups", node.span)
        cg.line(f"cp_async_wait<{count}>();")
    else:
        write_attr(cg, node)
        return
    cg.statement(node.body)


def _write_launch(cg: CudaCodegen, node: stmt.AttrStmt, axis: tir.IterVar) -> None:
    tag, var = axis.thread_tag, axis.var
    value = tag if tag in _AXES else _CLUSTER_AXES.get(tag)
    if value is None:
        raise cg.refusal(f"the thread axis {tag}", node.span)
    cg.bind_domain(var, Range.from_extent(node.value))
    if var not in cg.env:
        cg.line(f"const {cg.declare(var.dtype, cg.define(var))} = {value};")


@rule(stmt.For)
def write_loop(cg: CudaCodegen, node: stmt.For) -> None:
    if node.kind is not stmt.ForKind.THREAD_BINDING:
        cg.bind_domain(node.loop_var, Range.from_min_extent(node.min, node.extent))
    if node.kind is stmt.ForKind.UNROLLED:
        cg.lines.append("#pragma unroll")
    elif "pragma_unroll_explicit" in node.annotations or node.kind is stmt.ForKind.SERIAL:
        factor = node.annotations.get("pragma_unroll_factor")
        if isinstance(factor, tir.IntImm):
            cg.lines.append(f"#pragma unroll {factor.value}")
    write_for(cg, node)


@rule(stmt.AssertStmt)
def write_assert(cg: CudaCodegen, node: stmt.AssertStmt) -> None:
    """Print the message and stop the program of the device."""
    message = node.message.value if isinstance(node.message, tir.StringImm) else "assertion failed"
    with cg.block(f"if (!({cg.expr(node.condition).text}))"):
        cg.line(f'printf("%s\\n", {string_literal(message)});')
        cg.line("__trap();")
    cg.statement(node.body)


# -- memory


@rule(stmt.Allocate)
def write_allocate(cg: CudaCodegen, node: stmt.Allocate) -> None:
    var = node.buffer_var
    scope = var.storage_scope
    name = cg.define(var)
    cg.pointees[var] = node.dtype.element
    write = _ALLOCATIONS.get(scope.split(".")[0] if scope.startswith("wmma") else scope)
    if write is None:
        raise cg.refusal(f"memory of the scope {scope!r} in a kernel", node.span)
    write(cg, node, name)
    cg.statement(node.body)


def _array(cg: CudaCodegen, node: stmt.Allocate, name: str) -> str:
    count = constant_count(node)
    if count is None:
        raise cg.refusal(f"the array {name}, whose size is no constant", node.span)
    element = node.dtype.element
    align = ""
    size = count * element.itemsize
    if node.buffer_var in cg.aligned or node.buffer_var.storage_scope.startswith("shared"):
        align = f"alignas({16 if size % 16 == 0 or node.buffer_var.storage_scope else 8}) "
    if element in NIBBLES:
        raise cg.refusal(f"an array of {element} in a kernel", node.span)
    return f"{align}{cg.declare(element, name, node.span)}[{max(count, 1)}]"


def _write_local(cg: CudaCodegen, node: stmt.Allocate, name: str) -> None:
    cg.line(f"{_array(cg, node, name)};")


def _write_shared(cg: CudaCodegen, node: stmt.Allocate, name: str) -> None:
    cg.line(f"__shared__ {_array(cg, node, name)};")


def _write_dynamic(cg: CudaCodegen, node: stmt.Allocate, name: str) -> None:
    """Declare what the launch gives the block; swizzled copies need its first address to be a multiple of 1024."""
    cg.line("extern __shared__ __align__(1024) uint8_t shared_memory[];")
    element = cg.type_name(node.dtype.element, node.span)
    cg.line(f"{element} *{name} = ({element} *)shared_memory;")


_ALLOCATIONS: Final[dict[str, Callable[[CudaCodegen, stmt.Allocate, str], None]]] = {
    "": _write_local,
    "local": _write_local,
    "warp": _write_local,
    "shared": _write_shared,
    "shared.dyn": _write_dynamic,
    "wmma": declare_fragment,
}
