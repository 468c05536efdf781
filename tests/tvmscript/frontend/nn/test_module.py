"""Modules: parameters and their values, containers, mutation, effects, external modules."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.frontend.errors import MissingLibrary
from tvmscript.frontend.nn.errors import (
    CompilerFailed,
    ExternFunctionFailed,
    ExternModuleError,
    InvalidSpec,
    NotExporting,
    StateMismatch,
    UnboundParameters,
    UnsupportedLayerOption,
    WrongParameterValue,
)
from tvmscript.ir.core import UnknownName, WrongType
from tvmscript.relax.frontend import nn

VECTOR = nn.spec.Tensor([4], "float32")


class Pair(nn.Module):
    def __init__(self) -> None:
        self.first = nn.Linear(4, 4)
        self.rest = nn.ModuleList([nn.Linear(4, 4, bias=False), nn.ReLU()])
        self.named = nn.ModuleDict({"norm": nn.LayerNorm(4)})
        self.scales = nn.ParameterList([nn.Parameter([4]), nn.Parameter([4])])
        self.shifts = nn.ParameterDict({"a": nn.Parameter([4])})
        self.dtype = "float32"

    def forward(self, x: Any) -> Any:
        scaled = self.named["norm"](self.rest(self.first(x))) * self.scales[0] * self.scales[1]
        return scaled + self.shifts["a"]


PATHS = [
    "first.weight", "first.bias", "rest.0.weight", "named.norm.weight", "named.norm.bias", "scales.0", "scales.1",
    "shifts.a",
]  # fmt: skip


def test_paths_of_parameters() -> None:
    assert [name for name, _ in Pair().named_parameters()] == PATHS
    assert list(Pair().state_dict(prefix="model.")) == [f"model.{path}" for path in PATHS]


def test_dtype_of_all_parameters() -> None:
    module = Pair()
    module.to("float16")
    assert {param.dtype for param in module.parameters()} == {"float16"}
    assert module.dtype == "float16"
    nn.set_default_dtype("float64")
    try:
        assert nn.Linear(2, 2).weight.dtype == nn.get_default_dtype() == "float64"
    finally:
        nn.set_default_dtype("float32")


def test_states() -> None:
    source, module = Pair(), Pair()
    for index, param in enumerate(source.parameters()):
        param.data = np.full([int(size) for size in param.shape], index, "float32")
    assert module.load_state_dict(source.state_dict()) == ([], [])
    values: list[Any] = [param.data for param in module.parameters()]
    assert [int(value.numpy().flat[0]) for value in values] == list(range(8))
    state: dict[str, Any] = source.state_dict()
    del state["first.bias"]
    state["more"] = source.first.bias
    assert module.load_state_dict(state, strict=False) == (["first.bias"], ["more"])
    with pytest.raises(StateMismatch, match=r"missing keys: \['first.bias'\]"):
        module.load_state_dict(state)
    with pytest.raises(UnboundParameters, match=r"first\.weight"):
        module.load_state_dict(Pair().state_dict())


def test_values_of_parameters() -> None:
    param = nn.Parameter([2, 3])
    assert param.data is None
    with pytest.raises(WrongParameterValue, match=r"float32 of shape \(2, 3\), got float64"):
        param.data = np.zeros((2, 3))
    with pytest.raises(ValueError, match="got float32 of shape"):
        param.data = np.zeros((3, 2), "float32")
    param.data = np.ones((2, 3), "float32")
    with pytest.raises(WrongParameterValue, match="converted to float16"):
        param.to("float16")
    param.data = None
    param.to("float16")
    assert repr(param) == 'Tensor([2, 3], "float16")'


def test_containers() -> None:
    listed = nn.ModuleList([nn.ReLU()])
    listed.append(nn.SiLU())
    listed[0] = nn.GELU()
    assert [type(module).__name__ for module in listed] == ["GELU", "SiLU"]
    assert len(listed) == 2
    named = nn.ModuleDict({"a": nn.ReLU()})
    named.update({"b": nn.SiLU()})
    assert "b" in named
    assert list(named.keys()) == ["a", "b"]
    assert [type(module).__name__ for module in named] == ["ReLU", "SiLU"]
    assert isinstance(named.pop("a"), nn.ReLU)
    assert named.get("a") is None
    with pytest.raises(WrongType, match="ParameterList"):
        nn.ParameterList([nn.ReLU()])  # type: ignore[list-item]  # what is tested
    with pytest.raises(WrongType, match="ParameterDict"):
        nn.ParameterDict({"a": 1})  # type: ignore[dict-item]  # what is tested


def test_mutator() -> None:
    """Linear layers become pairs of linear layers, parameters half as wide; TVM's names of the members."""
    visited: list[str] = []

    class Narrow(nn.Mutator):
        def visit_module(self, name: str, node: nn.Module) -> Any:
            visited.append(name)
            return nn.Identity() if isinstance(node, nn.ReLU) else self.visit(name, node)

        def visit_param(self, name: str, node: nn.Parameter) -> Any:
            visited.append(name)
            return nn.Parameter(node.shape, "float16")

    class Model(nn.Module):
        def __init__(self) -> None:
            self.lin = nn.Linear(4, 4)
            self.rest = nn.ModuleList([nn.Linear(4, 4, bias=False), nn.ReLU()])

    module = Narrow().visit_module("", Model())
    assert visited == ["", "lin", "lin.weight", "lin.bias", "rest.0", "rest.0.weight", "rest.1"]
    assert isinstance(module.rest[1], nn.Identity)
    assert {param.dtype for param in module.parameters()} == {"float16"}


