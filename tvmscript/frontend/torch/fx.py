"""`from_fx`: import a graph that torch.fx traced."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tvmscript.frontend.torch.graph import CustomConverters, GraphImporter, check_kind, place_of
from tvmscript.frontend.torch.modules import MODULES, name_of_module
from tvmscript.frontend.torch.protocols import GraphModule, Node, Tensor, is_tensor
from tvmscript.frontend.torch.weights import array_of, info_of
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Var
from tvmscript.ir.relax.struct_info import PrimStructInfo, TensorStructInfo
from tvmscript.ir.tir import Var as SizeVar

#: shapes and dtypes of the inputs, in order; extents may be size variables
InputInfo = Sequence[tuple[Sequence[object], object]]


def from_fx(
    model: GraphModule,
    input_info: InputInfo,
    *,
    keep_params_as_input: bool = False,
    unwrap_unit_return_tuple: bool = False,
    no_bind_return_tuple: bool = False,
    custom_convert_map: CustomConverters | None = None,
    default_image_layout: str = "NCHW",
) -> IRModule:
    """Return the module of a graph of torch.fx, with the function `main`.

    Weights are constants, or with `keep_params_as_input` parameters after the inputs, in the order of their names, and
    in the attribute `params`, which `detach_params` takes out. `custom_convert_map` has converters of names or of
    classes of modules: (node, importer) -> value. `default_image_layout` is that of the images that `interpolate`
    resizes: NCHW or NCDHW, as for torch, NHWC or NDHWC. Raises `UnsupportedOperators`, `InvalidModel`.
    """
    check_kind(model, "graph", "GraphModule of torch.fx.symbolic_trace")
    importer = FxImporter(model, custom_convert_map)
    if default_image_layout not in ("NCHW", "NCDHW", "NHWC", "NDHWC"):
        importer.context.fail(f"there is no layout {default_image_layout} of images")
    importer.context.has_channels_last = default_image_layout in ("NHWC", "NDHWC")
    return importer.run(input_info, keep_params_as_input, unwrap_unit_return_tuple, no_bind_return_tuple)


class FxImporter(GraphImporter):
    """The import of a graph of torch.fx, whose nodes call functions, methods and modules."""

    def __init__(self, model: GraphModule, custom: CustomConverters | None) -> None:
        super().__init__(model, custom, "float32")
        self.context.writes_all_conversions = True
        self.named_modules = dict(model.named_modules())
        self.params: dict[Tensor, RelaxExpr] = {}
        self._classes = {target: convert for target, convert in (custom or {}).items() if not isinstance(target, str)}

    def run(self, input_info: InputInfo, keep_params: bool, unwrap: bool, separate: bool) -> IRModule:
        """Return the module of the graph."""
        nodes = list(self.module.graph.nodes)
        self.check(nodes)
        inputs = [
            Var(f"inp_{number}", TensorStructInfo(tuple(shape), str(dtype).removeprefix("torch.")))
            for number, (shape, dtype) in enumerate(input_info)
        ]
        inputs += [
            Var(node.name, PrimStructInfo(value=SizeVar(_symbol(node), "int64")))
            for node in loose_sizes(nodes, input_info)
        ]
        weights = sorted(self.module.named_parameters()) if keep_params else []
        params = [Var(name.replace(".", "_"), info_of(tensor)) for name, tensor in weights]
        self.params = {tensor: param for (_, tensor), param in zip(weights, params, strict=True)}
        attrs = {"num_input": len(inputs)} if keep_params else None
        with self.block_builder.function("main", [*inputs, *params], attrs=attrs):
            with self.block_builder.dataflow():
                self._bind_inputs(nodes, inputs, input_info)
                output = self._convert_all(nodes)
                results = self.emit_output(output, unwrap, separate)
            self.block_builder.emit_func_output(results)
        module = self.block_builder.get()
        if keep_params:
            module["main"] = module["main"].with_attr("params", [array_of(tensor) for _, tensor in weights])
        return module

    def _bind_inputs(self, nodes: Sequence[Node], inputs: Sequence[Var], input_info: InputInfo) -> None:
        """Set the values of the placeholders: tensors in order, sizes by their symbols."""
        sizes: dict[str, object] = dict(_extents(input_info))
        for param in inputs[len(input_info) :]:
            info = param.struct_info
            assert isinstance(info, PrimStructInfo)
            assert isinstance(info.value, SizeVar)
            sizes[info.value.name] = info.value
        remaining = iter(inputs[: len(input_info)])
        for node in nodes:
            if node.op != "placeholder":
                continue
            self.context.begin(f"input {node.name}")
            if _is_size(node):
                self.env[node] = sizes[_symbol(node)]
                continue
            given = next(remaining, None)
            if given is None and node.args:  # the default value of an argument
                self.env[node] = self.value_of(node.args[0])
                continue
            count = len(input_info)
            self.env[node] = given or self.context.fail(f"input_info has {count} inputs, the graph has more")

    def _convert_all(self, nodes: Sequence[Node]) -> object:
        """Convert the nodes, and return the value of the output."""
        for node in nodes:
            if node.op == "get_attr":
                self.env[node] = self._fetch(self.attribute(str(node.target)))
            elif node.op == "output":
                self.context.begin("the output")
                return self.output_of(node.args[0])
            elif node.op != "placeholder":
                self.convert(node)
        return []

    def _fetch(self, value: object) -> object:
        return self.tensor(value) if is_tensor(value) else value

    def tensor(self, tensor: Tensor) -> RelaxExpr:
        """Return a weight: a parameter of the function, or a constant."""
        return self.params[tensor] if tensor in self.params else self.constant(tensor)

    # ---- modules

    def missing(self, node: Node) -> str | None:
        if node.op != "call_module":
            return super().missing(node)
        return None if self.special(node) else name_of_module(self.named_modules[str(node.target)])

    def special(self, node: Node) -> Callable[[Node], object] | None:
        if node.op != "call_module":
            return None
        module = self.named_modules[str(node.target)]
        for target in (type(module), name_of_module(module)):
            if target in self._classes:
                custom = self._classes[target]
                return lambda node: custom(node, self)
        return self._call_module if name_of_module(module) in MODULES else None

    def _call_module(self, node: Node) -> object:
        self.context.begin(f"{place_of(node)} ({node.target})")
        module = self.named_modules[str(node.target)]
        args = [self.value_of(arg) for arg in node.args]
        kwargs = {str(name): self.value_of(value) for name, value in node.kwargs.items()}
        value = MODULES[name_of_module(module)](self, module, *args, **kwargs)
        if getattr(module, "inplace", False) and node.all_input_nodes:
            self.change(node.all_input_nodes[0], value)
        return value


def loose_sizes(nodes: Sequence[Node], input_info: InputInfo) -> list[Node]:
    """Return the placeholders of sizes that are no extents of inputs: they are parameters after the inputs."""
    extents = _extents(input_info)
    return [node for node in nodes if node.op == "placeholder" and _is_size(node) and _symbol(node) not in extents]


def _extents(input_info: InputInfo) -> dict[str, SizeVar]:
    """Return the size variables that are extents of inputs, by name."""
    return {size.name: size for shape, _ in input_info for size in shape if isinstance(size, SizeVar)}


def _is_size(node: Node) -> bool:
    """Return whether torch.compile made a placeholder for a size."""
    graph_argument = node.meta.get("grapharg")
    return graph_argument is not None and graph_argument.fake_tensor is None


def _symbol(node: Node) -> str:
    """Return the name of the symbol of a size, which a placeholder for an argument has beside its own name."""
    return str(node.meta.get("example_value", node.name))
