"""Converters of operations on complex numbers, which are pairs of real tensors."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from tvmscript.frontend.fourier import Emit, real_inverse, transform
from tvmscript.frontend.stablehlo import kernels
from tvmscript.frontend.stablehlo.operators import OPERATORS
from tvmscript.frontend.stablehlo.sizes import Value, as_tensor
from tvmscript.frontend.stablehlo.text import PARTS, Operation, TensorType, dense
from tvmscript.frontend.stablehlo.values import Complex, constant
from tvmscript.frontend.tensor_info import shape_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import TupleGetItem
from tvmscript.language import R

Converter = Callable[[Operation, Sequence[Value], BlockBuilder], Value]
#: operations that do the same with both parts; operands that are not complex, such as places, belong to both
_BY_PARTS: Final = (
    "add", "broadcast_in_dim", "concatenate", "dynamic_slice", "dynamic_update_slice", "gather", "negate",
    "optimization_barrier", "pad", "reshape", "reverse", "select", "slice", "subtract", "transpose",
)  # fmt: skip


def separate(tensor: RelaxExpr, emit: Emit) -> Complex:
    """Return the complex numbers of a tensor with an axis for both parts."""
    last = len(shape_of(tensor)) - 1
    real, imag = (emit(R.squeeze(R.strided_slice(tensor, [last], [part], [part + 1]), [last])) for part in (0, 1))
    return Complex(real, imag)


def real_type(kind: TensorType) -> TensorType:
    """Return the type of the parts of complex numbers."""
    return TensorType(kind.shape, PARTS.get(kind.dtype, kind.dtype))


def _parts(value: Value) -> tuple[RelaxExpr, RelaxExpr]:
    if isinstance(value, Complex):
        return value.real, value.imag
    return as_tensor(value), as_tensor(value)


def _by_parts(operation: Operation, operands: Sequence[Value], builder: BlockBuilder) -> Value:
    name = operation.name.removeprefix("stablehlo.")
    plain = replace(operation, types=list(map(real_type, operation.types)))
    results = [OPERATORS[name](plain, side) for side in zip(*map(_parts, operands), strict=True)]
    real, imag = (result[0] if isinstance(result, list) else result for result in results)
    return Complex(real, imag)


def _reduce(operation: Operation, operands: Sequence[Value], builder: BlockBuilder) -> Value:
    if "applies stablehlo.add" not in operation.text:
        operation.fail("complex numbers are reduced by sums alone")
    return _by_parts(operation, operands, builder)


def _convert(operation: Operation, operands: Sequence[Value], builder: BlockBuilder) -> Value:
    (kind,) = operation.types
    dtype = real_type(kind).dtype
    (value,) = operands
    real, imag = _parts(value)
    if kind.dtype not in PARTS:
        return R.astype(real, dtype)
    imag = R.astype(imag, dtype) if isinstance(value, Complex) else R.zeros(R.shape(list(kind.shape)), dtype)
    return Complex(R.astype(real, dtype), imag)


def _constant(operation: Operation, operands: Sequence[Value], builder: BlockBuilder) -> Value:
    (kind,) = operation.types
    text = re.search(r"dense<(.*)>", operation.text)
    if text is None:
        operation.fail("a dense constant is expected")
    array, dtype = dense(operation, text[1], kind), PARTS[kind.dtype]
    return Complex(constant(np.real(array), dtype), constant(np.imag(array), dtype))


def _multiply(operation: Operation, operands: Sequence[Value], builder: BlockBuilder) -> Value:
    (a, b), (c, d) = map(_parts, operands)
    return Complex(R.subtract(R.multiply(a, c), R.multiply(b, d)), R.add(R.multiply(a, d), R.multiply(b, c)))


def _divide(operation: Operation, operands: Sequence[Value], builder: BlockBuilder) -> Value:
    (a, b), (c, d) = map(_parts, operands)
    both = builder.emit_te(kernels.divide, a, b, c, d, primfunc_name_hint="complex_divide")
    return Complex(TupleGetItem(both, 0), TupleGetItem(both, 1))


def _dot(operation: Operation, operands: Sequence[Value], builder: BlockBuilder) -> Value:
    plain = replace(operation, types=list(map(real_type, operation.types)))

    def product(a: RelaxExpr, b: RelaxExpr) -> RelaxExpr:
        result = OPERATORS["dot_general"](plain, [a, b])
        assert isinstance(result, RelaxExpr)
        return result

    (a, b), (c, d) = map(_parts, operands)
    return Complex(R.subtract(product(a, c), product(b, d)), R.add(product(a, d), product(b, c)))


def _magnitude(operation: Operation, operands: Sequence[Value], builder: BlockBuilder) -> RelaxExpr:
    return builder.emit_te(kernels.magnitude, *_parts(operands[0]))


def _imag(operation: Operation, operands: Sequence[Value], builder: BlockBuilder) -> Value:
    (value,) = operands
    return value.imag if isinstance(value, Complex) else R.zeros_like(as_tensor(value))


def _exponential(operation: Operation, operands: Sequence[Value], builder: BlockBuilder) -> Value:
    real, imag = _parts(operands[0])
    size = builder.emit(R.exp(real))
    return Complex(R.multiply(size, R.cos(imag)), R.multiply(size, R.sin(imag)))


def _log(operation: Operation, operands: Sequence[Value], builder: BlockBuilder) -> Value:
    real, imag = _parts(operands[0])
    return Complex(R.log(_magnitude(operation, operands, builder)), R.atan2(imag, real))


def _compare(operation: Operation, operands: Sequence[Value], builder: BlockBuilder) -> Value:
    (a, b), (c, d) = map(_parts, operands)
    word = operation.text.split()[0].rstrip(",")
    if word not in ("EQ", "NE"):
        operation.fail("complex numbers have no order")
    is_equal = R.logical_and(R.equal(a, c), R.equal(b, d))
    return is_equal if word == "EQ" else R.logical_not(is_equal)


def _fft(operation: Operation, operands: Sequence[Value], builder: BlockBuilder) -> Value:
    """Transform the last axes: those of real numbers first, or last for the inverse."""
    kind = re.search(r"\bI?R?FFT\b", operation.text)
    if kind is None:
        operation.fail("it has no type")
    name = kind[0]
    lengths = operation.integers("length" if "length" in operation.attrs else "fft_length")
    if not lengths:
        operation.fail("it transforms no axis")
    (value,) = operands
    parts: tuple[RelaxExpr, ...] = _parts(value) if isinstance(value, Complex) else (as_tensor(value),)
    if len(parts) != (1 if name == "RFFT" else 2):
        operation.fail(f"{name} takes {'real' if name == 'RFFT' else 'complex'} numbers")
    first = len(shape_of(parts[0])) - len(lengths)
    axes = list(enumerate(lengths, first))
    is_inverse = name in ("IFFT", "IRFFT")
    for axis, length in axes[:-1] if name == "IRFFT" else reversed(axes):
        count = length // 2 + 1 if name == "RFFT" and len(parts) == 1 else length
        parts = transform(parts, axis, length, count, is_inverse, builder.emit)
    if name == "IRFFT":
        axis, length = axes[-1]
        return real_inverse(parts, axis, length)
    return Complex(*parts)


def _of_parts(operation: Operation, operands: Sequence[Value], builder: BlockBuilder) -> Complex:
    real, imag = map(as_tensor, operands)
    return Complex(real, imag)


#: operation -> converter that takes or returns complex numbers
COMPLEX: Final[dict[str, Converter]] = {
    **dict.fromkeys(_BY_PARTS, _by_parts),
    "abs": _magnitude,
    "chlo.square": lambda operation, operands, builder: _multiply(operation, [*operands, *operands], builder),
    "compare": _compare,
    "complex": _of_parts,
    "constant": _constant,
    "convert": _convert,
    "divide": _divide,
    "dot_general": _dot,
    "exponential": _exponential,
    "fft": _fft,
    "imag": _imag,
    "log": _log,
    "multiply": _multiply,
    "real": lambda operation, operands, builder: _parts(operands[0])[0],
    "reduce": _reduce,
}
#: operations that have no converter for real numbers
_OF_COMPLEX: Final = COMPLEX.keys() - OPERATORS.keys()


def is_complex(name: str, operation: Operation, operands: Sequence[Value]) -> bool:
    """Return whether an operation takes or returns complex numbers."""
    has_complex = any(isinstance(value, Complex) for value in operands)
    return has_complex or any(kind.dtype in PARTS for kind in operation.types) or name in _OF_COMPLEX


def convert_complex(name: str, operation: Operation, operands: Sequence[Value], builder: BlockBuilder) -> Value:
    """Convert an operation that takes or returns complex numbers. Raises `InvalidModel`."""
    if name not in COMPLEX:
        operation.fail("it is not supported with complex numbers")
    return COMPLEX[name](operation, operands, builder)
