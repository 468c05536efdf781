"""The walk over an fx graph that all graphs of torch share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from tvmscript.frontend.errors import InvalidModel, UnsupportedOperators
from tvmscript.frontend.torch import operators
from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.protocols import GraphModule, Node, Tensor, is_node, is_tensor
from tvmscript.frontend.torch.registry import CONVERTERS, Entry, find
from tvmscript.frontend.torch.views import COPIES, RESHAPES, SCATTERS, TRANSPOSES, Aliases, base_name_of
from tvmscript.frontend.torch.weights import constant_of
from tvmscript.ir.core import IRError
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Constant
from tvmscript.ir.relax.op.value import null_value
from tvmscript.ir.relax.struct_info import ShapeExpr
from tvmscript.ir.tir import Expr

#: (node, importer) -> the value of the node
CustomConverter = Callable[[Node, "GraphImporter"], object]
CustomConverters = Mapping[Any, CustomConverter]

#: keeps the import, which fills the table of converters
FAMILIES = operators
_LAST_LINE = re.compile(r'File "(.*?)", line (\d+), in \S+\n\s*(.*)')


def name_of(node: Node) -> str:
    """Return the name of the function, operator or method that a node calls."""
    if isinstance(node.target, str):
        return node.target
    name = str(getattr(node.target, "__name__", node.target))
    if getattr(node.target, "__module__", "") == "torch.nn.functional" and f"functional.{name}" in CONVERTERS:
        return f"functional.{name}"
    return name


def place_of(node: Node) -> str:
    """Return where a node stands in the model: the line of the program where torch recorded it, else its name."""
    lines = _LAST_LINE.findall(str(node.meta.get("stack_trace") or ""))
    if not lines:
        return f"%{node.name}"
    file, number, text = lines[-1]
    return f"{file}:{number}: {text.strip()}"


def check_kind(model: object, attribute: str, expected: str) -> None:
    """Raise `InvalidModel` where a model lacks the attribute that its kind has."""
    if not hasattr(model, attribute):
        raise InvalidModel(source="torch", place="the model", reason=f"it is no {expected}, but {type(model).__name__}")


class GraphImporter:
    """Values of the nodes of a graph, and the function that computes them."""

    def __init__(self, module: GraphModule, custom: CustomConverters | None, default_dtype: str) -> None:
        self.module = module
        self.block_builder = BlockBuilder()
        #: values of the nodes that are converted already
        self.env: dict[Node, object] = {}
        self.context = Context("torch", self.block_builder, default_dtype)
        self.custom = dict(custom or {})
        self._aliases = Aliases()
        self._constants: dict[int, Constant] = {}

    # ---- what custom converters use, under TVM's names

    def retrieve_args(self, node: Node) -> object:
        """Return the values of the arguments of a node."""
        return self.value_of(node.args)

    def shape_of(self, x: RelaxExpr) -> ShapeExpr:
        """Return the shape of a tensor."""
        return self.context.sizes(self.context.shape(x))

    # ---- conversion

    def check(self, nodes: Iterable[Node]) -> None:
        """Raise `UnsupportedOperators` for all nodes that have no converter."""
        names = [(self.missing(node), place_of(node)) for node in nodes]
        UnsupportedOperators.check("torch", [(name, place) for name, place in names if name is not None])

    def missing(self, node: Node) -> str | None:
        """Return the name of an operator that has no converter."""
        if node.op not in ("call_function", "call_method"):
            return None
        name = name_of(node)
        return None if name in self.custom or self.special(node) or find(name) else name

    def special(self, node: Node) -> Callable[[Node], object] | None:
        """Return what converts a node besides the table."""
        return None

    def convert(self, node: Node) -> None:
        """Convert a node that calls something. Raises `InvalidModel` where its arguments do not fit."""
        self.context.begin(place_of(node))
        try:
            self._convert(node, name_of(node))
        except IRError as error:
            self.context.fail(error.text, error)

    def _convert(self, node: Node, name: str) -> None:
        special = self.special(node)
        if name in self.custom:
            self.env[node] = self.custom[name](node, self)
        elif special is not None:
            self.env[node] = special(node)
        else:
            entry, in_place = found if (found := find(name)) else self.context.fail(f"{name} has no converter")
            self.apply(node, entry, in_place or bool(node.kwargs.get("inplace")))
        self._aliases.add(node, name)

    def apply(self, node: Node, entry: Entry, in_place: bool) -> None:
        """Set the value of a node by a converter of the table."""
        self._evaluate(node, entry)
        if in_place and node.all_input_nodes:
            self.change(node.all_input_nodes[0], self.env[node])

    def change(self, changed: Node, value: object) -> None:
        """Set the value of a node that is changed in place, and those of the nodes that share its memory.

        Raises `InvalidModel` where a node that is used later may share its memory or have a copy.
        """
        group = self._aliases.group(changed)
        old = {node: self.env[node] for node in group}
        self.env[changed] = value
        current = {changed}
        node = changed
        while (base := self._aliases.base(node)) is not None:
            if old[node] is old[base]:
                self.env[base] = self.env[node]
            elif not self._write_through(base, node):
                break
            current.add(base)
            node = base
        needed = self._used_later([node for node in group if node not in current])
        for other in group:
            if other not in current and self._follow(other, old, current, other in needed):
                current.add(other)

    def _write_through(self, base: Node, view: Node) -> bool:
        """Set the value of a node with that of a view of it; return whether the view tells its place."""
        name = base_name_of(name_of(view))
        whole, part = self.env[base], self.env[view]
        assert isinstance(whole, RelaxExpr)
        rest = [self.value_of(arg) for arg in view.args[1:]]
        kwargs = {str(key): self.value_of(arg) for key, arg in view.kwargs.items()}
        if name in SCATTERS:
            self.env[base] = CONVERTERS[SCATTERS[name]].convert(self.context, [whole, part, *rest], kwargs)
        elif name in TRANSPOSES:
            self.env[base] = CONVERTERS[name].convert(self.context, [part, *rest], kwargs)
        elif name in RESHAPES and isinstance(part, RelaxExpr):
            self.env[base] = self.context.reshape(part, self.context.shape(whole))
        else:
            return False
        return True

    def _used_later(self, nodes: Sequence[Node]) -> set[Node]:
        """Return the nodes that are used later, and those that they are views of."""
        needed: set[Node] = set()
        for node in reversed(nodes):
            if node in needed or self.is_used_later(node):
                base = self._aliases.base(node)
                needed |= {node} if base is None else {node, base}
        return needed

    def _follow(self, node: Node, old: Mapping[Node, object], current: set[Node], is_needed: bool) -> bool:
        """Set the value of a node whose base may have changed; return whether it is that of the memory now."""
        base = self._aliases.base(node)
        is_same = base is not None and old[node] is old[base]
        if base in current and is_same:
            self.env[node] = self.env[base]
            return True
        name = base_name_of(name_of(node)) if base is not None else ""
        if base in current and name in ("to", "type_as"):
            return False  # of another dtype: a copy
        if not is_needed:
            return False
        if base not in current or name in COPIES:
            self.context.fail(f"it changes the memory that {place_of(node)} sees, which is used later")
        entry, _ = found if (found := find(name_of(node))) else self.context.fail(f"{name} has no converter")
        self._evaluate(node, entry)
        return True

    def _evaluate(self, node: Node, entry: Entry) -> None:
        """Set the value of a node to what its converter returns."""
        kwargs = {str(name): self.value_of(value) for name, value in node.kwargs.items()}
        self.context.uses_result = partial(self.uses_result, node)
        self.env[node] = entry.convert(self.context, [self.value_of(arg) for arg in node.args], kwargs)

    def uses_result(self, node: Node, index: int) -> bool:
        """Return whether a user of a node is anything but `getitem` of another result."""
        return any(name_of(user) != "getitem" or user.args[1] == index for user in node.users)

    def is_used_later(self, node: Node) -> bool:
        """Return whether a node that is not converted yet uses a node."""
        return any(user not in self.env for user in node.users)

    def value_of(self, arg: object) -> object:
        """Return an argument of a node as converters take it: dtypes are names, devices are None."""
        if arg is None or isinstance(arg, (bool, int, float, str, RelaxExpr, Expr)) or arg is Ellipsis:
            return arg
        if isinstance(arg, slice):
            return slice(self.value_of(arg.start), self.value_of(arg.stop), self.value_of(arg.step))
        if isinstance(arg, (list, tuple)):
            values = [self.value_of(item) for item in arg]
            return tuple(values) if isinstance(arg, tuple) else values
        if is_node(arg):
            return self.env[arg]
        if is_tensor(arg):
            return self.constant(arg)
        kind = type(arg).__name__
        if kind == "dtype":
            return str(arg).removeprefix("torch.")
        return None if kind in ("device", "layout", "memory_format") else arg

    def constant(self, tensor: Tensor) -> Constant:
        """Return a tensor as a constant, the same one for the same tensor."""
        constant = self._constants.get(id(tensor))
        if constant is None:
            constant = self._constants[id(tensor)] = constant_of(tensor)
        return constant

    def attribute(self, target: str) -> object:
        """Return what stands at a path in the module: `layer.0.weight`."""
        value: object = self.module
        for name in target.split("."):
            value = getattr(value, name)
        return value

    # ---- results

    def output_of(self, arg: object) -> object:
        """Return the value of the output: None that the model returns is a null object."""
        if arg is None:
            return self.context.call(null_value)
        if isinstance(arg, dict):
            arg = list(arg.values())
        if isinstance(arg, (list, tuple)):
            return [self.output_of(item) for item in arg]
        return self.value_of(arg)

    def emit_output(self, value: object, unwrap: bool, separate: bool) -> RelaxExpr | list[RelaxExpr]:
        """Emit the results of the function: as one tuple, one value where it is alone, or one after the other."""
        results = self.result_of(value)
        if isinstance(results, list):
            if unwrap and len(results) == 1:
                return self.block_builder.emit_output(results[0])
            if separate:
                return [self.block_builder.emit_output(result) for result in results]
        return self.block_builder.emit_output(results)

    def result_of(self, value: object) -> RelaxExpr | list[RelaxExpr]:
        """Return a value as a result of the function: sizes become tensors of rank 0. Raises `InvalidModel`."""
        if isinstance(value, RelaxExpr):
            return value
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, (list, tuple)):
            return [self._tuple_of(self.result_of(item)) for item in value]
        if isinstance(value, (bool, int, float)):
            dtype = "bool" if isinstance(value, bool) else "int64" if isinstance(value, int) else "float32"
            return self.context.constant(value, dtype)
        if isinstance(value, Expr):
            return self.context.full([], value, "int64")
        return self.context.fail("a result has no value in a graph")

    def _tuple_of(self, result: RelaxExpr | Sequence[RelaxExpr]) -> RelaxExpr:
        return result if isinstance(result, RelaxExpr) else self.context.emit(list(result))
