"""A PrimFunc as a function of C over pointers, sizes and numbers.

Arrays are pointers to their elements, `const` where nothing is written to them, `restrict` where the function promises
that they do not overlap. Sizes and strides that are no parameters follow where the body uses them. A function that
cannot fail returns the value of `T.ret`, or nothing. One that has assertions or large buffers returns NULL or a
message, and stores its value through the last parameter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tvmscript.backends.c.codegen import Codegen
from tvmscript.backends.c.errors import NotSupportedByC
from tvmscript.backends.c.program import Program, Signature
from tvmscript.backends.c.statements import may_allocate
from tvmscript.backends.c.types import c_type
from tvmscript.backends.runtime.arguments import written_data
from tvmscript.ir.arith.intervals.bounds import Bounds
from tvmscript.ir.core import DType, GlobalVar, IRModule, Op, nodes
from tvmscript.ir.tir import AssertStmt, Buffer, Call, PrimFunc, StringImm, Var
from tvmscript.ir.transform.function_attributes import CallingConv, calling_conv, is_noalias


@dataclass(frozen=True)
class Parameter:
    """A parameter of a C function: of the PrimFunc, or a size of one of its buffers."""

    var: Var
    name: str
    buffer: Buffer | None = None

    @property
    def dtype(self) -> DType:
        return self.var.dtype


class Function:
    """Code generation of one function."""

    def __init__(self, program: Program, signature: Signature) -> None:
        func = signature.func
        self.signature = signature
        self._cg = cg = Codegen(program, signature)
        external = {
            node.args[0].value
            for node in nodes(func.body)
            if isinstance(node, Call) and node.args and isinstance(node.args[0], StringImm)
        }
        cg.names = type(cg.names)(program.names, {*external, *({"result"} if signature.returned else ())})
        self._noalias = is_noalias(func)
        self._written = written_data(func)
        self.params = [self._parameter(param) for param in func.params]
        self._body = list(self._write())

    def _parameter(self, param: Var) -> Parameter:
        buffer = self.signature.func.buffer_map.get(param)
        if buffer is None:
            return Parameter(param, self._cg.define(param))
        if buffer.data in self._cg.env:  # a second array of the same memory
            return Parameter(param, self._cg.names.fresh(buffer.name), buffer)
        self._cg.pointees[buffer.data] = buffer.dtype.element
        self._cg.env[param] = name = self._cg.define(buffer.data, buffer.name)
        return Parameter(param, name, buffer)

    def _write(self) -> Iterator[str]:
        func, cg = self.signature.func, self._cg
        sizes: dict[Var, None] = {}
        for buffer in func.buffer_map.values():
            for value in (*buffer.shape, *buffer.strides, buffer.elem_offset):
                if isinstance(value, Var) and value not in cg.env:
                    sizes.setdefault(value)
                    if value not in buffer.strides:  # distances may be negative, sizes are checked to be sizes
                        cg.ranges.known.setdefault(value, Bounds(0, value.dtype.max_value))
        used = {node for node in nodes(func.body) if isinstance(node, Var)}
        self.params += [Parameter(var, cg.define(var)) for var in sizes if var in used]
        cg.statement(func.body)
        if not cg.lines or not cg.lines[-1].startswith("    return"):
            nothing = "NULL" if self.signature.can_fail else "0" if self.signature.returned is not None else ""
            if nothing:
                cg.line(f"return {nothing};")
        return iter(cg.lines)

    @cached_property
    def head(self) -> str:
        """The function's declaration, without a semicolon."""
        signature = self.signature
        params = [self._declare(param) for param in self.params]
        returned = signature.returned
        if signature.can_fail and returned is not None:
            params.append(declare_pointer(returned, "result"))
        kind = "const char *" if signature.can_fail else f"{c_type(returned)} " if returned is not None else "void "
        local = "" if "global_symbol" in signature.func.attrs else "static "
        return f"{local}{kind}{signature.symbol}({', '.join(params) or 'void'})"

    def _declare(self, param: Parameter) -> str:
        if param.buffer is None:
            return self._cg.declare(param.dtype, param.name, param.var.span)
        data = param.buffer.data
        self._cg.type_name(param.buffer.dtype.element, param.buffer.span)
        constant = "" if data in self._written else "const "
        return f"{constant}{declare_pointer(param.buffer.dtype.element, param.name, restrict=self._noalias)}"

    @property
    def text(self) -> str:
        """The function's definition."""
        note = "/* Returns NULL, or the message of what went wrong. */\n" if self.signature.can_fail else ""
        return "\n".join([f"{note}{self.head} {{", *self._body, "}"]) + "\n"

    @property
    def entry(self) -> str:
        """The name of the function's entry for `call_entry`."""
        return f"tvmscript_call_{self.signature.symbol}"

    @property
    def call_entry(self) -> str:
        """A function that calls this one with pointers to its arguments, whatever their types are."""
        args = [self._argument(param, f"args[{place}]") for place, param in enumerate(self.params)]
        signature = self.signature
        result = f"({declare_pointer(signature.returned, '')})args[{len(args)}]" if signature.returned else ""
        if signature.can_fail:
            call = f"return {signature.symbol}({', '.join([*args, *([result] if result else [])])});"
        else:
            call = f"{f'*{result} = ' if result else ''}{signature.symbol}({', '.join(args)});\n    return 0;"
        return f"const char *{self.entry}(void *const *args) {{\n    {call}\n}}\n"

    def _argument(self, param: Parameter, place: str) -> str:
        if param.buffer is not None or param.dtype.is_handle:
            return place
        return f"*({declare_pointer(param.dtype, '')}){place}"