def test_mutator_of_containers() -> None:
    """Members of every container are visited and replaced."""
    visited: list[str] = []

    class Visitor(nn.Mutator):
        def visit_param(self, name: str, node: nn.Parameter) -> Any:
            visited.append(name)
            return nn.Parameter(node.shape, "float16")

        def visit_moduledict(self, name: str, node: nn.ModuleDict) -> Any:
            visited.append(name)
            return self.visit(name, node)

    class Model(nn.Module):
        def __init__(self) -> None:
            parameter = nn.Parameter([2], "float32")
            self.layers = nn.ModuleDict({"a": nn.Linear(4, 4, bias=False)})
            self.lists = nn.ParameterList([parameter])
            self.names = nn.ParameterDict({"w": nn.Parameter([3], "float32")})

    module = Visitor().visit("", Model())
    assert visited == ["layers", "layers.a.weight", "lists.0", "names.w"]
    assert {param.dtype for param in module.parameters()} == {"float16"}


def test_effects_keep_their_state() -> None:
    """A cache grows from call to call."""

    class Cached(nn.Module):
        def __init__(self) -> None:
            self.cache = nn.KVCache(4, [2])

        def forward(self, x: Any, n: Any) -> Any:
            self.cache.append(x)
            return self.cache.view(n)

    compiled = Cached().jit({"forward": {"x": nn.spec.Tensor([1, 2], "float32"), "n": int}}, out_format="numpy")
    first, second = np.array([[1, 2]], "float32"), np.array([[3, 4]], "float32")
    assert compiled["forward"](first, 1).numpy().tolist() == [[1, 2]]
    assert compiled["forward"](second, 2).numpy().tolist() == [[1, 2], [3, 4]]
    with pytest.raises(UnknownName, match="method"):
        compiled["backward"]
    with pytest.raises(InvalidSpec, match="2 arguments"):
        compiled["forward"](first)


def test_caches_have_one_dtype() -> None:
    class Cached(nn.Module):
        def __init__(self) -> None:
            self.cache = nn.KVCache(4, [2])
            self.cache.to("float16")

        def forward(self, x: Any) -> Any:
            self.cache.append(x)
            return x

    with pytest.raises(WrongType, match="float16"):
        Cached().export_tvm({"forward": {"x": nn.spec.Tensor([1, 2], "float32")}})


def test_packed_parameters() -> None:
    module = nn.Linear(4, 2)
    for param in module.parameters():
        param.data = np.ones([int(size) for size in param.shape], "float32")
    compiled = module.jit({"forward": {"x": VECTOR, "$": {"param_mode": "packed"}}}, out_format="numpy")
    assert compiled["forward"](np.ones(4, "float32")).numpy().tolist() == [5, 5]


