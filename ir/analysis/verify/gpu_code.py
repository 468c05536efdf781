"""Check kernels against the limits of a GPU: threads, memory, vector width."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from tvmscript.ir.analysis.errors import LaunchesDiffer, LimitExceeded
from tvmscript.ir.analysis.memory.allocated_bytes import bytes_of
from tvmscript.ir.core import DType, Node, Visitor, closest, on
from tvmscript.ir.core.errors import UnknownName, together
from tvmscript.ir.tir import BufferLoad, Cast, Expr, IntImm, IterVar, PrimFunc
from tvmscript.ir.tir.stmt import LAUNCHES, Allocate, AttrStmt, Block, BufferStore, For, ForKind

#: the name of a limit -> what it limits
LIMITS: Final = {
    "max_local_memory_per_block": "bytes of local memory",
    "max_shared_memory_per_block": "bytes of shared memory",
    "max_threads_per_block": "threads in a block",
    "max_thread_x": "threads along threadIdx.x",
    "max_thread_y": "threads along threadIdx.y",
    "max_thread_z": "threads along threadIdx.z",
    "max_vthread": "virtual threads",
    "max_vector_bytes": "bytes in a vector",
    "max_kernels": "kernels in a function",
}
_EXTENTS: Final = {"threadIdx.x": "max_thread_x", "threadIdx.y": "max_thread_y", "threadIdx.z": "max_thread_z"}


def verify_gpu_code(func: PrimFunc, constraints: Mapping[str, object]) -> bool:
    """Return whether all kernels of a function stay within the given limits, whose names are those of `LIMITS`.

    Raises `UnknownName` for a limit of another name.
    """
    return not find_violations(func, constraints)


def assert_gpu_code(func: PrimFunc, constraints: Mapping[str, object]) -> None:
    """Raise `LimitExceeded` for each limit that a function exceeds."""
    if errors := find_violations(func, constraints):
        raise together(errors)


def find_violations(func: PrimFunc, constraints: Mapping[str, Any]) -> list[LimitExceeded | LaunchesDiffer]:
    """Return an error for each limit that a function exceeds."""
    for name in constraints:
        if name not in LIMITS:
            raise UnknownName(kind="limit of a GPU", name=name, hint=closest(name, LIMITS))
    walk = _Kernels({name: int(value) for name, value in constraints.items()})
    walk.visit(func.body)
    walk.check("max_kernels", walk.kernels, func)
    return walk.errors


class _Kernels(Visitor):
    """Sum the resources of each outermost launch."""

    def __init__(self, limits: Mapping[str, int]) -> None:
        self.limits = limits
        self.errors: list[LimitExceeded | LaunchesDiffer] = []
        self.kernels = 0
        self.depth = 0
        #: of the kernel at hand: thread tag -> extent, memory scope -> bytes
        self.threads: dict[str, int] = {}
        self.memory: dict[str, int] = {}

    def check(self, name: str, value: int, node: Node) -> None:
        limit = self.limits.get(name)
        if limit is not None and value > limit:
            self.errors.append(LimitExceeded(what=LIMITS[name], found=value, limit=limit, name=name, span=node.span))

    def thread(self, node: For | AttrStmt, axis: IterVar, extent: Expr) -> None:
        """Threads that run the body."""
        if self.depth == 0:
            self.kernels += 1
            self.threads, self.memory = {}, {}
        tag = axis.thread_tag or axis.var.name
        if isinstance(extent, IntImm):  # what is known when the program runs can only be checked then
            self.check("max_vthread" if _is_virtual(tag) else _EXTENTS.get(tag, ""), extent.value, node)
            if tag in _EXTENTS or _is_virtual(tag):
                first_extent = self.threads.setdefault(tag, extent.value)
                if first_extent != extent.value and not _is_virtual(tag):
                    self.errors.append(
                        LaunchesDiffer(thread=tag, first=first_extent, second=extent.value, span=node.span)
                    )
        self.depth += 1
        self.visit(node.body)
        self.depth -= 1
        if self.depth == 0:
            self.check("max_threads_per_block", math.prod(self.threads.values()), node)
            self.check("max_local_memory_per_block", self.memory.get("local", 0), node)
            self.check("max_shared_memory_per_block", self.memory.get("shared", 0), node)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        about: Any = node.node
        if node.attr_key in LAUNCHES and isinstance(about, IterVar):
            self.thread(node, about, node.value)
        else:
            self.walk(node)

    @on(For)
    def loop(self, node: For) -> None:
        if node.kind is ForKind.THREAD_BINDING and node.thread_binding is not None:
            self.thread(node, node.thread_binding, node.extent)
            return
        if node.loop_var.name == "vthread.s" and isinstance(node.extent, IntImm):
            self.check("max_vthread", node.extent.value, node)
        self.walk(node)

    @on(Allocate)
    def allocate(self, node: Allocate) -> None:
        self.needs(node.buffer_var.storage_scope, node.dtype, node.extents)
        self.vector(node.dtype, node)
        self.walk(node)

    @on(Block)
    def block(self, node: Block) -> None:
        for buffer in node.alloc_buffers:
            self.needs(buffer.storage_scope, buffer.dtype, buffer.shape)
        self.visit(node.body)

    def needs(self, scope: str, dtype: DType, extents: tuple[Expr, ...]) -> None:
        if scope in ("local", "shared", "shared.dyn"):
            scope = scope.removesuffix(".dyn")
            self.memory[scope] = self.memory.get(scope, 0) + bytes_of(dtype, extents)

    def vector(self, dtype: DType, node: Node) -> None:
        if dtype.lanes > 1:
            self.check("max_vector_bytes", dtype.lanes * dtype.itemsize, node)

    @on(Cast, BufferLoad)
    def value(self, node: Cast | BufferLoad) -> None:
        self.vector(node.dtype, node)
        self.walk(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.vector(node.value.dtype, node)
        self.walk(node)


def _is_virtual(tag: str) -> bool:
    return tag == "cthread" or tag.startswith("vthread")
