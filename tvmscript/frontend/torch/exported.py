"""`from_exported_program`: import a program that torch.export made."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Final, cast

from tvmscript.frontend.loops import while_loop
from tvmscript.frontend.torch.graph import CustomConverters, GraphImporter, check_kind, name_of
from tvmscript.frontend.torch.operators.shape import OUT_OF_ORDER
from tvmscript.frontend.torch.protocols import (
    ExportedProgram,
    GraphModule,
    InputSpec,
    Node,
    Tensor,
    is_node,
    is_tensor,
)
from tvmscript.frontend.torch.symbols import Symbols, bounds_of
from tvmscript.frontend.torch.values import Size, are_same, constant, sizes_of, tensor_info
from tvmscript.frontend.torch.weights import array_of, info_of
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import If, Tuple, Var
from tvmscript.ir.relax.op.index import take
from tvmscript.ir.relax.op.manipulate import stack
from tvmscript.ir.relax.solve_sizes import solve_sizes
from tvmscript.ir.relax.struct_info import PrimStructInfo, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import size_vars, tir_vars_in_struct_info
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import Var as SizeVariable

#: operators that call a graph of the program: the number of arguments before the graph
_REGIONS: Final = {"wrap_with_set_grad_enabled": 1, "wrap_with_autocast": 4, "invoke_subgraph": 0}

#: steps of a scan, each of which is converted
_MOST_STEPS: Final = 1024


def from_exported_program(
    exported_program: ExportedProgram,
    *,
    keep_params_as_input: bool = False,
    unwrap_unit_return_tuple: bool = False,
    no_bind_return_tuple: bool = False,
    custom_convert_map: CustomConverters | None = None,
    run_ep_decomposition: bool = True,
) -> IRModule:
    """Return the module of a program that torch.export made, with the function `main`.

    Dynamic dimensions are size variables; their ranges are the attributes `tir_var_lower_bound` and
    `tir_var_upper_bound`. Weights are constants, or with `keep_params_as_input` parameters after the inputs, and in the
    attribute `params`, which `detach_params` takes out. `run_ep_decomposition` decomposes operators to those of torch's
    core first. Raises `UnsupportedOperators`, `InvalidModel`.
    """
    check_kind(exported_program, "graph_signature", "ExportedProgram of torch.export.export")
    if run_ep_decomposition and not _has_sparse_weights(exported_program):
        _drop_derived_ranges(exported_program.graph.nodes)
        exported_program = exported_program.run_decompositions()
    importer = ExportedImporter(exported_program, custom_convert_map)
    return importer.run(keep_params_as_input, unwrap_unit_return_tuple, no_bind_return_tuple)


def _drop_derived_ranges(nodes: Iterable[Node]) -> None:
    """Drop the ranges of `2 * n` that torch's reader of files notes beside those of `n`: torch decomposes no program
    that has them.
    """
    for node in nodes:
        if is_tensor(value := node.meta.get("val")):
            mode: object = getattr(value, "fake_mode", None)
            ranges: dict[object, object] = getattr(getattr(mode, "shape_env", None), "var_to_range", {})
            for size in [size for size in ranges if type(size).__name__ != "Symbol"]:
                del ranges[size]


def _has_sparse_weights(program: ExportedProgram) -> bool:
    tensors = chain(program.state_dict.values(), program.constants.values())
    return any(str(getattr(tensor, "layout", "torch.strided")) != "torch.strided" for tensor in tensors)


class ExportedImporter(GraphImporter):
    """The import of an exported program, whose nodes call operators of aten."""

    def __init__(self, program: ExportedProgram, custom: CustomConverters | None) -> None:
        super().__init__(program.graph_module, custom, "float32")
        self.context.dtype_of_bounds = "float64"
        self.program = program
        self._symbols = Symbols()
        #: size variables of the inputs
        self._given: set[SizeVariable] = set()

    def run(self, keep_params: bool, unwrap: bool, separate: bool) -> IRModule:
        """Return the module of the program."""
        nodes = list(self.program.graph.nodes)
        self.check(_with_regions(self.module))
        inputs, weights = self._bind_inputs(nodes, keep_params)
        attrs = self._attributes(len(inputs), keep_params)
        is_dataflow = not any(name_of(node) in ("cond", "while_loop") for node in nodes if node.op == "call_function")
        params = [param for param, _ in weights]
        with self.block_builder.function("main", [*inputs, *params], attrs=attrs):
            with self.block_builder.dataflow() if is_dataflow else contextlib.nullcontext():
                output = self._user_outputs(self._convert_all(nodes))
                if is_dataflow:
                    results = self.emit_output(output, unwrap, separate)
                else:
                    results = self._plain_output(output, unwrap)
            self.block_builder.emit_func_output(results)
        module = solve_sizes(self.block_builder.get())
        if keep_params:
            module["main"] = module["main"].with_attr("params", [array_of(tensor) for _, tensor in weights])
        return module

    def _plain_output(self, output: object, unwrap: bool) -> RelaxExpr | list[RelaxExpr]:
        """Return the results where there is no dataflow block."""
        results = self.result_of(output)
        return results[0] if unwrap and isinstance(results, list) and len(results) == 1 else results

    def _attributes(self, num_input: int, keep_params: bool) -> dict[str, object]:
        attrs: dict[str, object] = {"num_input": num_input} if keep_params else {}
        lower, upper = bounds_of(self.program.range_constraints)
        return {
            **attrs,
            **({"tir_var_lower_bound": lower} if lower else {}),
            **({"tir_var_upper_bound": upper} if upper else {}),
        }

    # ---- inputs

    def _bind_inputs(self, nodes: Sequence[Node], keep_params: bool) -> tuple[list[Var], list[tuple[Var, Tensor]]]:
        """Set the values of the placeholders. Return the inputs, and the weights that are parameters."""
        placeholders = {node.name: node for node in nodes if node.op == "placeholder"}
        inputs: list[Var] = []
        weights: list[tuple[Var, Tensor]] = []
        for spec in self.program.graph_signature.input_specs:
            node = placeholders[spec.arg.name]
            self.context.begin(f"input {node.name}")
            if spec.kind.name == "USER_INPUT":
                inputs += self._bind_user_input(node)
                continue
            tensor = self._weight(spec)
            if keep_params and spec.kind.name == "PARAMETER":
                weights.append((Var(node.name, info_of(tensor)), tensor))
                self.env[node] = weights[-1][0]
            else:
                self.env[node] = self.constant(tensor)
        return inputs, weights

    def _weight(self, spec: InputSpec) -> Tensor:
        target = str(spec.target)
        held = self.program.state_dict if target in self.program.state_dict else self.program.constants
        tensor = held.get(target)
        if not is_tensor(tensor):
            self.context.fail(f"an input of the kind {spec.kind.name} has no value in a graph")
        return tensor

    def _bind_user_input(self, node: Node) -> list[Var]:
        """Set the value of an input of the user. Return its parameter; constants have none."""
        value = node.meta.get("val")
        if is_tensor(value):
            info = self._info(value)
            self._given.update(tir_vars_in_struct_info(info))
            self.env[node] = param = Var(node.name, info)
        elif type(value).__name__ in ("SymInt", "SymFloat"):
            size = self._symbols.size(value)
            param = Var(node.name, PrimStructInfo(value=self.context.number(size, "int64")))
            self.env[node] = size
            self._given |= {size} if isinstance(size, SizeVariable) else set()
        else:
            self.env[node] = value
            return []
        return [param]

    def _info(self, value: Tensor) -> TensorStructInfo:
        shape = self._symbols.shape(value.shape)
        if shape is None:
            self.context.fail(f"the shape {tuple(value.shape)} has no form in a graph")
        return TensorStructInfo(tuple(shape), str(value.dtype).removeprefix("torch."))

    # ---- nodes

    def _convert_all(self, nodes: Sequence[Node]) -> object:
        """Convert the nodes of a graph, and return the value of its output."""
        for node in nodes:
            if node.op == "get_attr":
                value = self.attribute(str(node.target))
                self.env[node] = self.constant(value) if is_tensor(value) else value
            elif node.op == "output":
                self.context.begin("the output")
                return self.output_of(node.args[0])
            elif node.op != "placeholder":
                self.convert(node)
        return []

    def _convert(self, node: Node, name: str) -> None:
        if name.split(".")[0] in ("as_strided", "as_strided_copy"):
            source = node.args[0]
            tensor = source.meta.get("val") if is_node(source) else None
            if is_tensor(tensor) and not tensor.is_contiguous():
                self.context.fail(OUT_OF_ORDER)
        super()._convert(node, name)
        self._settle(node)

    def _settle(self, node: Node) -> None:
        """Make a value agree with what torch knows of it: its dtype, and its shape where the graph lost it."""
        value, known = self.env[node], node.meta.get("val")
        info = tensor_info(value) if isinstance(value, RelaxExpr) else None
        if info is None or not isinstance(value, RelaxExpr) or not is_tensor(known):
            return
        dtype = str(known.dtype).removeprefix("torch.")
        if str(info.dtype) != dtype:
            self.env[node] = self.context.cast(value, dtype)
        shape = self._symbols.shape(known.shape)
        if shape is not None and (info.shape is None or self._tells_more(shape, sizes_of(info.shape))):
            value = self.env[node]
            assert isinstance(value, RelaxExpr)
            self.env[node] = self.block_builder.match_cast(value, TensorStructInfo(tuple(shape), dtype))

    def _tells_more(self, shape: Sequence[Size], inferred: Sequence[Size] | None) -> bool:
        """Whether a shape of torch is in sizes of the inputs, and the inferred one not provably equal to it: torch
        knows the ranges of sizes, by which it takes `x[:n]` for n elements.
        """
        if inferred is None or are_same(shape, inferred):
            return False
        variables = {var for size in shape if isinstance(size, Expr) for var in size_vars(size)}
        return bool(variables) and variables <= self._given

    def _user_outputs(self, output: object) -> object:
        """Return the results of the user's function. Others say how the program changes its buffers."""
        specs = self.program.graph_signature.output_specs
        results = list(output) if isinstance(output, (list, tuple)) else [output]
        if len(results) != len(specs):
            return output
        kinds = ("USER_OUTPUT", "LOSS_OUTPUT")
        chosen = [result for result, spec in zip(results, specs, strict=True) if spec.kind.name in kinds]
        return chosen or results

    # ---- graphs inside of the graph

    def special(self, node: Node) -> Callable[[Node], object] | None:
        name = name_of(node)
        if name in _CONTROL_FLOW:
            return partial(_CONTROL_FLOW[name], self)
        return self._inline_region if name in _REGIONS else None

    def _inline_region(self, node: Node) -> object:
        graph, *operands = node.args[_REGIONS[name_of(node)] :]
        return self._inline(self.value_of(graph), [self.value_of(operand) for operand in operands])

    def _inline(self, graph: object, operands: Sequence[object]) -> object:
        """Convert the nodes of a graph with values for its inputs, and return its output."""
        outer, self.module = self.module, cast(GraphModule, graph)
        try:
            nodes = list(self.module.graph.nodes)
            inputs = [node for node in nodes if node.op == "placeholder"]
            self.env.update(zip(inputs, operands, strict=True))
            return self._convert_all(nodes)
        finally:
            self.module = outer

    def choose(self, node: Node) -> object:
        """Convert a conditional. One whose condition is known is its branch."""
        condition, then, otherwise, operands = (self.value_of(arg) for arg in node.args)
        assert isinstance(operands, (list, tuple))
        if isinstance(condition, bool):
            return self._inline(then if condition else otherwise, operands)
        if not isinstance(condition, RelaxExpr):
            self.context.fail("the condition is a size that is unknown until the graph runs")
        branches = [self.block_builder.sequence(partial(self._branch, graph, operands)) for graph in (then, otherwise)]
        return self.block_builder.emit(If(condition, *branches), "cond_result")

    def _branch(self, graph: object, operands: Sequence[object]) -> RelaxExpr:
        results = self.result_of(self._inline(graph, operands))
        return results if isinstance(results, RelaxExpr) else Tuple(tuple(results))

    def loop(self, node: Node) -> object:
        """Convert a loop to a function that calls itself: `loop(carried..., others...)`."""
        condition, body, carried, others = (self.value_of(arg) for arg in node.args)
        assert isinstance(carried, (list, tuple))
        assert isinstance(others, (list, tuple))

        def advance(params: Sequence[Var]) -> Sequence[RelaxExpr]:
            after = self.result_of(self._inline(body, params))
            return [after] if isinstance(after, RelaxExpr) else after

        def is_going(params: Sequence[Var]) -> RelaxExpr:
            flag = self._inline(condition, params)
            flag = flag[0] if isinstance(flag, (list, tuple)) else flag
            assert isinstance(flag, RelaxExpr)
            return flag

        starts, around = (list(map(self._loop_argument, values)) for values in (carried, others))
        return while_loop(self.block_builder, starts, around, is_going, advance)

    def _loop_argument(self, value: object) -> RelaxExpr:
        """Return a value as an argument of a loop's function. Raises `InvalidModel` for sizes that are not known."""
        if not isinstance(value, RelaxExpr):
            self.context.fail("a loop carries tensors, not numbers")
        self.context.static_shape(value)
        return value

    def scan(self, node: Node) -> object:
        """Convert a scan step by step: its length is known."""
        combine, initial, inputs, others = (self.value_of(arg) for arg in node.args)
        assert isinstance(initial, (list, tuple))
        assert isinstance(inputs, (list, tuple))
        assert isinstance(others, (list, tuple))
        length = self.context.static(self.context.shape(inputs[0])[0], "the length of a scan")
        if length > _MOST_STEPS:
            self.context.fail(f"a scan of {length} steps is too long: at most {_MOST_STEPS}")
        carried = list(initial)
        collected: list[list[RelaxExpr]] = []
        for step in range(length):
            items = [self.context.call(take, tensor, constant(step, "int64"), 0) for tensor in inputs]
            results = self._inline(combine, [*carried, *items, *others])
            assert isinstance(results, (list, tuple))
            carried = list(results[: len(carried)])
            collected.append(list(results[len(carried) :]))
        stacked = [self.context.call(stack, Tuple(tuple(values)), axis=0) for values in zip(*collected, strict=True)]
        return [*carried, *stacked]


#: operators with graphs of their own that are converted to control flow
_CONTROL_FLOW: Final[Mapping[str, Callable[[ExportedImporter, Node], object]]] = {
    "cond": ExportedImporter.choose,
    "while_loop": ExportedImporter.loop,
    "scan": ExportedImporter.scan,
}


def _with_regions(module: GraphModule) -> Iterator[Node]:
    """Return the nodes of a graph and of the graphs inside of it."""
    graphs: Iterable[object] = module.modules()
    for inner in graphs:
        if type(inner).__name__.endswith("GraphModule") or hasattr(inner, "graph"):
            yield from cast(GraphModule, inner).graph.nodes
