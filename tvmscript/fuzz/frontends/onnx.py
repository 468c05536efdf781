"""Random ONNX models, imported and run beside the reference evaluator of the `onnx` package."""

from __future__ import annotations

import importlib.util
import random
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from tvmscript.frontend.onnx import from_onnx
from tvmscript.frontend.onnx.library import onnx_library
from tvmscript.frontend.optional import load_library
from tvmscript.fuzz.frontends.pool import FLOATS, Array, Pool, Value
from tvmscript.fuzz.frontends.running import compare, run

IS_INSTALLED: Final = importlib.util.find_spec("onnx") is not None
Tensor = Value[str]
#: an operand: a tensor, a constant, or None for one that is left out
Operand = Tensor | Array | None
_F32: Final = ("float32",)
_OPSETS: Final = (13, 17, 18, 20, 21)


class Model:
    """A model under construction."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.onnx = onnx_library()
        self._evaluator: Any = load_library("onnx.reference", "the fuzzer of its models").ReferenceEvaluator
        self.opset = rng.choice(_OPSETS)
        self.inputs: dict[str, Array] = {}
        self.constants: dict[str, Array] = {}
        self.nodes: list[Any] = []
        self.pool: Pool[str] = Pool(rng, self._declare)

    def _declare(self, array: Array) -> str:
        name = f"x{len(self.inputs)}"
        self.inputs[name] = array
        return name

    def add(
        self, name: str, operands: Sequence[Operand], *, is_exact: bool = False, results: int = 1, **attrs: Any
    ) -> None:
        """Add a node, whose values the evaluator computes."""
        refs: list[str] = []
        values: dict[str, Array] = {}
        for operand in operands:
            if operand is None:
                refs.append("")
                continue
            if isinstance(operand, Value):
                refs.append(operand.ref)
                values[operand.ref] = operand.array
            else:
                refs.append(f"c{len(self.constants)}")
                self.constants[refs[-1]] = values[refs[-1]] = operand
        number = len(self.nodes)
        outputs = [f"y{number}_{place}" for place in range(results)]
        node = self.onnx.helper.make_node(name, refs, outputs, **attrs)
        graph = self.onnx.helper.make_graph(
            [node], "one", [_info(self.onnx, ref, array) for ref, array in values.items()],
            [self.onnx.helper.make_empty_tensor_value_info(each) for each in outputs],
        )  # fmt: skip
        try:
            arrays = self._evaluator(self._model(graph)).run(None, values)
        except (IndexError, RuntimeError, TypeError, ValueError):
            return  # it does not evaluate all that the standard has
        self.nodes.append(node)
        tensors = [each for each in operands if isinstance(each, Value)]
        for output, array in zip(outputs, arrays, strict=True):
            self.pool.add(output, np.asarray(array), *tensors, is_exact=is_exact)

    def _model(self, graph: Any) -> Any:
        opset = self.onnx.helper.make_opsetid("", self.opset)
        return self.onnx.helper.make_model(graph, opset_imports=[opset], ir_version=9)

    def model(self, outputs: Sequence[Tensor]) -> Any:
        """Return the model with these outputs."""
        infos = [_info(self.onnx, name, array) for name, array in self.inputs.items()]
        results = [self.onnx.helper.make_empty_tensor_value_info(each.ref) for each in outputs]
        constants = [self.onnx.numpy_helper.from_array(array, name) for name, array in self.constants.items()]
        return self._model(self.onnx.helper.make_graph(self.nodes, "fuzz", infos, results, constants))


def _info(onnx: Any, name: str, array: Array) -> Any:
    return onnx.helper.make_tensor_value_info(name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)


def _ints(*numbers: int) -> Array:
    return np.array(numbers, "int64")


# ---- elements

#: name -> bounds of the elements, whether it jumps
_UNARY: Final[Mapping[str, tuple[float, float, bool]]] = {
    **dict.fromkeys(("Abs", "Neg", "Relu", "Identity", "IsNaN", "HardSwish"), (-50, 50, False)),
    **dict.fromkeys(("Ceil", "Floor", "Round", "Sign"), (-50, 50, True)),
    **dict.fromkeys(("Acos", "Asin", "Atanh"), (-0.75, 0.75, False)),
    **dict.fromkeys(("Sqrt", "Log", "Reciprocal"), (0.125, 50, False)),
    **dict.fromkeys(("Atan", "Asinh", "Cos", "Sin", "Erf", "Sigmoid", "Softplus", "Softsign", "Tanh"), (-9, 9, False)),
    **dict.fromkeys(("Exp", "Cosh", "Sinh", "Mish"), (-4, 3, False)), "Acosh": (1.125, 9, False), "Tan": (-1, 1, False),
}  # fmt: skip
#: name -> attributes that are drawn
_WITH_ATTRIBUTES: Final[Mapping[str, Mapping[str, Sequence[Any]]]] = {
    "Elu": {"alpha": (0.5, 2.0)}, "Selu": {"alpha": (1.5, 2.0), "gamma": (1.0, 1.5)},
    "LeakyRelu": {"alpha": (0.01, 0.5)}, "HardSigmoid": {"alpha": (0.2, 0.5), "beta": (0.5, 0.25)},
    "ThresholdedRelu": {"alpha": (0.5, 1.0)}, "Celu": {"alpha": (0.5, 2.0)},
    "Shrink": {"lambd": (0.5, 1.5), "bias": (0.0, 0.5)}, "IsInf": {"detect_negative": (0, 1)},
}  # fmt: skip
#: name -> dtypes, bounds of the second operand, whether it jumps
_BINARY: Final[Mapping[str, tuple[Sequence[str], float, float, bool]]] = {
    **dict.fromkeys(("Add", "Sub", "Mul"), ((*FLOATS, "int32"), -7, 7, False)),
    "Div": (FLOATS, 0.125, 9, False), **dict.fromkeys(("Max", "Min"), (FLOATS, -9, 9, False)),
    **dict.fromkeys(("Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual"), ((*FLOATS, "int32"), -9, 9, True)),
    **dict.fromkeys(("And", "Or", "Xor"), (("bool",), 0, 1, False)), "Mod": (("int32", "int64"), 1, 7, False),
}  # fmt: skip


def unary(m: Model) -> None:
    name = m.rng.choice(list(_UNARY))
    if name == "Mish" and m.opset < 18:
        return
    low, high, has_jumps = _UNARY[name]
    x = m.pool.pick(_F32, low=low, high=high, is_exact=has_jumps)
    m.add(name, [x], is_exact=has_jumps or name in ("Abs", "Neg", "Relu", "Identity"))


def with_attributes(m: Model) -> None:
    name = m.rng.choice(list(_WITH_ATTRIBUTES))
    attrs: dict[str, Any] = {
        key: m.rng.choice(values) for key, values in _WITH_ATTRIBUTES[name].items() if m.rng.randrange(3)
    }
    m.add(name, [m.pool.pick(_F32, low=-7, high=7, is_exact=True)], **attrs)


def binary(m: Model) -> None:
    name = m.rng.choice(list(_BINARY))
    dtypes, low, high, has_jumps = _BINARY[name]
    a = m.pool.pick(dtypes, low=-7, high=7, is_exact=has_jumps)
    shape = tuple(m.rng.choice((size, size, 1)) for size in a.shape)[m.rng.randint(0, a.rank) :]
    b = m.pool.pick((a.dtype,), shape=shape, low=low, high=high, is_exact=has_jumps)
    m.add(name, [a, b], is_exact=name in ("Add", "Sub", "Max", "Min"))


def power(m: Model) -> None:
    a = m.pool.pick(_F32, low=0.25, high=4)
    m.add("Pow", [a, m.pool.pick(_F32, shape=a.shape, low=-3, high=3)])


def bits(m: Model) -> None:
    a = m.pool.pick(("uint8", "uint32"))
    b = m.pool.pick((a.dtype,), shape=a.shape, low=0, high=5)
    if m.opset >= 18 and m.rng.randrange(2):
        m.add(m.rng.choice(("BitwiseAnd", "BitwiseOr", "BitwiseXor")), [a, b])
    else:
        m.add("BitShift", [a, b], direction=m.rng.choice(("LEFT", "RIGHT")))


def fmod(m: Model) -> None:
    a = m.pool.pick(_F32, is_exact=True)
    m.add("Mod", [a, m.pool.pick(_F32, shape=a.shape, low=0.5, high=7, is_exact=True)], fmod=1)


def clip(m: Model) -> None:
    x = m.pool.pick(FLOATS)
    bounds: list[Operand] = [np.array(value, x.dtype) if m.rng.randrange(3) else None for value in (-1, 2)]
    m.add("Clip", [x, *bounds], is_exact=True)


def choose(m: Model) -> None:
    a, b = m.pool.two(FLOATS)
    m.add("Where", [m.pool.pick(("bool",), shape=a.shape), a, b], is_exact=True)


def cast(m: Model) -> None:
    x = m.pool.pick((*FLOATS, "int32", "bool", "uint8"), low=0, high=40, is_exact=True)
    kinds = (m.onnx.TensorProto.FLOAT, m.onnx.TensorProto.INT32, m.onnx.TensorProto.BOOL, m.onnx.TensorProto.INT64)
    m.add("Cast", [x], to=m.rng.choice(kinds), is_exact=True)


def several(m: Model) -> None:
    a, b = m.pool.two(_F32)
    m.add(m.rng.choice(("Sum", "Mean", "Max", "Min")), [a, b, a][: m.rng.randint(1, 3)])


# ---- reductions


def reduction(m: Model) -> None:
    kinds = ("Sum", "Mean", "Max", "Min", "Prod", "L1", "L2", "LogSum", "LogSumExp", "SumSquare")
    name = m.rng.choice(kinds)
    low = 0.25 if name == "LogSum" else -3
    x = m.pool.pick(_F32, ranks=range(1, 5), low=low, high=3)
    axes = [axis - m.rng.choice((0, x.rank)) for axis in m.rng.sample(range(x.rank), m.rng.randint(0, x.rank))]
    attrs: dict[str, Any] = {"keepdims": m.rng.randrange(2)} if m.rng.randrange(3) else {}
    if name == "Sum" or m.opset >= 18:
        if not axes and m.rng.randrange(2):
            attrs["noop_with_empty_axes"] = m.rng.randrange(2)
        m.add(f"Reduce{name}", [x, _ints(*axes)] if axes else [x], **attrs)
        return
    if axes:
        attrs["axes"] = axes
    m.add(f"Reduce{name}", [x], **attrs)


def extreme(m: Model) -> None:
    x = m.pool.pick(_F32, ranks=range(1, 5), is_exact=True)
    m.add(
        m.rng.choice(("ArgMax", "ArgMin")), [x], axis=m.pool.axis(x) - m.rng.choice((0, x.rank)),
        keepdims=m.rng.randrange(2), select_last_index=m.rng.randrange(2),
    )  # fmt: skip


def along_axis(m: Model) -> None:
    x = m.pool.pick(_F32, ranks=range(1, 5), low=-9, high=9, is_exact=True)
    axis = m.pool.axis(x) - m.rng.choice((0, x.rank))
    if m.rng.randrange(2):
        m.add(m.rng.choice(("Softmax", "LogSoftmax", "Hardmax")), [x], axis=axis)
        return
    m.add("CumSum", [x, np.array(axis, "int64")], exclusive=m.rng.randrange(2), reverse=m.rng.randrange(2))


# ---- moves


def moves(m: Model) -> None:
    rng, x = m.rng, m.pool.pick((*FLOATS, "int32"), ranks=range(1, 5))
    axis, rank = m.pool.axis(x), x.rank
    size, given = x.shape[axis], axis - rng.choice((0, rank))
    attrs: dict[str, Any] = {}
    match rng.randrange(14):
        case 0:
            attrs = {} if rng.randrange(4) == 0 else {"perm": rng.sample(range(rank), rank)}
            m.add("Transpose", [x], is_exact=True, **attrs)
        case 1:
            shape = rng.choice(((-1,), (0, -1) if rank > 1 else (-1,), (*x.shape, 1)))
            m.add("Reshape", [x, _ints(*shape)], is_exact=True)
        case 2:
            m.add("Flatten", [x], is_exact=True, axis=rng.randint(-rank, rank))
        case 3:
            m.add("Unsqueeze", [x, _ints(*rng.sample(range(rank + 2), 2))], is_exact=True)
        case 4:
            ones = [place for place, each in enumerate(x.shape) if each == 1]
            m.add("Squeeze", [x, _ints(*ones)] if ones and rng.randrange(2) else [x], is_exact=True)
        case 5:
            other = m.pool.pick((x.dtype,), shape=x.shape)
            m.add("Concat", [x, other], is_exact=True, axis=given)
        case 6:
            cut = rng.randint(1, max(1, size - 1))
            if size > 1:
                m.add("Split", [x, _ints(cut, size - cut)], is_exact=True, results=2, axis=given)
        case 7:
            axes = rng.sample(range(rank), rng.randint(1, rank))
            steps = [rng.choice((1, 1, 2, -1)) for _ in axes]
            starts = [rng.randrange(x.shape[each]) if step > 0 else -1 for each, step in zip(axes, steps, strict=True)]
            ends = [rng.randint(start + 1, 9) if step > 0 else -99 for start, step in zip(starts, steps, strict=True)]
            m.add("Slice", [x, _ints(*starts), _ints(*ends), _ints(*axes), _ints(*steps)], is_exact=True)
        case 8:
            m.add("Tile", [x, _ints(*[rng.randint(1, 2) for _ in x.shape])], is_exact=True)
        case 9:
            sizes = [rng.randint(1, 2) if each == 1 else each for each in x.shape]
            m.add("Expand", [x, _ints(*([2] if rng.randrange(2) else []), *sizes)], is_exact=True)
        case 10:
            mode = rng.choice(("constant", "reflect", "edge"))
            pads = [rng.randint(0, min(2, each - 1) if mode == "reflect" else 2) for each in x.shape * 2]
            value: list[Operand] = [np.array(rng.choice((0, 3)), x.dtype)] if mode == "constant" else []
            m.add("Pad", [x, _ints(*pads), *value], is_exact=True, mode=mode)
        case 11:
            if rank > 1:
                diagonal: list[Operand] = [np.array(rng.randint(-1, 2), "int64")] if rng.randrange(3) else []
                m.add("Trilu", [x, *diagonal], is_exact=True, upper=rng.randrange(2))
        case 12:
            attrs = {"start": rng.randint(-rank, rank - 1)} if rng.randrange(2) else {}
            m.add("Shape", [x], **(attrs if m.opset > 14 else {}))
            m.add("Size", [x])
        case _:
            k = rng.randint(1, size)
            exact = m.pool.pick(_F32, shape=x.shape, is_exact=True)
            largest = rng.randrange(2)
            m.add("TopK", [exact, _ints(k)], is_exact=True, results=2, axis=given, largest=largest)


def indices(m: Model) -> None:
    rng, x = m.rng, m.pool.pick((*FLOATS, "int32"), ranks=range(1, 4))
    axis = m.pool.axis(x)
    size = x.shape[axis]
    given = axis - rng.choice((0, x.rank))
    attrs: dict[str, Any] = {}
    match rng.randrange(6):
        case 0:
            places = m.pool.input(m.pool.data(rng.choice(((), (2,), (2, 1))), "int64", -size, size - 1))
            m.add("Gather", [x, places], is_exact=True, axis=given)
        case 1:
            shape = [rng.randint(1, each) for each in x.shape]
            places = m.pool.input(m.pool.data(shape, "int64", -size, size - 1))
            m.add("GatherElements", [x, places], is_exact=True, axis=given)
        case 2:
            depth = rng.randint(1, x.rank)
            least = min(x.shape[:depth])
            m.add("GatherND", [x, m.pool.input(m.pool.data((2, depth), "int64", -least, least - 1))], is_exact=True)
        case 3:
            order = np.argsort(m.pool.data(x.shape, "float64", -9, 9), axis, kind="stable")
            updates = m.pool.pick((x.dtype,), shape=x.shape)
            kinds = ("none", "add", "mul", *(("max", "min") if m.opset >= 18 else ()))
            attrs = {"reduction": rng.choice(kinds)} if m.opset >= 17 else {}
            m.add("ScatterElements", [x, m.pool.input(order), updates], is_exact=False, axis=given, **attrs)
        case 4:
            rows = rng.sample(range(x.shape[0]), rng.randint(1, x.shape[0]))
            places = m.pool.input(np.array(rows, "int64")[:, None])
            updates = m.pool.pick((x.dtype,), shape=(len(rows), *x.shape[1:]))
            attrs = {"reduction": rng.choice(("none", "add", "mul"))} if m.opset >= 17 else {}
            m.add("ScatterND", [x, places, updates], **attrs)
        case _:
            places = m.pool.input(m.pool.data((3,), "int64", -4, 3))
            values = np.array([0, 2], "float32")
            m.add("OneHot", [places, np.array(4, "int64"), values], is_exact=True, axis=rng.choice((-1, 0, 1)))


# ---- products, windows, normalizations


def products(m: Model) -> None:
    rng, pool = m.rng, m.pool
    n, k, p, b = (rng.randint(1, 4) for _ in range(4))
    match rng.randrange(3):
        case 0:
            left = rng.choice(((n, k), (b, n, k), (k,)))
            right = rng.choice(((k, p), (b, k, p), (k,)))
            m.add("MatMul", [pool.pick(_F32, shape=left), pool.pick(_F32, shape=right)])
        case 1:
            turned = rng.randrange(2), rng.randrange(2)
            a = pool.pick(_F32, shape=(k, n) if turned[0] else (n, k))
            c = pool.pick(_F32, shape=(p, k) if turned[1] else (k, p))
            bias = [pool.pick(_F32, shape=rng.choice(((p,), (n, p), (1, p), ())))] if rng.randrange(2) else []
            factors: dict[str, Any] = {"alpha": rng.choice((1.0, 0.5)), "beta": rng.choice((1.0, 2.0))}
            m.add("Gemm", [a, c, *bias], transA=turned[0], transB=turned[1], **factors)
        case _:
            text = rng.choice(("bij,bjk->bik", "ij,jk", "bij,kj->bik"))
            sizes = {"b": b, "i": n, "j": k, "k": p}
            sides = text.partition("->")[0].split(",")
            operands = [pool.pick(_F32, shape=tuple(sizes[each] for each in side)) for side in sides]
            m.add("Einsum", operands, equation=text)


def _image(m: Model, rank: int, channels: int, low: float = -3) -> Tensor:
    sizes = [m.rng.randint(4, 6) for _ in range(rank)]
    return m.pool.input(m.pool.data((m.rng.randint(1, 2), channels, *sizes), "float32", low))


def _padding(m: Model, rank: int, most: int = 2) -> dict[str, Any]:
    kind = m.rng.randrange(4)
    if kind == 0:
        return {"auto_pad": m.rng.choice(("SAME_UPPER", "SAME_LOWER", "VALID"))}
    return {"pads": [m.rng.randint(0, most) for _ in range(2 * rank)]} if kind > 1 else {}


def convolution(m: Model) -> None:
    rng, rank, groups = m.rng, m.rng.randint(1, 3), m.rng.choice((1, 1, 2))
    channels, filters = groups * rng.randint(1, 2), groups * rng.randint(1, 2)
    x, kernel = _image(m, rank, channels), [rng.randint(1, 3) for _ in range(rank)]
    attrs: dict[str, Any] = {"group": groups, "strides": [rng.randint(1, 2) for _ in kernel]}
    is_transposed = rng.randrange(3) == 0
    # the evaluator adds the bias of the first group to all of them
    has_bias = rng.randrange(2) == 1 and not (is_transposed and groups > 1)
    bias: list[Operand] = [m.pool.pick(_F32, shape=(filters,))] if has_bias else []
    if is_transposed:
        weight = m.pool.data((channels, filters // groups, *kernel), "float32")
        if rng.randrange(2):
            attrs["pads"] = [rng.randint(0, min(1, size - 1)) for size in kernel * 2]
        if rng.randrange(3) == 0:
            attrs["output_padding"] = [rng.randrange(stride) for stride in attrs["strides"]]
        m.add("ConvTranspose", [x, m.pool.input(weight), *bias], **attrs)
        return
    weight = m.pool.data((filters, channels // groups, *kernel), "float32")
    padding = _padding(m, rank)
    if "auto_pad" not in padding:
        attrs["dilations"] = [rng.randint(1, 2) if size < 3 else 1 for size in kernel]
    m.add("Conv", [x, m.pool.input(weight), *bias], **attrs, **padding)


def pooling(m: Model) -> None:
    rng, rank = m.rng, m.rng.randint(1, 3)
    x = _image(m, rank, rng.randint(1, 2), 0)
    name = rng.choice(("MaxPool", "AveragePool", *(("GlobalAveragePool", "GlobalMaxPool") if rank == 2 else ())))
    if name.startswith("Global"):
        m.add(name, [x])
        return
    kernel = [rng.randint(1, 3) for _ in range(rank)]
    attrs: dict[str, Any] = {"kernel_shape": kernel, "strides": [rng.randint(1, 2) for _ in kernel]}
    if rng.randrange(2):
        attrs["pads"] = [rng.randint(0, size - 1) for size in kernel * 2]
        if name == "AveragePool" or set(attrs["strides"]) == {1}:  # the evaluator exchanges edges
            attrs["pads"] = [min(attrs["pads"])] * len(attrs["pads"])
    if name == "AveragePool":
        attrs["count_include_pad"] = rng.randrange(2)
    m.add(name, [x], is_exact=name == "MaxPool", **attrs)


def normalization(m: Model) -> None:
    rng, epsilon = m.rng, m.rng.choice((1e-5, 0.125))
    x = m.pool.pick(_F32, ranks=range(3, 5), low=-7, high=7)
    count = x.shape[1]
    scale, bias, mean = (m.pool.pick(_F32, shape=(count,)) for _ in range(3))
    match rng.randrange(5):
        case 0:
            variance = m.pool.pick(_F32, shape=(count,), low=0.25, high=5)
            if m.opset >= 17:  # before 14 the evaluator trains
                m.add("BatchNormalization", [x, scale, bias, mean, variance], epsilon=epsilon)
        case 1:
            m.add("InstanceNormalization", [x, scale, bias], epsilon=epsilon)
        case 2:
            axis = m.pool.axis(x)
            shape = x.shape[axis:]
            if m.opset >= 17:
                operands = [x, m.pool.pick(_F32, shape=shape), m.pool.pick(_F32, shape=shape)]
                given = axis - rng.choice((0, x.rank))
                m.add("LayerNormalization", operands[: rng.randint(2, 3)], axis=given, epsilon=epsilon)
        case 3:
            if x.rank == 4 and len(x.array) >= count:  # of others the evaluator leaves the last channels as they are
                factors: dict[str, Any] = {
                    "alpha": rng.choice((1e-4, 0.5)),
                    "beta": 0.75,
                    "bias": rng.choice((1.0, 2.0)),
                }
                m.add("LRN", [x], size=rng.choice((1, 3)), **factors)
        case _:
            m.add("LpNormalization", [x], axis=m.pool.axis(x), p=2)  # the evaluator adds signed elements for 1


def images(m: Model) -> None:
    rng = m.rng
    match rng.randrange(3):
        case 0:
            x = _image(m, 2, 4)
            m.add("DepthToSpace", [x], is_exact=True, blocksize=2, mode=rng.choice(("DCR", "CRD")))
        case 1:
            x = m.pool.input(m.pool.data((1, 2, 4, 6), "float32"))
            m.add("SpaceToDepth", [x], is_exact=True, blocksize=2)
        case _:
            x = _image(m, 2, 2)
            mode = rng.choice(("nearest", "linear", "cubic"))
            where = rng.choice(("half_pixel", "asymmetric", "align_corners"))
            attrs: dict[str, Any] = (
                {"nearest_mode": rng.choice(("floor", "ceil", "round_prefer_floor"))} if mode == "nearest" else {}
            )
            if rng.randrange(2):
                scales = np.array([1, 1, *[rng.choice((0.5, 1.5, 2)) for _ in range(2)]], "float32")
                operands: list[Operand] = [x, None, scales]
            else:
                operands = [x, None, None, _ints(*x.shape[:2], *[rng.randint(2, 9) for _ in range(2)])]
            m.add("Resize", operands, mode=mode, coordinate_transformation_mode=where, **attrs)


def quantization(m: Model) -> None:
    x = m.pool.pick(_F32, ranks=range(2, 4), is_exact=True)
    kind = m.rng.choice(("uint8", "int8"))
    zero = np.array(m.rng.randint(0, 5), kind)
    scale = np.array(m.rng.choice((0.25, 0.5, 2)), "float32")
    attrs: dict[str, Any] = {}
    if m.rng.randrange(2):
        axis = m.pool.axis(x)
        attrs["axis"] = axis
        scale = np.array([m.rng.choice((0.25, 0.5, 2)) for _ in range(x.shape[axis])], "float32")
        zero = np.array([m.rng.randint(0, 5) for _ in range(x.shape[axis])], kind)
    m.add("QuantizeLinear", [x, scale, zero], **attrs)
    if m.pool.values[-1].dtype == kind:
        m.add("DequantizeLinear", [m.pool.values[-1], scale, zero], **attrs)


def recurrent(m: Model) -> None:
    """Run cells over a sequence; all outputs are taken."""
    rng, name = m.rng, m.rng.choice(("RNN", "GRU", "LSTM"))
    gates = {"RNN": 1, "GRU": 3, "LSTM": 4}[name]
    length, batch, size, hidden = (rng.randint(1, 3) for _ in range(4))
    shapes = [(length, batch, size), (1, gates * hidden, size), (1, gates * hidden, hidden)]
    operands: list[Operand] = [m.pool.input(m.pool.data(shape, "float32", -1, 1)) for shape in shapes]
    if rng.randrange(2):
        operands.append(m.pool.input(m.pool.data((1, 2 * gates * hidden), "float32", -1, 1)))
    attrs: dict[str, Any] = {"linear_before_reset": rng.randrange(2)} if name == "GRU" else {}
    m.add(name, operands, results=3 if name == "LSTM" else 2, hidden_size=hidden, **attrs)


OPERATORS: Final[tuple[Callable[[Model], None], ...]] = (
    unary, unary, with_attributes, binary, binary, power, bits, fmod, clip, choose, cast, several, reduction, reduction,
    extreme, along_axis, moves, moves, moves, indices, indices, products, convolution, convolution, pooling,
    normalization, images, quantization, recurrent,
)  # fmt: skip


def check(rng: random.Random, steps: int) -> None:
    """Compare the results of an imported model with those of the evaluator. Raises `LevelsDisagree`."""
    m = Model(rng)
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        for _ in range(steps):
            rng.choice(OPERATORS)(m)
    computed = [value for value in m.pool.values if value.ref not in m.inputs]
    if not computed:
        return
    outputs = list({value.ref: value for value in [*computed[-2:], *rng.choices(computed)]}.values())
    module = from_onnx(m.model(outputs))
    compare("from_onnx", run(module, list(m.inputs.values())), [each.array for each in outputs])