SOURCE = """
#include <tvm/runtime/data_type.h>
#include <tvm/runtime/packed_func.h>
int double_it(DLTensor* x, DLTensor* result) {
  using namespace tvm::runtime;
  ICHECK_EQ(x->ndim, 1);
  ICHECK(DataType(x->dtype) == DataType::Float(32));
  for (int64_t i = 0; i < x->shape[0]; ++i)
    static_cast<float*>(result->data)[i] = 2 * static_cast<float*>(x->data)[i];
  return static_cast<float*>(x->data)[0] < 0 ? 7 : 0;
}
TVM_DLL_EXPORT_TYPED_FUNC(double_it, double_it);
"""


class Doubling(nn.Module):
    def __init__(self, module: nn.ExternModule) -> None:
        self.module = module

    def forward(self, x: Any) -> Any:
        nn.add_extern(self.module)
        nn.add_extern(self.module)  # another method may have added it
        return self.module["double_it"](x)


def _same(x: Any) -> Any:
    return nn.Tensor.placeholder(x.shape, x.dtype)


needs_compiler = pytest.mark.skipif(shutil.which("c++") is None, reason="there is no C++ compiler")


@needs_compiler
def test_external_modules(tmp_path: Path) -> None:
    """Two external modules with one symbol each keep their own functions; a nonzero result is an error."""
    source = nn.SourceModule({"double_it": _same}, SOURCE, "cpp")
    source.compile(tmp_path / "double.o")
    of_object = nn.ObjectModule({"double_it": _same}, tmp_path / "double.o")
    for module in (source, of_object):
        compiled = Doubling(module).jit({"forward": {"x": VECTOR}}, out_format="numpy")
        assert compiled["forward"](np.arange(4, dtype="float32")).numpy().tolist() == [0, 2, 4, 6]
        with pytest.raises(ExternFunctionFailed, match="double_it returned 7"):
            compiled["forward"](-np.ones(4, "float32"))


@needs_compiler
def test_compiler_errors() -> None:
    with pytest.raises(CompilerFailed, match="cannot compile"):
        nn.SourceModule({"f": _same}, "no C++\n", "cpp").load()
    with pytest.raises(CompilerFailed, match="no-such-compiler"):
        nn.SourceModule({"f": _same}, "\n", "cpp", compiler="no-such-compiler").load()
    text = "#include <tvm/runtime/registry.h>\nusing namespace tvm::runtime;\n"
    with pytest.raises(ExternModuleError, match=r"exports no f\n.*EXPORT_TYPED_FUNC"):
        nn.SourceModule({"f": _same}, text, "cpp").load()


def test_external_modules_are_allowed() -> None:
    module = nn.ExternModule({"double_it": _same})
    spec = {"forward": {"x": VECTOR}}
    with pytest.raises(ExternModuleError, match="allow_extern"):
        Doubling(module).export_tvm(spec)
    mod, params, modules = Doubling(module).export_tvm(spec, allow_extern=True)
    assert (params, modules) == ([], [module])
    assert 'R.call_dps_packed("double_it", (x,)' in mod.script()
    with pytest.raises(ExternModuleError, match="there is no f"):
        module["f"]
    with pytest.raises(ExternModuleError, match="no file"):
        nn.ObjectModule({}, "no-such-file.o")
    with pytest.raises(ExternModuleError, match=r"no-such-file.cc is no file"):
        nn.SourceModule({}, "no-such-file.cc", "cpp")
    with pytest.raises(ExternModuleError, match="sources are cpp"):
        nn.SourceModule({}, "", "cu")


def test_exporting_is_needed() -> None:
    x = nn.Tensor.placeholder([4], "float32", "x")
    with pytest.raises(NotExporting, match="call export_tvm"):
        nn.relu(x)
    with pytest.raises(NotExporting, match="add_extern"):
        nn.add_extern(nn.ExternModule({}))

    class Printing(nn.Module):
        def forward(self, x: Any) -> Any:
            nn.print_(x)
            return x

    with pytest.raises(NotExporting, match="debug=True"):
        Printing().export_tvm({"forward": {"x": VECTOR}})


