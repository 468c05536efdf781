"""Registry of tensor intrinsics: a description and an implementation by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Literal, overload

from tvmscript.ir.core import closest
from tvmscript.ir.core.errors import DuplicateName, UnknownName, WrongType
from tvmscript.ir.core.node import Building, Node, node
from tvmscript.ir.tir.function import PrimFunc


@node
class TensorIntrin(Node):
    """`desc` computes with loops and blocks what `impl` does with instructions; both take the same buffers.

    Raises `WrongType` where they do not take as many parameters, or others than buffers and handles.
    """

    desc: PrimFunc
    impl: PrimFunc

    #: name -> what was registered under it
    registry: ClassVar[dict[str, TensorIntrin]] = {}
    #: names that need no registration -> what makes the intrinsic, when it is asked for
    catalogues: ClassVar[list[Mapping[str, Callable[[], TensorIntrin]]]] = []
    #: those that were asked for
    _made: ClassVar[dict[str, TensorIntrin]] = {}

    def __post_init__(self: Building) -> None:
        for role, function in (("desc", self.desc), ("impl", self.impl)):
            where = f"the {role} of a tensor intrinsic"
            if not isinstance(function, PrimFunc):
                raise WrongType(where=where, expected="a PrimFunc", got=repr(function), span=self.span)
            for param in function.params:
                if not param.dtype.is_handle:
                    got = f"the parameter {param.name} of type {param.dtype}"
                    raise WrongType(where=where, expected="buffers and handles", got=got, span=function.span)
        count = len(self.desc.params)
        if len(self.impl.params) != count:
            raise WrongType(
                where="the impl of a tensor intrinsic",
                expected=f"{count} parameters, as its desc does",
                got=len(self.impl.params),
                span=self.impl.span,
            )

    @staticmethod
    def register(name: str, desc: PrimFunc, impl: PrimFunc, override: bool = False) -> None:
        """Let a name stand for an intrinsic. Raises `DuplicateName` for one that is taken, unless `override`."""
        if not isinstance(name, str):
            raise WrongType(where="TensorIntrin.register", expected="a name first", got=repr(name))
        intrin = TensorIntrin(desc, impl)
        if name in TensorIntrin.registry and not override:
            raise DuplicateName(kind="tensor intrinsic", name=name, hint="override=True replaces it")
        TensorIntrin.registry[name] = intrin

    @overload
    @staticmethod
    def get(name: str, allow_missing: Literal[False] = False) -> TensorIntrin: ...

    @overload
    @staticmethod
    def get(name: str, allow_missing: bool) -> TensorIntrin | None: ...

    @staticmethod
    def get(name: str, allow_missing: bool = False) -> TensorIntrin | None:
        """The intrinsic of a name. Raises `UnknownName` where there is none, unless `allow_missing`: then None."""
        intrin = TensorIntrin.registry.get(name) or TensorIntrin._made.get(name)
        if intrin is None:
            make = next((known[name] for known in TensorIntrin.catalogues if name in known), None)
            if make is not None:
                intrin = TensorIntrin._made[name] = make()
        if intrin is None and not allow_missing:
            names = [*TensorIntrin.registry, *(name for known in TensorIntrin.catalogues for name in known)]
            hint = closest(name, names) or "TensorIntrin.register makes one known"
            raise UnknownName(kind="tensor intrinsic", name=name, hint=hint)
        return intrin
