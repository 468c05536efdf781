"""Functions for values of their parameters that are known: sizes, numbers, the layouts of buffers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import cast, make
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.suggestions import closest
from tvmscript.ir.core.visit import nodes, on
from tvmscript.ir.tir import function
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import EQ, BinaryOp, Cast, IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.operators import as_expr
from tvmscript.ir.tir.substitute import Substitution
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.errors import CannotSpecialize

#: what is said of a parameter
Known = Buffer | Expr | int


def specialize(func: PrimFunc, param_map: Mapping[Var | Buffer | str, Known]) -> PrimFunc:
    """The function for some parameters that are known; those that are numbers are parameters no longer.

    Keys are parameters, their buffers, sizes in the shapes, or the names of these. A number or a size is an integer or
    an expression; a buffer is one of the same dtype and rank, whose extents, strides and offset are taken over.
    Operations on constants are folded. Raises `CannotSpecialize`, which names the first key that does not fit.

        >>> from tvmscript.parser import from_source
        >>> double = from_source('''
        ... @T.prim_func
        ... def double(a: T.handle):
        ...     n = T.int32()
        ...     A = T.match_buffer(a, (n, n * 2), "float32")
        ...     for i, j in T.grid(n, n * 2):
        ...         A[i, j] = A[i, j] * T.float32(2)
        ... ''')
        >>> print(double.specialize({"n": 8}))
        # from tvm.script import tir as T
        <BLANKLINE>
        @T.prim_func
        def double(A: T.Buffer((8, 16), "float32")):
            for i, j in T.grid(8, 16):
                A[i, j] = A[i, j] * T.float32(2)
    """
    known = _Known(func)
    for key, value in param_map.items():
        known.tell(key, value)
    values = known.checked()
    if not values:
        return func
    folding = _Folding(values)
    buffers = {param: folding.laid_out(buffer) for param, buffer in func.buffer_map.items()}
    body = folding.rewrite(func.body)
    params = tuple([param for param in func.params if param not in values])
    return func.replace(params=params, body=body, buffer_map=buffers)


class _Known:
    """What is known of the parameters of a function, and of the sizes in their shapes."""

    def __init__(self, func: PrimFunc) -> None:
        self.func = func
        self.values: dict[Var, Expr] = {}
        #: extents that are no variables, what they have to be, and of which buffer they are
        self.claims: list[tuple[Expr, Expr, Buffer]] = []

    def tell(self, key: Var | Buffer | str, value: Known) -> None:
        """Take over what is said of a parameter."""
        found = self.named(key) if isinstance(key, str) else key
        handles = {buffer: param for param, buffer in self.func.buffer_map.items()}
        if isinstance(found, Buffer) and found in handles:
            found = handles[found]
        if found not in self.func.params and found not in self.sizes():
            raise self.refused(key, "it is neither a parameter nor a size")
        assert isinstance(found, Var)
        buffer = self.func.buffer_map.get(found)
        if isinstance(value, Buffer):
            if buffer is None:
                raise self.refused(key, "it is no buffer")
            self.match(buffer, value)
        elif buffer is not None or found.dtype.is_handle:
            raise self.refused(key, "it is no number")
        else:
            self.assign(found, value if isinstance(value, Expr) else as_expr(value, found.dtype), key)

    def named(self, name: str) -> Node:
        """The parameter, its buffer, or the size of this name."""
        found = [item for item in self.candidates() if _name(item) == name]
        if len(found) == 1:
            return found[0]
        if found:
            raise CannotSpecialize(key=name, reason="several have this name")
        hint = closest(name, [_name(item) for item in self.candidates()])
        raise CannotSpecialize(key=name, reason="it is neither a parameter nor a size", hint=hint, span=self.func.span)

    def candidates(self) -> Iterator[Var | Buffer]:
        """What can be told about: a buffer stands for its handle."""
        yield from (self.func.buffer_map.get(param, param) for param in self.func.params)
        yield from (size for size in self.sizes() if size not in self.func.params)

    def sizes(self) -> dict[Var, None]:
        """The variables of the shapes, strides and offsets of the buffers."""
        parts = [part for buffer in self.func.buffer_map.values() for part in _layout(buffer)]
        return dict.fromkeys(item for part in parts for item in nodes(part) if isinstance(item, Var))

    def match(self, buffer: Buffer, given: Buffer) -> None:
        """Take over the layout of a buffer."""
        for what, wanted, found in (
            ("dtype", buffer.dtype, given.dtype),
            ("rank", len(buffer.shape), len(given.shape)),
            ("number of strides", len(buffer.strides), len(given.strides)),
            ("data_alignment", buffer.data_alignment, given.data_alignment),
            ("offset_factor", buffer.offset_factor, given.offset_factor),
        ):
            if wanted != found:
                raise self.refused(buffer, f"its {what} is {wanted} and not {found}")
        for wanted_part, part in zip(_layout(buffer), _layout(given), strict=True):
            if isinstance(wanted_part, Var):
                self.assign(wanted_part, part, buffer)
            else:
                self.claims.append((wanted_part, part, buffer))

    def assign(self, var: Var, value: Expr, key: Var | Buffer | str) -> None:
        """A variable has a value; it may have it already."""
        if value.dtype.is_integer != var.dtype.is_integer or value.dtype.lanes != 1:
            raise self.refused(key, f"{var.name} is {var.dtype}, and its value {value.dtype}")
        if isinstance(value, IntImm) and not var.dtype.min_value <= value.value <= var.dtype.max_value:
            raise self.refused(key, f"{value} does not fit in {var.dtype}")
        value = cast(var.dtype, value)
        before = self.values.setdefault(var, value)
        if before is not value and not Analyzer().can_prove_equal(before, value):
            raise self.refused(key, f"{var.name} would be {before} and {value}")

    def checked(self) -> dict[Var, Expr]:
        """The values, if they make all extents what they have to be."""
        folding = _Folding(self.values)
        for wanted, found, buffer in self.claims:
            made = folding.rewrite(wanted)
            if not Analyzer().can_prove(make(EQ, made, cast(made.dtype, found))):
                raise self.refused(buffer, f"{wanted} would be {found}, and what is known makes it {made}")
        return {var: value for var, value in self.values.items() if value is not var}

    def refused(self, key: Var | Buffer | str, reason: str) -> CannotSpecialize:
        """The error about a key."""
        return CannotSpecialize(key=key if isinstance(key, str) else _name(key), reason=reason, span=self.func.span)


def _name(item: Var | Buffer) -> str:
    return item.name


def _layout(buffer: Buffer) -> tuple[Expr, ...]:
    return (*buffer.shape, *buffer.strides, buffer.elem_offset)


class _Folding(Substitution):
    """Puts values in the place of variables, and computes what has become constant."""

    def laid_out(self, buffer: Buffer) -> Buffer:
        """A buffer of the signature; its uses follow."""
        made: Buffer = self.descend(buffer)
        self.renamed[buffer] = made
        return made

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> Expr:
        a, b = self.rewrite(node.a), self.rewrite(node.b)
        return node if a is node.a and b is node.b else make(type(node), a, b, node.span)

    @on(Cast)
    def conversion(self, node: Cast) -> Expr:
        value, dtype = self.rewrite(node.value), DType(node.dtype)
        return node if value is node.value else cast(dtype, value, node.span)


function.specialize.fill(specialize)
