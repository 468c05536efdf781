"""Functions of TVM 0.27: every buffer is a parameter with its whole declaration.

A size that the signature introduces is quoted at its first use, `T.Buffer(("n", 4), "float32")`, and declared in the
body. A size of int64 is a `TypeVar` in front of the functions.
"""

from __future__ import annotations

from tvmscript.ir.core import nodes
from tvmscript.ir.tir import Expr, PrimFunc, Var
from tvmscript.printer.attribute_values import dictionary
from tvmscript.printer.errors import NoText
from tvmscript.printer.printer import HandleNeeded, Printer
from tvmscript.printer.text_buffer import Frame
from tvmscript.printer.tir.blocks import allocations
from tvmscript.printer.tir.buffers import buffer_hint, declaration, has_usual_data, name_parts
from tvmscript.printer.tir.functions import GLOBAL_SYMBOL, function_name, implicit_root, return_type
from tvmscript.printer.v0_27.dialect import stmt_rule
from tvmscript.printer.v0_27.scalars import scalar_buffers
from tvmscript.printer.v0_27.tir import variable_type


@stmt_rule(PrimFunc)
def _prim_func(p: Printer, func: PrimFunc) -> None:
    try:
        _function(p, func)
    except HandleNeeded as needed:
        name = getattr(needed.param, "name", "")
        raise NoText(what=f"the use of {name}, which is the handle of a buffer, in the dialect 0.27") from None


def _function(p: Printer, func: PrimFunc) -> None:
    p.scope_root, p.scopes = func, None
    name = function_name(p, func)
    header = len(p.lines)
    frame = p.open_scope(func)
    p.lines += ["", ""]
    frame.mark = len(p.lines)
    _check(func)
    p.hidden_params = frozenset(func.buffer_map)
    p.scalars = scalar_buffers(func.body, is_marked=not _was_plain(func))
    signature = _Signature(p, func, frame)
    parameters = ", ".join([signature.parameter(param) for param in func.params])
    for sizes in filter(None, signature.sizes):
        values = ", ".join([f"{p.tir}{var.dtype}()" for var in sizes])
        p.write(f"{', '.join([p.names[var] for var in sizes])} = {values}")
    attrs = func.attrs
    if attrs.get(GLOBAL_SYMBOL) == name:
        attrs = {key: item for key, item in attrs.items() if key != GLOBAL_SYMBOL}
    if attrs:
        p.write(f"{p.tir}func_attr({dictionary(p, attrs)})")
    root = implicit_root(p, func) if p.sugar else None
    if root is not None:
        p.write(f'# with {p.tir}{p.spelling.block}("root"):')
        allocations(p, root)
        p.write_body(root.body)
    else:
        p.write_body(func.body)
    p.close_scope()
    options = [] if GLOBAL_SYMBOL in func.attrs else ["private=True"]
    options += [] if _was_plain(func) else ["s_tir=True"]
    returns = "" if func.ret_type is None else f" -> {return_type(p, func.ret_type)}"
    arguments = f"({', '.join(options)})" if options else ""
    p.lines[header] = f"{p.indent}@{p.tir}prim_func{arguments}"
    p.lines[header + 1] = f"{p.indent}def {name}({parameters}){returns}:"


def _was_plain(func: PrimFunc) -> bool:
    """Whether the source text was one of 0.27 without `s_tir=True`."""
    span = func.span
    if span is None or "tirx" not in span.source.text:
        return False
    lines = span.source.lines
    for number in range(span.line - span.source.first_line - 1, -1, -1):
        line = lines[number].strip()
        if line.startswith("@"):
            return "prim_func" in line and "s_tir=True" not in line
    return False


def _check(func: PrimFunc) -> None:
    """Raise `NoText` for parameters that 0.27 cannot express."""
    seen: set[Var] = set()
    for buffer in func.buffer_map.values():
        if buffer.data in seen or buffer.data in func.params:
            raise NoText(what=f"the data of the parameter {buffer.name}, which another one shares, in the dialect 0.27")
        seen.add(buffer.data)
        if not has_usual_data(buffer):
            raise NoText(what=f"the data of {buffer.name}, which points to other elements, in the dialect 0.27")
    if len(set(func.params)) != len(func.params):
        raise NoText(what="a repeated parameter in the dialect 0.27")


class _Signature:
    """The parameters of a function, and the sizes that they introduce."""

    def __init__(self, p: Printer, func: PrimFunc, frame: Frame) -> None:
        self.p = p
        self.func = func
        self.frame = frame
        #: int32 sizes to declare in the body, by parameter
        self.sizes: list[list[Var]] = []

    def parameter(self, param: Var) -> str:
        """Return a parameter such as `A: T.Buffer((16,), "float32")`."""
        p = self.p
        self.sizes.append([])
        buffer = self.func.buffer_map.get(param)
        if buffer is None:
            name = p.names.get(param) or p.define(param, param.name or "v")
            return f"{name}: {variable_type(p, param)}"
        name = p.define(buffer, buffer_hint(buffer))
        shape = [self.extent(item) for item in buffer.shape]
        for part in (*buffer.strides, buffer.elem_offset):
            self.define_wide(part)
        text = f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(shape)})"
        call = declaration(p, buffer, "Buffer", self.frame, shape=text, always_dtype=True)
        name_parts(p, buffer, name, self.frame)
        return f"{name}: {call}"

    def extent(self, item: Expr) -> str:
        """Return an extent, in quotation marks where it introduces a size."""
        p, quoted = self.p, False
        for var in nodes(item):
            if isinstance(var, Var) and var not in p.names:
                self.define(var)
                quoted = quoted or var.dtype == "int32" or item is not var or var in self.func.params
        text = p.expr(item)
        if not isinstance(item, Var):  # Python cannot compute with a TypeVar
            quoted = quoted or any(p.names.get(part) in p.type_variables for part in nodes(item))
        return f'"{text}"' if quoted else text

    def define(self, var: Var) -> None:
        """Name a size."""
        p = self.p
        name = p.define(var, var.name or "v", self.frame)
        if var in self.func.params:
            return
        if var.dtype == "int32":
            self.sizes[-1].append(var)
        elif var.dtype == "int64":
            p.type_variables.add(name)
        else:
            raise NoText(what=f"a size of type {var.dtype} in the dialect 0.27")

    def define_wide(self, part: Expr) -> None:
        """Name the sizes in a stride or an offset, except an int32 variable, which is named by the buffer."""
        for var in nodes(part):
            if isinstance(var, Var) and var not in self.p.names and (var.dtype != "int32" or part is not var):
                self.define(var)
