"""`from_stablehlo`: import a StableHLO program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final, Protocol

from tvmscript.frontend.errors import InvalidModel, UnsupportedOperators
from tvmscript.frontend.loops import while_loop
from tvmscript.frontend.stablehlo.complex_numbers import (
    COMPLEX,
    convert_complex,
    is_complex,
    real_type,
    separate,
)
from tvmscript.frontend.stablehlo.kernels import KERNELS
from tvmscript.frontend.stablehlo.operators import OPERATORS
from tvmscript.frontend.stablehlo.sizes import SIZES, WITH_SIZES, Value, as_tensor, with_sizes
from tvmscript.frontend.stablehlo.text import (
    PARTS,
    UNKNOWN_SIZE,
    FunctionText,
    Operation,
    Region,
    TensorType,
    read_program,
)
from tvmscript.frontend.stablehlo.values import Complex
from tvmscript.ir.core import IRModule
from tvmscript.ir.core.python_settings import MAX_NESTING, deep_recursion
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import If, SeqExpr, Tuple, TupleGetItem, Var
from tvmscript.ir.relax.struct_info import ShapeExpr, TensorStructInfo
from tvmscript.ir.tir import Var as SizeVar
from tvmscript.language import R

_DIALECT: Final = "stablehlo."
_RETURNS: Final = ("return", "func.return", "stablehlo.return")
_CALLS: Final = ("call", "func.call", "stablehlo.composite")
#: operations with regions that run, or not
_CONTROL_FLOW: Final = ("stablehlo.case", "stablehlo.if", "stablehlo.while")
#: operations that are converted, those of called functions each time
_MOST_OPERATIONS: Final = 1_000_000
#: operations whose converters need the sizes of the result
_OF_KNOWN_SIZES: Final = ("bitcast_convert", "broadcast_in_dim", "iota", "pad", "reshape")
#: what converters raise on operands and attributes that an operation cannot have
_MALFORMED: Final = (ArithmeticError, LookupError, ValueError)


class Lowered(Protocol):
    """What `jax.jit(f).lower(...)` returns."""

    def as_text(self) -> str: ...


@deep_recursion
def from_stablehlo(stablehlo_module: str | Lowered | object, input_info: object = None) -> IRModule:
    """Return the module of a StableHLO program, with the function `main`.

    The program is its text, a module of MLIR's bindings, or what `jax.jit(f).lower(x)` returns. Sizes that it leaves
    open are symbolic. Functions are inlined, a loop becomes a function that calls itself. TVM takes `input_info`;
    nothing is needed of it. Raises `UnsupportedOperators`, `InvalidModel`.
    """
    as_text = getattr(stablehlo_module, "as_text", None)
    text = stablehlo_module if isinstance(stablehlo_module, str) else str(as_text() if as_text else stablehlo_module)
    functions = read_program(text)
    if "main" not in functions:
        raise InvalidModel(source="StableHLO", place="the program", reason="it has no function main")
    UnsupportedOperators.check("StableHLO", _unsupported(functions))
    return _Importer(functions).run()


def _unsupported(functions: Mapping[str, FunctionText]) -> Iterator[tuple[str, str]]:
    """Return the operations without a converter, with their lines."""
    for function in functions.values():
        for operation in _all_operations(function.operations):
            name = operation.name.removeprefix(_DIALECT)
            is_known = any(name in table for table in (OPERATORS, KERNELS, SIZES, WITH_SIZES, COMPLEX))
            is_structure = _is_assertion(operation) or operation.name in (*_RETURNS, *_CALLS, *_CONTROL_FLOW)
            if not is_known and not is_structure:
                yield operation.name, f"line {operation.line}"


def _is_assertion(operation: Operation) -> bool:
    """Whether an operation checks the sizes of arguments, as a call of the graph does."""
    return operation.name == "stablehlo.custom_call" and operation.text.startswith("@shape_assertion(")


def _equal_dimensions(main: FunctionText) -> dict[tuple[str, int], tuple[str, int]]:
    """Return the dimensions of arguments that assertions say are equal to others: (argument, axis) -> the first one."""
    dimensions: dict[str, tuple[str, int]] = {}
    compared: dict[str, list[str]] = {}
    equal: dict[tuple[str, int], tuple[str, int]] = {}
    for operation in main.operations:
        if operation.name == "stablehlo.get_dimension_size":
            for name, tensor in zip(operation.results, operation.operands, strict=False):
                dimensions[name] = tensor, operation.integer("dim")
        elif operation.name == "stablehlo.compare" and operation.text.startswith("EQ"):
            compared |= dict.fromkeys(operation.results, operation.operands)
        elif _is_assertion(operation):
            asserted = compared.get("".join(operation.operands[:1]), [])
            sides = [dimensions[name] for name in asserted if name in dimensions]
            if len(sides) == 2:
                first, second = sorted(equal.get(side, side) for side in sides)
                equal = {side: first if root == second else root for side, root in equal.items()} | {second: first}
    return equal


def _all_operations(operations: Sequence[Operation]) -> Iterator[Operation]:
    for operation in operations:
        yield operation
        for region in operation.regions:
            yield from _all_operations(region.operations)


#: the values of names
Values = dict[str, Value]


class _Importer:
    """The import of a program."""

    def __init__(self, functions: Mapping[str, FunctionText]) -> None:
        self.functions = functions
        self.builder = BlockBuilder()
        self.depth = 0
        self.count = 0
        #: whether sizes are symbolic, and integers may be sizes
        self.is_symbolic = False

    def run(self) -> IRModule:
        """Return the module."""
        main = self.functions["main"]
        has_branches = any(
            operation.name in _CONTROL_FLOW
            for function in self.functions.values()
            for operation in _all_operations(function.operations)
        )
        params = self.params(main)
        with self.builder.function("main", params):
            if has_branches:
                self.builder.emit_func_output(self.results_of_main(main, params))
            else:
                with self.builder.dataflow():
                    output = self.builder.emit_output(self.results_of_main(main, params))
                self.builder.emit_func_output(output)
        return self.builder.get()

    def results_of_main(self, main: FunctionText, params: Sequence[Var]) -> RelaxExpr:
        """Convert the operations of the main function, and return what it returns."""
        values: Values = {
            name: self.typed(param, kind) for (name, kind), param in zip(main.arguments, params, strict=True)
        }
        return _one_or_tuple(self.convert(main.operations, values))

    def typed(self, tensor: RelaxExpr, kind: TensorType) -> Value:
        """Return a tensor as a value: the parts of complex numbers are on its last axis."""
        return separate(tensor, self.builder.emit) if kind.dtype in PARTS else tensor

    def params(self, main: FunctionText) -> list[Var]:
        """Return parameters; sizes that the text leaves open are symbolic, one for those that it asserts equal."""
        equal = _equal_dimensions(main)
        symbols: dict[tuple[str, int], SizeVar] = {}
        params: list[Var] = []
        for name, kind in main.arguments:
            shape: list[int | SizeVar] = list(kind.shape)
            for axis, size in enumerate(kind.shape):
                if size == UNKNOWN_SIZE:
                    key = equal.get((name, axis), (name, axis))
                    if key not in symbols:
                        symbols[key] = SizeVar(self.builder.get_unique_name("n"), "int64")
                    shape[axis] = symbols[key]
            if kind.dtype in PARTS:
                shape.append(2)
            info = TensorStructInfo(ShapeExpr(tuple(shape)), real_type(kind).dtype)
            params.append(Var(name.lstrip("%"), info))
        self.is_symbolic = bool(symbols)
        return params

    def convert(self, operations: Sequence[Operation], values: Values) -> list[RelaxExpr]:
        """Convert operations, whose results become values of their names; return what they return, as tensors."""
        return list(map(as_tensor, self.convert_values(operations, values)))

    def convert_values(self, operations: Sequence[Operation], values: Values) -> list[Value]:
        """Convert operations, whose results become values of their names; return what they return."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            operations[0].fail("functions call each other too deep")
        for operation in operations:
            self.count += 1
            if self.count > _MOST_OPERATIONS:
                operation.fail(f"the functions that are called have more than {_MOST_OPERATIONS:,} operations in all")
            operands = [self.value(operation, name, values) for name in operation.operands]
            if operation.name in _RETURNS:
                self.depth -= 1
                return operands
            try:
                results = self.results_of(operation, operands, values)
                for name, result in zip(operation.results, results, strict=True):
                    values[name] = self.bound(result)
            except _MALFORMED as error:
                reason = f"it is not well formed: {error or type(error).__name__}"
                raise InvalidModel(source="StableHLO", place=operation.place, reason=reason) from error
        raise InvalidModel(source="StableHLO", place="a function or a region", reason="it returns nothing")

    def bound(self, value: Value) -> Value:
        """Bind a value to variables."""
        if isinstance(value, Complex):
            return Complex(self.builder.emit(value.real), self.builder.emit(value.imag))
        return self.builder.emit(value) if isinstance(value, RelaxExpr) else value

    def results_of(self, operation: Operation, operands: list[Value], values: Values) -> Sequence[Value]:
        """Convert one operation."""
        name = operation.name.removeprefix(_DIALECT)
        if operation.name in _CALLS:
            return self.call(operation, operands)
        if operation.name == "stablehlo.while":
            return self.loop(operation, values)
        if operation.name in _CONTROL_FLOW:
            return self.branch(operation, list(map(as_tensor, operands)), values)
        if _is_assertion(operation):
            return []
        if is_complex(name, operation, operands):
            return [convert_complex(name, operation, operands, self.builder)]
        if name in WITH_SIZES:
            return [with_sizes(name, operation, operands)]
        sizes = SIZES[name](operation, operands) if self.is_symbolic and name in SIZES else None
        if sizes is not None:
            return [sizes]
        if name in _OF_KNOWN_SIZES and any(UNKNOWN_SIZE in kind.shape for kind in operation.types):
            operation.fail("it is not supported with symbolic sizes")
        if name in KERNELS:
            count, kernel = KERNELS[name]
            if len(operands) != count:
                operation.fail(f"it takes {count} operands, but is given {len(operands)}")
            tensors = map(as_tensor, operands)
            hint = name.removeprefix("chlo.")
            return [self.builder.call_te(partial(kernel, operation), *tensors, primfunc_name_hint=hint)]
        converted = OPERATORS[name](operation, list(map(as_tensor, operands)))
        return converted if isinstance(converted, list) else [converted]

    def value(self, operation: Operation, name: str, values: Values) -> Value:
        """Return the value of a name. Raises `InvalidModel`."""
        if name not in values:
            if operation.name == "stablehlo.while":
                return Tuple(())  # the name of a carried value
            operation.fail(f"{name} is not defined")
        return values[name]

    def call(self, operation: Operation, operands: list[Value]) -> list[Value]:
        """Convert the body of a function; a composite operation names the one that defines it."""
        name = operation.attrs.get("decomposition", operation.text).lstrip("@").partition("(")[0]
        function = self.functions.get(name)
        if function is None:
            operation.fail(f"there is no function {name}")
        return self.convert_values(
            function.operations, {name: value for (name, _), value in zip(function.arguments, operands, strict=True)}
        )

    # ---- control flow

    def branch(self, operation: Operation, operands: list[RelaxExpr], values: Values) -> list[Value]:
        """Convert a choice among regions: `case` by a number, `if` by a truth value."""
        (index,) = operands
        if operation.name == "stablehlo.if":
            then, otherwise = operation.regions
            choice: RelaxExpr = If(index, self.region(then, values), self.region(otherwise, values))
        else:
            if not operation.regions:
                operation.fail("it has no region to choose")
            choice = self.case(index, 0, operation.regions, values)
        return self.unpacked(choice, operation)

    def case(self, index: RelaxExpr, number: int, regions: Sequence[Region], values: Values) -> RelaxExpr:
        """Return the choice of a region by its number, from `number` on; the last one where there is none."""
        if number == len(regions) - 1:
            return _one_or_tuple(self.convert(regions[number].operations, dict(values)))
        is_chosen = self.builder.emit(R.equal(index, R.const(number, "int32")))
        others = self.builder.sequence(lambda: self._bound(self.case(index, number + 1, regions, values)))
        return If(is_chosen, self.region(regions[number], values), others)

    def _bound(self, value: RelaxExpr) -> RelaxExpr:
        return self.builder.emit(value) if isinstance(value, If) else value

    def region(self, region: Region, values: Values) -> SeqExpr:
        """Return a region without arguments as a sequence."""
        return self.builder.sequence(lambda: _one_or_tuple(self.convert(region.operations, dict(values))))

    def unpacked(self, value: RelaxExpr, operation: Operation) -> list[Value]:
        """Return the results of an operation with regions."""
        count = len(operation.results)
        whole = self.builder.emit(value)
        results = [whole] if count == 1 else [TupleGetItem(whole, index) for index in range(count)]
        return [self.typed(result, kind) for result, kind in zip(results, operation.types, strict=True)]

    def loop(self, operation: Operation, values: Values) -> list[Value]:
        """Convert a loop to a function that calls itself, with the values around that it uses."""
        condition, body = operation.regions
        carried = condition.arguments
        starts = [values[name] for name in operation.operands if name not in carried]
        used = {
            name
            for region in operation.regions
            for each in _all_operations(region.operations)
            for name in each.operands
            if name in values and name not in carried
        }
        around = sorted(used)
        others = [values[name] for name in around]

        def separated(tensors: Sequence[RelaxExpr]) -> list[Value]:
            return [
                separate(tensor, self.builder.emit) if isinstance(value, Complex) else tensor
                for tensor, value in zip(tensors, [*starts, *others], strict=False)
            ]

        def region(chosen: Region, params: Sequence[Var]) -> list[RelaxExpr]:
            return self.convert(chosen.operations, dict(zip([*carried, *around], separated(params), strict=True)))

        def is_going(params: Sequence[Var]) -> RelaxExpr:
            (flag,) = region(condition, params)
            return flag

        first, rest = (list(map(as_tensor, side)) for side in (starts, others))
        return separated(while_loop(self.builder, first, rest, is_going, partial(region, body)))


def _one_or_tuple(values: list[RelaxExpr]) -> RelaxExpr:
    return values[0] if len(values) == 1 else Tuple(tuple(values))