def test_prints(capsys: pytest.CaptureFixture[str]) -> None:
    """The builtin of TVM calls a global function with the line and the tensor."""
    seen: list[Any] = []
    tvmscript.register_func("tests.nn.look", lambda line, x: seen.append((line, x.numpy().tolist())), override=True)

    class Printing(nn.Module):
        def forward(self, x: Any) -> Any:
            nn.print_(x)
            nn.debug_func("tests.nn.look", x, _line_info="here")
            return x

    compiled = Printing().jit({"forward": {"x": VECTOR}}, out_format="numpy", debug=True)
    compiled["forward"](np.arange(4, dtype="float32"))
    assert seen == [("here", [0, 1, 2, 3])]
    assert "test_module.py" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ({"forward": {"x": 3}}, "argument x"),
        ({"forward": {"y": VECTOR}}, "got y"),
        ({"backward": {"x": VECTOR}}, "a method of ReLU"),
        ({"forward": 3}, "a mapping of its arguments"),
        (3, "a mapping of its methods"),
        ({"forward": {"x": VECTOR, "$": {"param_mode": "folded"}}}, "plain, packed, none"),
    ],
)
def test_specs(spec: Any, words: str) -> None:
    with pytest.raises(InvalidSpec, match=words):
        nn.ReLU().export_tvm(spec)


def test_specs_print() -> None:
    spec = nn.spec.ModuleSpec.from_raw({"forward": {"x": VECTOR}}, nn.ReLU())
    assert repr(spec) == "ModuleSpec:\n  forward(x: Tensor([4], 'float32'))"
    assert repr(nn.spec.MethodSpec.from_torch([np.zeros((1, 2))], nn.ReLU().forward)) == (
        "MethodSpec(x: Tensor([1, 2], 'float64'))"
    )
    with pytest.raises(InvalidSpec, match="1 argument"):
        nn.spec.MethodSpec.from_torch([], nn.ReLU().forward)


def test_arguments_are_named_where_the_method_has_all_names() -> None:
    def method(x: int, *others: int, y: int = 0) -> tuple[int, ...]:
        return x, *others, y

    def call(*names: str) -> Any:
        spec = nn.spec.MethodSpec(method, names, [VECTOR] * len(names), "plain", "none")
        return spec.call([1, 2])

    assert call("x", "y") == (1, 2)
    assert call("y", "x") == (2, 1)
    assert call("x", "z") == call("z", "y") == call("a", "b") == (1, 2, 0)


def test_options_without_implementation() -> None:
    x = nn.Tensor.placeholder([1, 2, 2, 4], "float32", "x")
    with pytest.raises(UnsupportedLayerOption, match="attn_mask"):
        nn.scaled_dot_product_attention(x, x, x, x)
    with pytest.raises(UnsupportedLayerOption, match="antialias"):
        nn.interpolate(x, [2, 2], antialias=True)
    with pytest.raises(UnsupportedLayerOption, match="data_layout 'NCWH'"):
        nn.conv2d(x, x, x, data_layout="NCWH")
    with pytest.raises(NotImplementedError, match="act_fn='relu'"):
        nn.TimestepEmbedding(2, 2, "relu")


def test_jit_needs_values_and_torch() -> None:
    with pytest.raises(UnboundParameters, match="weight, bias"):
        nn.Linear(4, 2).jit({"forward": {"x": VECTOR}}, out_format="numpy")
    with pytest.raises(InvalidSpec, match="torch or numpy"):
        nn.ReLU().jit({"forward": {"x": VECTOR}}, out_format="jax")
    if importlib.util.find_spec("torch") is None:
        with pytest.raises(MissingLibrary, match="pip install torch"):
            nn.ReLU().jit({"forward": {"x": VECTOR}})
        return
    torch: Any = importlib.import_module("torch")
    result = nn.ReLU().jit({"forward": {"x": VECTOR}})["forward"](torch.tensor([-1.0, 2.0, -3.0, 4.0]))
    assert isinstance(result, torch.Tensor)
    assert result.tolist() == [0, 2, 0, 4]
