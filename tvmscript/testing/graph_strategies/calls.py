"""Draw calls of operators on values drawn before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from hypothesis import strategies as st

from tvmscript.ir.core import GlobalVar, Op, TVMScriptError
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call, DataTypeImm, ExternFunc, ShapeExpr, StringImm, Tuple
from tvmscript.ir.relax.op import registry as _all
from tvmscript.ir.relax.op.script_functions import script_function_of
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.signature import REQUIRED, Parameter
from tvmscript.ir.relax.struct_info import FuncStructInfo, TensorStructInfo
from tvmscript.ir.relax.variables import is_impure_call
from tvmscript.ir.tir import Evaluate, IntImm, PrimFunc, make_buffer
from tvmscript.ir.tir.var import Var as SizeVar
from tvmscript.testing.graph_strategies.values import DTYPES, Values
from tvmscript.testing.operator_calls import call_of

#: importing it declares every operator
_DECLARED = _all


#: string arguments besides the defaults
_WORDS: Final = (
    "NCHW", "NHWC", "NCW", "NCDHW", "OIHW", "add", "mul", "both", "values", "sum", "none", "ij,jk->ik", "constant",
)  # fmt: skip


#: operator -> shapes of its tensor arguments; others take any values
SHAPED: dict[str, tuple[tuple[int, ...], ...]] = {
    "matmul": ((2, 3), (3, 4)),
    "nn.conv1d": ((1, 2, 5), (3, 2, 2)),
    "nn.conv2d": ((1, 2, 5, 5), (3, 2, 2, 2)),
    "nn.conv3d": ((1, 2, 5, 5, 5), (3, 2, 2, 2, 2)),
    "nn.conv1d_transpose": ((1, 2, 5), (2, 3, 2)),
    "nn.conv2d_transpose": ((1, 2, 5, 5), (2, 3, 2, 2)),
    "nn.max_pool1d": ((1, 2, 5),),
    "nn.max_pool2d": ((1, 2, 5, 5),),
    "nn.max_pool3d": ((1, 2, 5, 5, 5),),
    "nn.avg_pool2d": ((1, 2, 5, 5),),
    "nn.adaptive_avg_pool2d": ((1, 2, 5, 5),),
    "nn.attention": ((1, 2, 3, 4), (1, 2, 3, 4), (1, 2, 3, 4)),
    "nn.batch_norm": ((2, 3), (3,), (3,), (3,), (3,)),
    "nn.layer_norm": ((2, 3), (3,), (3,)),
    "nn.rms_norm": ((2, 3), (3,)),
    "nn.nll_loss": ((2, 3), (2,), (3,)),
    "nn.cross_entropy_with_logits": ((2, 3), (2, 3)),
    "image.resize2d": ((1, 2, 5, 5),),
    "outer": ((2,), (3,)),
}


@cache
def operators() -> list[Operator]:
    """Operators that a generic call can construct, the simple ones first."""
    registered = [each for each in Op.registry.values() if isinstance(each, Operator) and each.script_function is None]
    plain = [each for each in registered if all(parameter.kind == "Expr" for parameter in each.parameters)]
    return [*plain, *[each for each in registered if each not in plain]]


#: rank -> index maps
_MAPS: dict[int, tuple[Callable[..., Any], ...]] = {
    1: (lambda i: (i // 4, i % 4), lambda i: i),
    2: (lambda i, j: (j, i), lambda i, j: i * 3 + j, lambda i, j: (i, j // 2, j % 2)),
    3: (lambda i, j, k: (k, i, j),),
}


class Calls(Values):
    """Draws calls of operators and of functions inside and outside of the module."""

    def call(self) -> RelaxExpr | None:
        """Draw a call of an operator; None if it refuses the arguments."""
        operator = self.one(operators())
        shapes = list(SHAPED.get(operator.name.removeprefix("relax."), ()))
        named: dict[str, Any] = {}
        variadic: list[Any] = []
        for each in operator.parameters:
            if each.variadic:
                variadic = [self.argument(each, shapes) for _ in range(self.draw(st.integers(0, 2)))]
            elif each.default is not REQUIRED and not self.maybe():
                continue
            else:
                named[each.name] = self.argument(each, shapes)
        positional = [named.pop(each.name) for each in operator.parameters if variadic and each.name in named]
        try:
            result = script_function_of(operator)(*positional, *variadic, **named)
        except TVMScriptError:
            return None
        return None if is_impure_call(result) else result

    def argument(self, parameter: Parameter, shapes: list[tuple[int, ...]]) -> Any:
        """Draw an argument for a parameter."""
        if parameter.optional and not self.maybe():
            return None
        if parameter.kind == "Expr" and shapes:
            return self.builder.emit(call_of("zeros", ShapeExpr(shapes.pop(0)), "float32"))
        if parameter.kind == "Tuple" and self.maybe():
            return self.rows()
        if parameter.kind == "ints":
            count = parameter.count or self.draw(st.integers(0, 3))
            return [self.draw(st.integers(-1, 3)) for _ in range(count)]
        if parameter.kind == "numbers":
            return [self.one([1.0, 2.0]) for _ in range(parameter.count)]
        if isinstance(parameter.default, bool):
            return self.maybe()
        if parameter.kind == "int" and "axis" not in parameter.name:
            return self.one([1, 0, 2])
        return DRAWN[parameter.kind](self)

    def rows(self) -> Tuple:
        """Draw a tuple of tensors that differ at most in their first extent."""
        shapes = [ShapeExpr([self.one([2, 1, 3]), 3]) for _ in range(self.one([2, 3]))]
        return Tuple(tuple(self.builder.emit(call_of("zeros", shape, "float32")) for shape in shapes))

    def packed(self) -> RelaxExpr:
        """Draw a call of a packed function."""
        args = Tuple(tuple(self.tensor_value() for _ in range(self.draw(st.integers(0, 2)))))
        if self.maybe():
            return call_of("call_pure_packed", "packed", *args.fields, sinfo_args=self.info())
        results = [self.tensor() for _ in range(self.one([1, 2]))]
        return call_of("call_dps_packed", "packed", args, results[0] if len(results) == 1 else results)

    def kernel(self) -> RelaxExpr | None:
        """Draw a call of a kernel, which is added to the module."""
        tensors = self.simple_tensors()
        if not tensors:
            return None
        args = [self.one(tensors) for _ in range(self.one([1, 2]))]
        results = [TensorStructInfo(self.shape(), self.one(DTYPES)) for _ in range(self.one([1, 2]))]
        infos = [*[value.struct_info for value in args], *results]
        sizes = self.one([None, *[ShapeExpr([size]) for size in self.sizes]])
        gvar = self._kernel_for(infos, 0 if sizes is None else len(sizes.values))
        outputs: Any = results[0] if len(results) == 1 else results
        if self.maybe():
            return call_of("call_tir", gvar, Tuple(tuple(args)), outputs, sizes)
        return call_of("call_tir_with_grad", gvar, Tuple(tuple(args)), outputs, "grad", {"k": self.number()}, sizes)

    def kernel_in_place(self) -> RelaxExpr | None:
        """Draw an in-place kernel call."""
        tensors = self.simple_tensors()
        if not tensors:
            return None
        args = [self.one(tensors) for _ in range(self.one([1, 2]))]
        place = self.draw(st.integers(0, len(args) - 1))
        results = [args[place].struct_info]
        places = [place]
        if self.maybe():
            results, places = [*results, TensorStructInfo(self.shape(), self.one(DTYPES))], [place, -1]
        gvar = self._kernel_for([*[value.struct_info for value in args], *results[1:]], 0)
        outputs = results[0] if len(results) == 1 else results
        return call_of("call_tir_inplace", gvar, Tuple(tuple(args)), places, outputs)

    def _kernel_for(self, infos: Sequence[Any], sizes: int) -> GlobalVar:
        """Add a kernel for tensors of this struct info and a number of size parameters."""
        params: list[SizeVar] = []
        buffers = {}
        for place, info in enumerate(infos):
            shape = [e if isinstance(e, IntImm) else SizeVar(f"e{place}", e.dtype) for e in info.extents]
            param = SizeVar(f"p{place}", "handle")
            buffers[param] = make_buffer(tuple(shape), info.dtype, f"A{place}")
            params.append(param)
        params += [SizeVar(f"s{place}", "int64") for place in range(sizes)]
        func = PrimFunc(tuple(params), Evaluate(IntImm("int32", 0)), None, buffers, {})
        return self.builder.add_func(func, "kernel")

    def rearranged(self) -> RelaxExpr | None:
        """Draw a layout transformation."""
        value = self.tensor_value()
        info = value.struct_info
        if not isinstance(info, TensorStructInfo) or info.ndim not in _MAPS:
            return None
        pads: list[Any] = [None, None, 1.0] if info.dtype == "float32" else [None]
        try:
            return call_of("layout_transform", value, self.one(_MAPS[info.ndim]), self.one(pads))
        except TVMScriptError:
            return None

    def placed(self) -> RelaxExpr | None:
        """Draw a device transfer or hint."""
        value = self.tensor_value()
        devices = [each for each in self.devices if each is not None]
        if not isinstance(value.struct_info, TensorStructInfo):
            return None
        if devices and self.maybe():
            return call_of("to_vdevice", value, self.one(devices))
        return call_of("hint_on_device", value, (self.one([1, 2]), 0), self.one(["global", "x"]))

    def closure(self) -> RelaxExpr | None:
        """Draw a closure of a packed function, or its call."""
        values = Tuple((self.tensor_value(),))
        if self.maybe():
            return call_of(
                "invoke_pure_closure", self.builder.emit(call_of("make_closure", "packed", values)), values, self.info()
            )
        return call_of("make_closure", "packed", values)

    def shaped(self) -> RelaxExpr | None:
        """Draw reshapes with -1 and 0, views, null values and other special calls."""
        value = self.tensor_value()
        kinds: list[Callable[[], RelaxExpr]] = [
            lambda: call_of("reshape", value, self.one([[-1], [0, -1], [-1, 1]])),
            lambda: call_of("memory.view", value, dtype=DataTypeImm(self.one(DTYPES))),
            lambda: call_of("memory.view", value, shape=self.shape(), relative_byte_offset=0),
            lambda: call_of("null_value"),
            lambda: call_of("eye", self.number(), k=self.number()),
            lambda: call_of("arange", self.one([3, 0, 1.5]), self.one([4, 7.5])),
            lambda: call_of(
                "nn.attention", *[self.builder.emit(call_of("zeros", ShapeExpr([1, 2, 3, 4]), "float32"))] * 3
            ),
        ]
        make: Callable[[], RelaxExpr] = self.one(kinds)
        try:
            return make()
        except TVMScriptError:
            return None

    def function_call(self) -> RelaxExpr | None:
        """Draw a call of a module or nested function."""
        callees = [*self.functions, *self.of(FuncStructInfo)]
        if not callees:
            return None
        callee = self.one(callees)
        params = callee.struct_info.params or ()
        try:
            result = Call(callee, [self.one(self.values) for _ in params])
        except TVMScriptError:
            return None
        return None if is_impure_call(result) else result


#: kind of parameter -> draws an argument
DRAWN: Final[dict[str, Callable[[Calls], Any]]] = {
    "Expr": Calls.tensor_value,
    "Tuple": Calls.several,
    "Shape": Calls.shape,
    "Prim": Calls.number,
    "Str": lambda drawer: StringImm(drawer.one(["global", "text"])),
    "DType": lambda drawer: DataTypeImm(drawer.one(DTYPES)),
    "Const": Calls.constant,
    "Func": lambda _: ExternFunc("packed"),
    "int": Calls.number,
    "bool": Calls.maybe,
    "float": lambda drawer: drawer.one([0.5, 1e-05, 1.0]),
    "str": lambda drawer: drawer.one(_WORDS),
    "dtype": lambda drawer: drawer.one(DTYPES),
    "padding": Calls.number,
    "immediate": lambda drawer: drawer.one([0.5, 1]),
    "floats": lambda _: [0.0, 0.0, 0.0, 0.0],
    "sections": lambda drawer: drawer.one([1, 2, [1], [1, 2]]),
    "any": lambda drawer: drawer.one(["text"]),
}
