"""What the import reads of torch's objects. torch is optional, so its classes are not named here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeGuard

from tvmscript.frontend.optional import load_library


def torch_library() -> Any:
    """Return the module torch. Raises `MissingLibrary`."""
    return load_library("torch", "the import of torch models")


class Tensor(Protocol):
    """A tensor."""

    @property
    def dtype(self) -> object: ...
    @property
    def layout(self) -> object: ...
    @property
    def shape(self) -> Sequence[object]: ...
    def detach(self) -> Tensor: ...
    def cpu(self) -> Tensor: ...
    def contiguous(self) -> Tensor: ...
    def to_dense(self) -> Tensor: ...
    def view(self, dtype: object, /) -> Tensor: ...
    def numpy(self) -> Any: ...


def is_tensor(value: object) -> TypeGuard[Tensor]:
    """Whether a value is a tensor or a parameter of a model."""
    return type(value).__name__ in ("Tensor", "Parameter", "FakeTensor")


class Node(Protocol):
    """An operation of a graph."""

    @property
    def op(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def target(self) -> object: ...
    @property
    def args(self) -> tuple[object, ...]: ...
    @property
    def kwargs(self) -> Mapping[str, object]: ...
    @property
    def meta(self) -> Mapping[str, Any]: ...
    @property
    def users(self) -> Iterable[Node]: ...
    @property
    def all_input_nodes(self) -> Sequence[Node]: ...


def is_node(value: object) -> TypeGuard[Node]:
    """Whether an argument of an operation is the result of another one."""
    return type(value).__name__ == "Node"


class Graph(Protocol):
    """A graph."""

    @property
    def nodes(self) -> Iterable[Node]: ...
    def eliminate_dead_code(self) -> object: ...


class Module(Protocol):
    """A layer or a model; its attributes are those of its class."""

    def __getattr__(self, name: str, /) -> Any: ...


class GraphModule(Protocol):
    """A model with its graph."""

    @property
    def graph(self) -> Graph: ...
    @property
    def forward(self) -> Callable[..., object]: ...
    def modules(self) -> Iterable[object]: ...
    def named_modules(self) -> Iterable[tuple[str, Module]]: ...
    def named_parameters(self) -> Iterable[tuple[str, Tensor]]: ...


class InputSpec(Protocol):
    """What an input or an output of a program is."""

    @property
    def kind(self) -> Any: ...
    @property
    def arg(self) -> Any: ...
    @property
    def target(self) -> str | None: ...


class Signature(Protocol):
    """The inputs and outputs of a program."""

    @property
    def input_specs(self) -> Sequence[InputSpec]: ...
    @property
    def output_specs(self) -> Sequence[InputSpec]: ...


class ExportedProgram(Protocol):
    """A program that torch.export made."""

    @property
    def graph(self) -> Graph: ...
    @property
    def graph_module(self) -> GraphModule: ...
    @property
    def graph_signature(self) -> Signature: ...
    @property
    def range_constraints(self) -> Mapping[object, object]: ...
    @property
    def state_dict(self) -> Mapping[str, object]: ...
    @property
    def constants(self) -> Mapping[str, object]: ...
    def run_decompositions(self) -> ExportedProgram: ...
