"""Check that device functions access memory in threads only."""

from __future__ import annotations

from tvmscript.ir.analysis.errors import HostAccess
from tvmscript.ir.core import Node, Target, Visitor, on
from tvmscript.ir.core.errors import WrongType, together
from tvmscript.ir.tir import AttrStmt, BufferLoad, BufferStore, Call, Expr, For, IntImm, LetStmt, PrimFunc, Var

#: kinds of targets whose memory the host cannot access
_APART = ("cuda", "opencl", "metal", "vulkan", "rocm", "webgpu", "sdaccel", "aocl", "aocl_sw_emu")
#: what starts threads, or stands for them
_ENVIRONMENT = ("thread_extent", "pipeline_exec_scope")


def verify_memory(func: PrimFunc) -> bool:
    """Return whether a GPU function accesses memory in threads only; True for other targets and for kernels.

    Raises `WrongType` where the function has no attribute `target`.
    """
    return not host_accesses(func)


def assert_memory(func: PrimFunc) -> None:
    """Raise `HostAccess` for every buffer that is accessed outside of threads."""
    if accesses := host_accesses(func):
        raise together([HostAccess(buffer=var.name, span=node.span or func.span) for var, node in accesses.items()])


def host_accesses(func: PrimFunc) -> dict[Var, Node]:
    """Return the pointers accessed outside of threads, each with its first access."""
    target = func.attrs.get("target")
    if not isinstance(target, Target):
        raise WrongType(where="verify_memory", expected="a function with a target", got="none: run tir.BindTarget")
    convention = func.attrs.get("calling_conv")
    if target.kind not in _APART or (isinstance(convention, IntImm) and convention.value != 0):
        return {}
    walk = _HostAccesses(func)
    walk.visit(func.body)
    return walk.accesses


class _HostAccesses(Visitor):
    def __init__(self, func: PrimFunc) -> None:
        #: pointers that come from arguments
        self.given: set[Var] = {*func.params, *(buffer.data for buffer in func.buffer_map.values())}
        self.accesses: dict[Var, Node] = {}

    def define(self, name: object) -> None:
        """Definitions access nothing."""

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        if node.attr_key not in _ENVIRONMENT:
            self.walk(node)

    @on(For)
    def loop(self, node: For) -> None:
        if node.thread_binding is None:
            self.walk(node)

    @on(LetStmt)
    def let(self, node: LetStmt) -> None:
        if node.var.dtype.is_handle and self.comes_from_arguments(node.value):
            self.given.add(node.var)
        self.walk(node)

    def comes_from_arguments(self, value: Expr) -> bool:
        """Whether a pointer is an argument, or is read from one."""
        if isinstance(value, Call) and getattr(value.op, "name", "") == "tir.tvm_struct_get":
            return self.comes_from_arguments(value.args[0])
        return isinstance(value, Var) and value in self.given

    @on(BufferLoad, BufferStore)
    def access(self, node: BufferLoad | BufferStore) -> None:
        self.touch(node.buffer.data, node)
        self.walk(node)

    @on(Var)
    def variable(self, node: Var) -> None:
        """An address that is handed on: that it is accessed is not known."""

    def touch(self, data: Var, node: Node) -> None:
        if data in self.given:
            self.accesses.setdefault(data, node)
