"""Specialize a PrimFunc for known parameters: sizes, scalars and buffer layouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import cast, make
from tvmscript.ir.core import DType, Node, closest, nodes, on
from tvmscript.ir.tir import EQ, BinaryOp, Buffer, Cast, Expr, IntImm, PrimFunc, Var, as_expr, function
from tvmscript.ir.tir.substitute import Substitution
from tvmscript.ir.transform.errors import CannotSpecialize

#: the value of a parameter, a size or a buffer
ParamValue = Buffer | Expr | int


def specialize(func: PrimFunc, param_map: Mapping[Var | Buffer | str, ParamValue]) -> PrimFunc:
    """Return the function with some parameters replaced by values; a replaced scalar is no longer a parameter.

    A key is a parameter, its buffer, a size in a shape, or the name of one of these. The value of a scalar or a size
    is an integer or an expression. The value of a buffer is a buffer of the same dtype and rank: its extents, strides
    and offset replace those of the parameter. Operations on constants are folded. Raises `CannotSpecialize`.

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
    bindings = _Bindings(func)
    for key, value in param_map.items():
        bindings.add(key, value)
    values = bindings.check_claims()
    if not values:
        return func
    folding = _Folding(values)
    buffers = {param: folding.rewrite_buffer(buffer) for param, buffer in func.buffer_map.items()}
    body = folding.rewrite(func.body)
    params = tuple([param for param in func.params if param not in values])
    return func.replace(params=params, body=body, buffer_map=buffers)


class _Bindings:
    """Values of the parameters of a function and of the sizes in their shapes."""

    def __init__(self, func: PrimFunc) -> None:
        self.func = func
        self.values: dict[Var, Expr] = {}
        #: extents that are not variables: the expression, the value that it must have, its buffer
        self.claims: list[tuple[Expr, Expr, Buffer]] = []

    def add(self, key: Var | Buffer | str, value: ParamValue) -> None:
        """Bind a parameter or a size to a value. Raises `CannotSpecialize`."""
        target = self.find(key) if isinstance(key, str) else key
        handles = {buffer: param for param, buffer in self.func.buffer_map.items()}
        if isinstance(target, Buffer) and target in handles:
            target = handles[target]
        if target not in self.func.params and target not in self.sizes():
            raise self.error(key, "expected a parameter or a size of its shape")
        assert isinstance(target, Var)
        buffer = self.func.buffer_map.get(target)
        if isinstance(value, Buffer):
            if buffer is None:
                raise self.error(key, "the parameter is not a buffer")
            self.match(buffer, value)
        elif buffer is not None or target.dtype.is_handle:
            raise self.error(key, "the parameter is not a scalar")
        else:
            self.assign(target, value if isinstance(value, Expr) else as_expr(value, target.dtype), key)

    def find(self, name: str) -> Node:
        """Return the parameter, buffer or size of this name. Raises `CannotSpecialize`."""
        matches = [candidate for candidate in self.candidates() if _name(candidate) == name]
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise CannotSpecialize(key=name, reason="the name is ambiguous")
        hint = closest(name, [_name(candidate) for candidate in self.candidates()])
        raise CannotSpecialize(
            key=name, reason="expected a parameter or a size of its shape", hint=hint, span=self.func.span
        )

    def candidates(self) -> Iterator[Var | Buffer]:
        """Yield what a key may name: scalar parameters, buffers of parameters, sizes."""
        yield from (self.func.buffer_map.get(param, param) for param in self.func.params)
        yield from (size for size in self.sizes() if size not in self.func.params)

    def sizes(self) -> dict[Var, None]:
        """Return the variables of shapes, strides and offsets of the buffers."""
        parts = [part for buffer in self.func.buffer_map.values() for part in _layout(buffer)]
        return dict.fromkeys(node for part in parts for node in nodes(part) if isinstance(node, Var))

    def match(self, buffer: Buffer, other: Buffer) -> None:
        """Bind the layout of a buffer to that of another. Raises `CannotSpecialize`."""
        for field, expected, actual in (
            ("dtype", buffer.dtype, other.dtype),
            ("rank", len(buffer.shape), len(other.shape)),
            ("number of strides", len(buffer.strides), len(other.strides)),
            ("data_alignment", buffer.data_alignment, other.data_alignment),
            ("offset_factor", buffer.offset_factor, other.offset_factor),
        ):
            if expected != actual:
                raise self.error(buffer, f"its {field} is {expected}, got {actual}")
        for extent, value in zip(_layout(buffer), _layout(other), strict=True):
            if isinstance(extent, Var):
                self.assign(extent, value, buffer)
            else:
                self.claims.append((extent, value, buffer))

    def assign(self, var: Var, value: Expr, key: Var | Buffer | str) -> None:
        """Bind a variable to a value. Raises `CannotSpecialize` for another dtype or a second value."""
        if value.dtype.is_integer != var.dtype.is_integer or value.dtype.lanes != 1:
            raise self.error(key, f"{var.name} is {var.dtype}, but its value is {value.dtype}")
        if isinstance(value, IntImm) and not var.dtype.min_value <= value.value <= var.dtype.max_value:
            raise self.error(key, f"{value} does not fit in {var.dtype}")
        value = cast(var.dtype, value)
        before = self.values.setdefault(var, value)
        if before is not value and not Analyzer().can_prove_equal(before, value):
            raise self.error(key, f"{var.name} is bound to both {before} and {value}")

    def check_claims(self) -> dict[Var, Expr]:
        """Return the values after checking the extents that are expressions. Raises `CannotSpecialize`."""
        folding = _Folding(self.values)
        for extent, expected, buffer in self.claims:
            actual = folding.rewrite(extent)
            if not Analyzer().can_prove(make(EQ, actual, cast(actual.dtype, expected))):
                raise self.error(buffer, f"{extent} must be {expected}, but evaluates to {actual}")
        return {var: value for var, value in self.values.items() if value is not var}

    def error(self, key: Var | Buffer | str, reason: str) -> CannotSpecialize:
        """Return the error for a key."""
        return CannotSpecialize(key=key if isinstance(key, str) else _name(key), reason=reason, span=self.func.span)


def _name(parameter: Var | Buffer) -> str:
    return parameter.name


def _layout(buffer: Buffer) -> tuple[Expr, ...]:
    return (*buffer.shape, *buffer.strides, buffer.elem_offset)


class _Folding(Substitution):
    """Substitute variables and fold operations on constants."""

    def rewrite_buffer(self, buffer: Buffer) -> Buffer:
        """Rewrite a buffer of the signature and rename its uses."""
        new_buffer: Buffer = self.descend(buffer)
        self.renamed[buffer] = new_buffer
        return new_buffer

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> Expr:
        a, b = self.rewrite(node.a), self.rewrite(node.b)
        return node if a is node.a and b is node.b else make(type(node), a, b, node.span)

    @on(Cast)
    def conversion(self, node: Cast) -> Expr:
        value, dtype = self.rewrite(node.value), DType(node.dtype)
        return node if value is node.value else cast(dtype, value, node.span)


function.specialize.fill(specialize)
