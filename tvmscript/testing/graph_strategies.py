"""Hypothesis strategies that draw programs of the graph level: well typed by construction, small when shrunk.

from hypothesis import given
from tvmscript.testing.graph_strategies import graph_modules

@given(graph_modules())
def test_reads_back(module): ...
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, ClassVar

from hypothesis import strategies as st

from tvmscript.ir.core.data import pack
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import GlobalVar, IRModule, VDevice
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.target import Target
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import (
    Call,
    Constant,
    DataTypeImm,
    ExternFunc,
    If,
    PrimValue,
    SeqExpr,
    ShapeExpr,
    StringImm,
    Tuple,
    TupleGetItem,
    Var,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op import all as _all
from tvmscript.ir.relax.op.operator import Operator
from tvmscript.ir.relax.op.signature import REQUIRED, Parameter
from tvmscript.ir.relax.op.surface import callable_of
from tvmscript.ir.relax.sizes import definable_tir_vars_in_struct_info
from tvmscript.ir.relax.struct_info import (
    FuncStructInfo,
    ObjectStructInfo,
    PrimStructInfo,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.relax.variables import is_impure_call
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Evaluate
from tvmscript.ir.tir.var import Var as SizeVar

#: importing it declares every operator
_DECLARED = _all

DTYPES = tuple(map(DType, ["float32", "float16", "int32", "int64", "bool", "int8", "uint8", "float64"]))
#: what stands for a text that is not an operator's own default
_WORDS = (
    "NCHW",
    "NHWC",
    "NCW",
    "NCDHW",
    "OIHW",
    "add",
    "mul",
    "both",
    "values",
    "sum",
    "none",
    "ij,jk->ik",
    "constant",
)

#: operator -> shapes of tensors that it takes; others take what there is
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
    """Every operator whose calls say with their arguments alone what they are, the simple ones first."""
    found = [each for each in Op.registry.values() if isinstance(each, Operator) and each.surface is None]
    plain = [each for each in found if all(parameter.kind == "Expr" for parameter in each.parameters)]
    return [*plain, *[each for each in found if each not in plain]]


#: where tensors may be; modules have all of them
_DEVICES = (VDevice(Target("llvm"), 0, "global"), VDevice(Target("cuda"), 0, "global"), VDevice(Target("llvm"), 1, "x"))
#: maps of indices by the number of axes
_MAPS: dict[int, tuple[Callable[..., Any], ...]] = {
    1: (lambda i: (i // 4, i % 4), lambda i: i),
    2: (lambda i, j: (j, i), lambda i, j: i * 3 + j, lambda i, j: (i, j // 2, j % 2)),
    3: (lambda i, j, k: (k, i, j),),
}


class _Drawer:
    """Draws one function: what is known so far is what later bindings use."""

    def __init__(
        self,
        draw: st.DrawFn,
        builder: BlockBuilder,
        functions: Sequence[GlobalVar],
        devices: Sequence[VDevice | None] = (None,),
    ) -> None:
        self.draw = draw
        self.builder = builder
        self.functions = functions
        self.devices = devices
        self.values: list[RelaxExpr] = []
        self.sizes: list[SizeVar] = []
        self.depth = 0

    def one(self, items: Sequence[Any]) -> Any:
        """One of several things, the first when shrunk."""
        return self.draw(st.sampled_from(items))

    def maybe(self) -> bool:
        return bool(self.draw(st.booleans()))

    # ---- struct info

    def size(self) -> Any:
        """A size: a constant, a variable, or what is computed of them."""
        known = [*range(5), *self.sizes]
        made = self.one(known)
        if self.sizes and self.draw(st.integers(0, 5)) == 5:
            return self.one(self.sizes) * self.one([2, 3]) + made
        return made

    def shape(self) -> ShapeExpr:
        return ShapeExpr([self.size() for _ in range(self.draw(st.integers(0, 3)))])

    def tensor(self) -> TensorStructInfo:
        return TensorStructInfo(self.shape(), self.one(DTYPES), vdevice=self.one(self.devices))

    def info(self) -> StructInfo:
        """What may be said of a parameter."""
        kinds: list[Callable[[], StructInfo]] = [
            self.tensor,
            self.tensor,
            self.tensor,
            lambda: TensorStructInfo(
                None, self.one([*DTYPES, DType("void")]), self.one([-1, 0, 2]), self.one(self.devices)
            ),
            lambda: ShapeStructInfo(tuple(self.shape().values)),
            lambda: ShapeStructInfo(ndim=self.one([-1, 0, 2])),
            lambda: TupleStructInfo((self.tensor(), self.tensor())),
            lambda: PrimStructInfo(self.one([DType("int64"), DType("float32")])),
            lambda: PrimStructInfo(DType("int64"), IntImm("int64", self.number())),
            lambda: FuncStructInfo(self.one([None, (self.tensor(),)]), self.tensor(), self.maybe()),
            ObjectStructInfo,
        ]
        made: StructInfo = self.one(kinds)()
        return made

    def params(self) -> list[Var]:
        """Parameters; the first ones define the sizes."""
        names = ("n", "m")[: self.draw(st.integers(0, 2))]
        self.sizes = [SizeVar(name, "int64") for name in names]
        infos: list[StructInfo] = [TensorStructInfo([size, 3][: self.one([2, 1])], "float32") for size in self.sizes]
        infos += [TensorStructInfo([2, 3], "float32"), *[self.info() for _ in range(self.draw(st.integers(0, 3)))]]
        made = [Var("xyzuvw"[index], info) for index, info in enumerate(infos)]
        self.values += made
        return made

    # ---- values

    def of(self, kind: type[StructInfo]) -> list[Any]:
        return [value for value in self.values if isinstance(value.struct_info, kind)]

    def call(self) -> RelaxExpr | None:
        """A call of an operator: one that takes what was drawn."""
        operator = self.one(operators())
        shapes = list(SHAPED.get(operator.name.removeprefix("relax."), ()))
        given: dict[str, Any] = {}
        variadic: list[Any] = []
        for each in operator.parameters:
            if each.variadic:
                variadic = [self.argument(each, shapes) for _ in range(self.draw(st.integers(0, 2)))]
            elif each.default is not REQUIRED and not self.maybe():
                continue
            else:
                given[each.name] = self.argument(each, shapes)
        positional = [given.pop(each.name) for each in operator.parameters if variadic and each.name in given]
        try:
            made = callable_of(operator)(*positional, *variadic, **given)
        except TVMScriptError:
            return None
        return None if is_impure_call(made) else made

    def argument(self, parameter: Parameter, shapes: list[tuple[int, ...]]) -> Any:
        """Something of the kind that a parameter takes."""
        if parameter.optional and not self.maybe():
            return None
        if parameter.kind == "Expr" and shapes:
            return self.builder.emit(_of("zeros")(ShapeExpr(shapes.pop(0)), "float32"))
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
        return self.kinds[parameter.kind](self)

    def tensor_value(self) -> RelaxExpr:
        made: RelaxExpr = self.one(self.of(TensorStructInfo) or self.values)
        return made

    def number(self) -> Any:
        return self.one([1, 0, 2, -1])

    #: kind of parameter -> what draws one (filled in below)
    kinds: ClassVar[dict[str, Callable[[_Drawer], Any]]]

    def constant(self) -> Constant:
        """Data: scalars, rows, nothing at all."""
        dtype = self.one(DTYPES[:4])
        shape = self.one([(), (3,), (2, 3), (0,)])
        count = 1
        for extent in shape:
            count *= extent
        numbers = st.integers(-2, 2) if dtype.is_integer else st.sampled_from([0.0, 1.0, -0.5])
        return Constant(pack([self.draw(numbers) for _ in range(count)], dtype, shape), dtype)

    def several(self) -> Tuple:
        return Tuple(tuple(self.one(self.values) for _ in range(self.draw(st.integers(0, 3)))))

    def rows(self) -> Tuple:
        """Tensors that differ in their first extent alone, if at all."""
        shapes = [ShapeExpr([self.one([2, 1, 3]), 3]) for _ in range(self.one([2, 3]))]
        return Tuple(tuple(self.builder.emit(_of("zeros")(shape, "float32")) for shape in shapes))

    def item(self) -> RelaxExpr | None:
        """An item of a tuple that there is."""
        known = [value for value in self.of(TupleStructInfo) if value.struct_info.fields]
        if not known:
            return None
        held = self.one(known)
        return TupleGetItem(held, self.draw(st.integers(0, len(held.struct_info.fields) - 1)))

    def packed(self) -> RelaxExpr:
        """A call of a function outside of the program."""
        args = Tuple(tuple(self.tensor_value() for _ in range(self.draw(st.integers(0, 2)))))
        if self.maybe():
            return _of("call_pure_packed")("packed", *args.fields, sinfo_args=self.info())
        results = [self.tensor() for _ in range(self.one([1, 2]))]
        return _of("call_dps_packed")("packed", args, results[0] if len(results) == 1 else results)

    def kernel(self) -> RelaxExpr | None:
        """A call of a kernel of the module, which is added for it."""
        given = self.simple_tensors()
        if not given:
            return None
        args = [self.one(given) for _ in range(self.one([1, 2]))]
        results = [TensorStructInfo(self.shape(), self.one(DTYPES)) for _ in range(self.one([1, 2]))]
        infos = [*[value.struct_info for value in args], *results]
        sizes = self.one([None, *[ShapeExpr([size]) for size in self.sizes]])
        gvar = self._kernel_for(infos, 0 if sizes is None else len(sizes.values))
        outputs: Any = results[0] if len(results) == 1 else results
        if self.maybe():
            return _of("call_tir")(gvar, Tuple(tuple(args)), outputs, sizes)
        return _of("call_tir_with_grad")(gvar, Tuple(tuple(args)), outputs, "grad", {"k": self.number()}, sizes)

    def kernel_in_place(self) -> RelaxExpr | None:
        """A call of a kernel that writes into an argument."""
        given = self.simple_tensors()
        if not given:
            return None
        args = [self.one(given) for _ in range(self.one([1, 2]))]
        place = self.draw(st.integers(0, len(args) - 1))
        results = [args[place].struct_info]
        places = [place]
        if self.maybe():
            results, places = [*results, TensorStructInfo(self.shape(), self.one(DTYPES))], [place, -1]
        gvar = self._kernel_for([*[value.struct_info for value in args], *results[1:]], 0)
        outputs = results[0] if len(results) == 1 else results
        return _of("call_tir_inplace")(gvar, Tuple(tuple(args)), places, outputs)

    def simple_tensors(self) -> list[RelaxExpr]:
        """Tensors of known shape and dtype."""
        found = self.of(TensorStructInfo)
        return [each for each in found if each.struct_info.extents is not None and each.struct_info.dtype != "void"]

    def _kernel_for(self, infos: Sequence[Any], sizes: int) -> GlobalVar:
        """A kernel that takes tensors like these, and so many sizes; extents that are no numbers are its own."""
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
        """A tensor in another layout."""
        value = self.tensor_value()
        info = value.struct_info
        if not isinstance(info, TensorStructInfo) or info.ndim not in _MAPS:
            return None
        pads: list[Any] = [None, None, 1.0] if info.dtype == "float32" else [None]
        try:
            return _of("layout_transform")(value, self.one(_MAPS[info.ndim]), self.one(pads))
        except TVMScriptError:
            return None

    def placed(self) -> RelaxExpr | None:
        """A tensor on another device, or wished there."""
        value = self.tensor_value()
        devices = [each for each in self.devices if each is not None]
        if not isinstance(value.struct_info, TensorStructInfo):
            return None
        if devices and self.maybe():
            return _of("to_vdevice")(value, self.one(devices))
        return _of("hint_on_device")(value, (self.one([1, 2]), 0), self.one(["global", "x"]))

    def closure(self) -> RelaxExpr | None:
        """A closure of a function outside of the program, or the call of one."""
        values = Tuple((self.tensor_value(),))
        if self.maybe():
            return _of("invoke_pure_closure")(self._named(_of("make_closure")("packed", values)), values, self.info())
        return _of("make_closure")("packed", values)

    def _named(self, value: RelaxExpr) -> RelaxExpr:
        return self.builder.emit(value)

    def shaped(self) -> RelaxExpr | None:
        """A tensor in a shape that is written with stand-ins, the same memory seen otherwise, nothing at all."""
        value = self.tensor_value()
        kinds: list[Callable[[], RelaxExpr]] = [
            lambda: _of("reshape")(value, self.one([[-1], [0, -1], [-1, 1]])),
            lambda: _of("memory.view")(value, dtype=DataTypeImm(self.one(DTYPES))),
            lambda: _of("memory.view")(value, shape=self.shape(), relative_byte_offset=0),
            lambda: _of("null_value")(),
            lambda: _of("eye")(self.number(), k=self.number()),
            lambda: _of("arange")(self.one([3, 0, 1.5]), self.one([4, 7.5])),
            lambda: _of("nn.attention")(*[self._named(_of("zeros")(ShapeExpr([1, 2, 3, 4]), "float32"))] * 3),
        ]
        make: Callable[[], RelaxExpr] = self.one(kinds)
        try:
            return make()
        except TVMScriptError:
            return None

    def function_call(self) -> RelaxExpr | None:
        """A call of a function of the module, or of one inside of this function, with what it takes."""
        known = [*self.functions, *self.of(FuncStructInfo)]
        if not known:
            return None
        callee = self.one(known)
        params = callee.struct_info.params or ()
        try:
            made = Call(callee, [self.one(self.values) for _ in params])
        except TVMScriptError:
            return None
        return None if is_impure_call(made) else made

    def branch(self) -> RelaxExpr | None:
        """An `if`, where there is a condition."""
        conditions = [
            value
            for value in self.of(TensorStructInfo)
            if value.struct_info.dtype == "bool" and value.struct_info.ndim == 0
        ]
        if self.depth > 1 or self.builder.current_block_is_dataflow():
            return None
        cond = self.one(conditions) if conditions else self._bool()
        return If(cond, self.body(), self.body())

    def _bool(self) -> RelaxExpr:
        return Constant(pack([1], DType("bool"), ()), DType("bool"))

    def body(self) -> SeqExpr:
        """Bindings of their own, and a value."""

        def fill() -> RelaxExpr:
            self.bindings(self.draw(st.integers(0, 2)))
            return self.builder.emit(self.one(self.values))

        return self._inside(lambda: self.builder.sequence(fill))

    def inner(self) -> RelaxExpr | None:
        """A function inside of the function."""
        if self.depth > 1 or self.builder.current_block_is_dataflow():
            return None
        param = Var(self.builder.get_unique_name("p"), TensorStructInfo(self.one([(), (2, 3)]), self.one(DTYPES)))

        def fill() -> RelaxExpr:
            self.values.append(param)
            self.bindings(self.draw(st.integers(0, 2)))
            return self.builder.emit(self.one(self.values))

        body = self._inside(lambda: self.builder.sequence(fill, (param,)))
        return Function((param,), body)

    def _inside(self, make_it: Callable[[], SeqExpr]) -> SeqExpr:
        values, sizes = self.values, self.sizes
        self.values, self.sizes, self.depth = list(values), list(sizes), self.depth + 1
        try:
            return make_it()
        finally:
            self.values, self.sizes, self.depth = values, sizes, self.depth - 1

    # ---- bindings

    def bindings(self, count: int) -> None:
        for _ in range(count):
            self.binding()

    def binding(self) -> None:
        """One binding, or a block of them."""
        what = self.one([self.call] * 8 + self.forms)
        if what == self.cast:
            self.cast()
        elif what == self.dataflow:
            self.dataflow()
        else:
            value = what()
            if value is not None and value.struct_info is not None:
                self.values.append(self.builder.emit(value))

    @property
    def forms(self) -> list[Callable[[], Any]]:
        """What a binding may be besides a call of an operator."""
        return [
            self.constant, self.several, self.item, self.shape, self.cast, self.dataflow, self.packed,
            self.function_call, self.branch, self.inner, self.kernel, self.kernel_in_place, self.rearranged,
            self.placed, self.closure, self.shaped, lambda: PrimValue(self.number()),
            lambda: StringImm("text"), lambda: DataTypeImm(self.one(DTYPES)), lambda: self.one(self.values),
        ]  # fmt: skip

    def cast(self) -> None:
        """More is said of a value; a size may be new."""
        value = self.one(self.values)
        known = value.struct_info
        new = SizeVar(self.builder.get_unique_name("k"), "int64")
        if isinstance(known, TensorStructInfo):
            said: StructInfo = TensorStructInfo(
                self.extents(known.extents, known.ndim, new), known.dtype, vdevice=known.vdevice
            )
        elif isinstance(known, ShapeStructInfo):
            said = ShapeStructInfo(self.extents(known.values, known.ndim, new))
        elif isinstance(known, ObjectStructInfo):
            said = TensorStructInfo([new], self.one(DTYPES))
        else:
            return
        self.values.append(self.builder.match_cast(value, said))
        if new in definable_tir_vars_in_struct_info(said):
            self.sizes = [*self.sizes, new]

    def extents(self, known: Sequence[Any] | None, ndim: int, new: SizeVar) -> tuple[Any, ...]:
        """Extents that a shape of which these are known may have."""
        if known is None:
            return tuple(self.one([new, *self.sizes, 2]) for _ in range(ndim if ndim >= 0 else 1))
        return tuple(self.one([new, extent]) for extent in known)

    def dataflow(self) -> None:
        """A block without side effects; one of its variables at least is seen outside."""
        if self.builder.current_block_is_dataflow():
            return
        outside = self.values
        self.values = list(outside)
        with self.builder.dataflow():
            self.bindings(self.draw(st.integers(0, 4)))
            outputs = [self.builder.emit_output(self.one(self.values)) for _ in range(self.draw(st.integers(1, 2)))]
        self.values = [*outside, *outputs]


_Drawer.kinds = {
    "Expr": _Drawer.tensor_value,
    "Tuple": _Drawer.several,
    "Shape": _Drawer.shape,
    "Prim": _Drawer.number,
    "Str": lambda drawer: StringImm(drawer.one(["global", "text"])),
    "DType": lambda drawer: DataTypeImm(drawer.one(DTYPES)),
    "Const": _Drawer.constant,
    "Func": lambda _: ExternFunc("packed"),
    "int": _Drawer.number,
    "bool": _Drawer.maybe,
    "float": lambda drawer: drawer.one([0.5, 1e-05, 1.0]),
    "str": lambda drawer: drawer.one(_WORDS),
    "dtype": lambda drawer: drawer.one(DTYPES),
    "padding": _Drawer.number,
    "immediate": lambda drawer: drawer.one([0.5, 1]),
    "floats": lambda _: [0.0, 0.0, 0.0, 0.0],
    "sections": lambda drawer: drawer.one([1, 2, [1], [1, 2]]),
    "any": lambda drawer: drawer.one(["text"]),
}


def _of(name: str) -> Callable[..., Call]:
    """What `R.name` does."""
    operator = Op.get(f"relax.{name}")
    assert isinstance(operator, Operator)
    return callable_of(operator)


def _function(
    draw: st.DrawFn,
    builder: BlockBuilder,
    name: str,
    functions: Sequence[GlobalVar],
    most: int,
    devices: Sequence[VDevice | None] = (None,),
) -> GlobalVar:
    drawer = _Drawer(draw, builder, functions, devices)
    attrs = drawer.one([{}, {}, {"relax.force_pure": True}, {"fact": '"x"', "number": 3}])
    with builder.function(name, drawer.params(), attrs, private=name != "main"):
        drawer.bindings(draw(st.integers(0, most)))
        return builder.emit_func_output(drawer.one([drawer.values[-1], drawer.several()]))


@st.composite
def graph_modules(draw: st.DrawFn, most_bindings: int = 8) -> IRModule:
    """A module of graph functions, of which later ones may call earlier ones. The last one is `main`."""
    has_devices = draw(st.integers(0, 3)) == 3
    devices = (None, *_DEVICES) if has_devices else (None,)
    builder = BlockBuilder(IRModule({}, {}, {"vdevice": _DEVICES} if has_devices else {}))
    made: list[GlobalVar] = []
    for index in range(draw(st.integers(0, 1))):
        made.append(_function(draw, builder, f"helper{index}", made, 3, devices))
    _function(draw, builder, "main", made, most_bindings, devices)
    return builder.get()


@st.composite
def graph_calls(draw: st.DrawFn, most: int = 16) -> IRModule:
    """A module of one function of calls of operators alone: of many operators in a short time."""
    builder = BlockBuilder()
    drawer = _Drawer(draw, builder, ())
    with builder.function("main", drawer.params()):
        for _ in range(draw(st.integers(1, most))):
            made = drawer.call()
            if made is not None:
                drawer.values.append(builder.emit(made))
        builder.emit_func_output(drawer.values[-1])
    return builder.get()


@st.composite
def graph_functions(draw: st.DrawFn, most_bindings: int = 8) -> Function:
    """A graph function that calls none of a module."""
    builder = BlockBuilder()
    gv = _function(draw, builder, "main", (), most_bindings)
    made = builder.get()[gv]
    assert isinstance(made, Function)
    return made


__all__ = ["graph_calls", "graph_functions", "graph_modules", "operators"]