def declare_pointer(dtype: DType, name: str, *, restrict: bool = False) -> str:
    """Return a declaration of a pointer to values of a dtype."""
    kind = c_type(dtype)
    return f"{kind}{'' if kind.endswith('*') else ' '}*{'restrict ' if restrict else ''}{name}".rstrip()


def signatures(mod: IRModule, program: Program) -> dict[str, Signature]:
    """Return the signatures of the module's functions by name. Raises `NotSupportedByC`."""
    by_name: dict[str, Signature] = {}
    for var, func in mod.items():
        if isinstance(func, PrimFunc):
            if calling_conv(func) is not CallingConv.DEFAULT:
                raise NotSupportedByC(what="a function of the packed calling convention", span=func.span)
            symbol = program.names.fresh(str(func.attrs.get("global_symbol") or var.name_hint))
            by_name[var.name_hint] = Signature(symbol, func, _fails_itself(func), _returned(func))
    changed = True
    while changed:
        changed = False
        for signature in by_name.values():
            called = callees(signature.func) & by_name.keys()
            if not signature.can_fail and any(by_name[name].can_fail for name in called):
                signature.can_fail = changed = True
    return by_name


def _fails_itself(func: PrimFunc) -> bool:
    return may_allocate(func) or any(isinstance(node, AssertStmt) for node in nodes(func.body))


def callees(func: PrimFunc) -> set[str]:
    """Return the names of the functions of the module that a function calls."""
    calls = [node.op for node in nodes(func.body) if isinstance(node, Call)]
    return {callee.name_hint for callee in calls if isinstance(callee, GlobalVar)}


def _returned(func: PrimFunc) -> DType | None:
    """Return the dtype of what a function returns. Raises `NotSupportedByC` for several."""
    dtypes = {
        node.args[0].dtype
        for node in nodes(func.body)
        if isinstance(node, Call) and isinstance(node.op, Op) and node.op.name == "tir.ret"
    }
    if len(dtypes) > 1:
        raise NotSupportedByC(what=f"a function that returns {' and '.join(sorted(dtypes))}", span=func.span)
    return next(iter(dtypes), None)
