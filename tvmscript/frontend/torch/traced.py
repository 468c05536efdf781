"""`from_traced`: import what `torch.jit.trace` returns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from tvmscript.frontend.errors import UnsupportedOperators
from tvmscript.frontend.torch.graph import CustomConverters, GraphImporter, check_kind, place_of
from tvmscript.frontend.torch.protocols import Tensor, is_tensor
from tvmscript.frontend.torch.registry import CONVERTERS, IGNORED_ARGUMENTS, find
from tvmscript.frontend.torch.weights import array_of, info_of
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Var
from tvmscript.ir.relax.struct_info import TensorStructInfo

#: names and shapes of the inputs, or names, shapes and dtypes: `("input", (1, 3))`, `("ids", ((1, 8), "int64"))`
ShapeList = Sequence[tuple[str, Any]]

#: numbers of dtypes in TorchScript
_DTYPES = {
    0: "uint8",
    1: "int8",
    2: "int16",
    3: "int32",
    4: "int64",
    5: "float16",
    6: "float32",
    7: "float64",
    11: "bool",
    15: "bfloat16",
}
#: arguments of a schema: their types and names
_ARGUMENT = re.compile(r"(\w+(?:\[\d*\])?)\??(?:\(\w+!?(?: -> \*)?\))?(?:\[\d*\])?\??\s+(\w+)(?:=[^,)]*)?(?=[,)])")
#: types of arguments that mean nothing for a graph on one device
_IGNORED_TYPES = ("Layout", "Device", "MemoryFormat", "Generator")
#: operations of the interpreter that make no tensors
_STRUCTURE = frozenset(
    {
        *("Constant", "GetAttr", "ListConstruct", "TupleConstruct", "DictConstruct", "ListUnpack", "TupleUnpack"),
        *("NumToTensor", "ImplicitTensorToNum", "If", "data", "device", "dtype"),
    }
)


def from_traced(
    script_module: Any, shape_list: ShapeList, custom_convert_map: CustomConverters | None = None
) -> IRModule:
    """Return the module of a traced model, with the function `main`.

    Weights are parameters after the inputs, under their paths in the model, and in the attribute `params`, which
    `detach_params` takes out. Raises `UnsupportedOperators`, `InvalidModel`.
    """
    check_kind(script_module, "inlined_graph", "ScriptModule of torch.jit.trace")
    return TracedImporter(script_module, custom_convert_map).run(shape_list)


@dataclass(eq=False)
class Node:
    """An operation of TorchScript in the form that fx graphs have."""

    op: str
    name: str
    target: object
    args: tuple[object, ...]
    kwargs: Mapping[str, object] = field(default_factory=dict[str, object])
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])
    users: Sequence[Node] = ()

    @property
    def all_input_nodes(self) -> Sequence[Node]:
        return [arg for arg in self.args if isinstance(arg, Node)]


class TracedImporter(GraphImporter):
    """The import of a graph of TorchScript."""

    def __init__(self, script_module: Any, custom: CustomConverters | None) -> None:
        super().__init__(script_module, custom, "float32")
        self._graph = script_module.inlined_graph
        #: what a name of the graph stands for: an operation, or a value that is known already
        self._named: dict[str, object] = {}
        self._paths: dict[str, str] = {}
        #: how many operations use an operation that are not converted yet
        self._later_uses = Counter[Node]()
        #: which results of the operation are used
        self._used_results: list[bool] = []
        #: weights that the graph reads: paths, parameters, tensors
        self._weights: dict[str, tuple[Var, Tensor]] = {}

    def run(self, shape_list: ShapeList) -> IRModule:
        """Return the module of the graph."""
        UnsupportedOperators.check("torch", self._unsupported())
        dtypes = map(_dtype_of, list(self._graph.inputs())[1:])  # the first one is the model
        inputs = [
            Var(given[0], _input_info(given[1], dtype or "float32"))
            for given, dtype in zip_longest(shape_list, dtypes)
            if given is not None
        ]
        with self.block_builder.function("main", None, attrs={"num_input": len(inputs)}):
            self.block_builder.begin_scope(inputs)
            with self.block_builder.dataflow():
                self._bind_inputs(inputs)
                for node in self._graph.nodes():
                    self._step(node)
                self.context.begin("the output")
                values = [self._value(output) for output in self._graph.outputs()]
                result = self.emit_output(values[0] if len(values) == 1 else values, False, False)
            self.block_builder.end_scope()
            params = [param for param, _ in self._weights.values()]
            self.block_builder.emit_func_output(result, [*inputs, *params])
        module = self.block_builder.get()
        arrays = [array_of(tensor) for _, tensor in self._weights.values()]
        module["main"] = module["main"].with_attr("params", arrays)
        return module

    def _unsupported(self) -> Iterator[tuple[str, str]]:
        """Return the operators without a converter, with their places."""
        for node in _all_nodes(self._graph):
            kind = str(node.kind())
            name = kind.partition("::")[2]
            if kind.startswith("prim::") and name in _STRUCTURE:
                continue
            if name not in self.custom and not find(f"{name}.default") and not kind.startswith("prim::Raise"):
                yield kind, _place(node)

    def _bind_inputs(self, inputs: Sequence[Var]) -> None:
        """Set what the inputs of the graph stand for. The first one is the model."""
        model, *names = list(self._graph.inputs())
        self._named[model.debugName()] = self.module
        self._paths[model.debugName()] = ""
        self.context.begin("the inputs")
        if len(names) != len(inputs):
            self.context.fail(f"the model has {len(names)} inputs, shape_list {len(inputs)}")
        for name, given in zip(names, inputs, strict=True):
            self._define(name, given)

    def _define(self, output: Any, value: object) -> None:
        """Set the value of an output; tensors are operations, since they may be changed in place."""
        if not isinstance(value, RelaxExpr):
            self._named[output.debugName()] = value
            return
        node = Node("placeholder", output.debugName(), output.debugName(), ())
        self.env[node] = value
        self._name(output, node)

    def _name(self, output: Any, node: Node) -> None:
        """Set what an output stands for to an operation."""
        self._named[output.debugName()] = node
        self._later_uses[node] += len(output.uses())

    def uses_result(self, node: object, index: int) -> bool:
        """Return whether anything uses a result of the operation."""
        return self._used_results[index]

    def is_used_later(self, node: object) -> bool:
        """Return whether an operation that is not converted yet uses an operation."""
        return isinstance(node, Node) and self._later_uses[node] > 0

    def _value(self, name: Any) -> object:
        return self.value_of(self._named[name.debugName()])

    def _step(self, node: Any) -> None:
        """Convert an operation of TorchScript."""
        kind, name = str(node.kind()).split("::")
        if kind == "prim":
            self._step_of_interpreter(node, name)
            return
        target = name if name in self.custom else f"{name}.default"
        operation = Node("call_function", name, target, *self._arguments(node, name), {"stack_trace": _trace(node)})
        for used in map(self._named.get, (value.debugName() for value in node.inputs())):
            if isinstance(used, Node):
                self._later_uses[used] -= 1
        outputs = list(node.outputs())
        self._used_results = [bool(output.uses()) for output in outputs]
        self.convert(operation)
        if len(outputs) == 1:
            self._name(outputs[0], operation)
        else:
            self._unpack(outputs, operation)

    def _step_of_interpreter(self, node: Any, name: str) -> None:
        inputs, outputs = list(node.inputs()), list(node.outputs())
        held = [self._named.get(value.debugName()) for value in inputs]
        if name == "Constant":
            self._named[outputs[0].debugName()] = outputs[0].toIValue()
        elif name == "GetAttr":
            self._get_attribute(node, inputs[0], outputs[0])
        elif name in ("ListConstruct", "TupleConstruct"):
            self._named[outputs[0].debugName()] = tuple(held) if name == "TupleConstruct" else held
        elif name == "DictConstruct":
            self._named[outputs[0].debugName()] = dict(zip(held[::2], held[1::2], strict=True))
        elif name in ("ListUnpack", "TupleUnpack"):
            self._unpack(outputs, held[0])
        elif name == "If":
            self._choose(node, self.value_of(held[0]))
        elif name == "dtype":
            self._named[outputs[0].debugName()] = self.context.dtype(self.value_of(held[0]))
        elif name == "device":
            self._named[outputs[0].debugName()] = None
        elif outputs and isinstance(held[0], Node):
            self._name(outputs[0], held[0])
        elif outputs:
            self._named[outputs[0].debugName()] = held[0]

    def _choose(self, node: Any, condition: object) -> None:
        """Convert the branch of a conditional whose condition is known."""
        self.context.begin(_place(node))
        if isinstance(condition, RelaxExpr):
            self.context.fail("the condition is unknown until the model runs; trace the model, do not script it")
        then, otherwise = node.blocks()
        block = then if condition else otherwise
        for inner in block.nodes():
            self._step(inner)
        for output, result in zip(node.outputs(), block.outputs(), strict=True):
            self._named[output.debugName()] = self._named[result.debugName()]

    def _get_attribute(self, node: Any, owner: Any, output: Any) -> None:
        """Read an attribute of a module; a tensor is a weight, which becomes a parameter of the function."""
        name = node.s("name")
        path = f"{self._paths[owner.debugName()]}.{name}".removeprefix(".")
        value = getattr(self._named[owner.debugName()], name)
        if not is_tensor(value):
            self._named[output.debugName()] = value
            self._paths[output.debugName()] = path
            return
        if path not in self._weights:
            self._weights[path] = Var(path, info_of(value)), value
        self._define(output, self._weights[path][0])

    def _unpack(self, outputs: Sequence[Any], held: object) -> None:
        """Set the outputs to the items of a list: of one that is known, or of the results of an operation."""
        held_value = self.env.get(held, None) if isinstance(held, Node) else held
        if isinstance(held_value, (list, tuple)):
            items: Sequence[object] = held_value
        else:
            assert isinstance(held_value, RelaxExpr)
            items = [self.context.item(held_value, place) for place in range(len(outputs))]
        for output, value in zip(outputs, items, strict=True):
            if isinstance(held, Node):
                self._define(output, value)
            else:
                self._named[output.debugName()] = value

    def _arguments(self, node: Any, name: str) -> tuple[tuple[object, ...], dict[str, object]]:
        """Return the arguments by the schema: in order up to the first that is given by name alone."""
        schema = str(node.schema()).partition(" -> ")[0] if node.schema() != "(no schema)" else ""
        positional, _, _ = schema.partition("*, ")
        arguments = _ARGUMENT.findall(schema)
        count = len(_ARGUMENT.findall(f"{positional})" if positional != schema else schema))
        args: list[object] = []
        kwargs: dict[str, object] = {}
        entry = CONVERTERS.get(f"{name}.default") or CONVERTERS.get(name.rstrip("_"))
        for place, value in enumerate(node.inputs()):
            held = self._named[value.debugName()]
            kind, word = arguments[place] if place < len(arguments) else ("", "")
            if kind == "ScalarType" and isinstance(held, int):
                held = _DTYPES[held]
            if kind in _IGNORED_TYPES:
                continue
            if word in IGNORED_ARGUMENTS and (entry is None or word not in entry.parameters):
                continue
            if place >= count > 0 or (kind == "ScalarType" and entry is not None and "dtype" in entry.parameters):
                kwargs[word] = held
            else:
                args.append(held)
        return tuple(args), kwargs


def _dtype_of(graph_input: Any) -> str | None:
    """Return the dtype that an input had when the model was traced; None where it is no tensor, or unknown."""
    kind = graph_input.type()
    dtype = kind.dtype() if kind.kind() == "TensorType" else None
    return None if dtype is None else str(dtype).removeprefix("torch.")


def _input_info(given: Any, default_dtype: str) -> TensorStructInfo:
    """Return the struct info of an input: of a shape, or of a shape and a dtype."""
    is_pair = len(given) == 2 and isinstance(given[0], (list, tuple))
    shape, dtype = given if is_pair else (given, default_dtype)
    return TensorStructInfo(tuple(shape), str(dtype).removeprefix("torch.") if dtype != "float" else "float32")


def _all_nodes(block: Any) -> list[Any]:
    nodes: list[Any] = []
    for node in block.nodes():
        nodes.append(node)
        for inner in node.blocks():
            nodes += _all_nodes(inner)
    return nodes


def _trace(node: Any) -> str:
    """Return the place of an operation in the form of a stack trace."""
    match = re.search(r"(\S+\.py)\(?:?(\d+)", str(node.sourceRange()))
    return f'File "{match[1]}", line {match[2]}, in forward\n  {node.kind()}' if match else ""


def _place(node: Any) -> str:
    outputs = list(node.outputs())
    name = outputs[0].debugName() if outputs else str(node.kind())
    return place_of(Node("call_function", name, name, (), {}, {"stack_trace": _trace(node)}))
