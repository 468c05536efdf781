"""`T.cuda`, `T.metal`, ...: namespaces of device instructions of TVM 0.27.

Those that 0.17 has are its functions and operators; the others are in `instructions`, which is imported on use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tvmscript.ir.core import DType, Op, Span
from tvmscript.ir.core.errors import InvalidDType
from tvmscript.ir.tir import Call, Expr, Var
from tvmscript.ir.tir.intrin import SURFACE, Intrinsic
from tvmscript.ir.tir.intrin.matrix import DTYPE_SOURCES, element_dtype
from tvmscript.ir.tir.intrin.memory import address_of
from tvmscript.ir.tir.operators import as_expr
from tvmscript.parser.names.lazy_table import LazyTable
from tvmscript.parser.names.namespace import Builtin, Namespace

#: namespace -> name in it -> the function of `T`, or the operator, that it is
_MEANINGS = {
    "cuda": {
        "__activemask": "tir.cuda.__activemask",
        "__shfl_sync": "tir.cuda.__shfl_sync",
        "__shfl_up_sync": "tir.cuda.__shfl_up_sync",
        "__shfl_down_sync": "tir.cuda.__shfl_down_sync",
        "atomic_add": "tir.atomic_add",
        "mma_fill_legacy": "mma_fill",
        "mma_store_legacy": "mma_store",
    },
    "metal": {
        "simd_shuffle": "tir.metal.simd_shuffle",
        "simd_shuffle_up": "tir.metal.simd_shuffle_up",
        "simd_shuffle_down": "tir.metal.simd_shuffle_down",
        "make_filled_simdgroup_matrix": "make_filled_simdgroup_matrix",
        "simdgroup_load": "simdgroup_load",
        "simdgroup_store": "simdgroup_store",
        "simdgroup_multiply_accumulate": "simdgroup_multiply_accumulate",
    },
    "ptx_legacy": {"ldmatrix": "ptx_ldmatrix", "mma": "ptx_mma"},
    "s_tir": {"ldg32": "tir.ptx_ldg32", "cp_async_raw": "ptx_cp_async"},
    "nki": {},
    "nvshmem": {},
    "webgpu": {},
}
#: operators that do not infer their dtype -> argument with that dtype; a number has that of what a pointer points to
_DTYPES = {"tir.atomic_add": 1, "tir.ptx_ldg32": 0}


def _operator(name: str) -> Callable[..., Expr]:
    """Return the function that calls an operator."""

    def call(*args: Any, span: Span | None = None) -> Expr:
        op: Any = Op.get(name)
        values, dtype = list(args), None
        if name in _DTYPES:
            place = _DTYPES[name]
            values[place] = as_expr(values[place], _pointee(values[0]), span)
            dtype = values[place].dtype
        expr: Expr = op(*values, dtype=dtype, span=span)
        return expr

    call.__doc__ = f"Call the operator `{name}`."
    return call


def _pointee(given: object) -> DType | None:
    """Return the dtype of what a pointer points to, None where it does not say it."""
    if isinstance(given, Call) and given.op is address_of:
        return given.args[0].dtype
    return element_dtype(given) if isinstance(given, Var) and given.pointer_type is not None else None


_INSTRUCTIONS = LazyTable("device instructions of T")


class _DeviceTable(Mapping[str, object]):
    """The functions in a namespace of instructions: own ones, and those of `instructions`."""

    def __init__(self, owner: str, own: Mapping[str, object]) -> None:
        self.owner = owner
        self.own = own

    def get(self, key: str, default: Any = None) -> Any:
        """Return the entry of a name."""
        entry = self.own.get(key)
        return entry if entry is not None else self._others().get(key, default)

    def _others(self) -> Mapping[str, object]:
        namespace = _INSTRUCTIONS.get(self.owner)
        return {} if namespace is None else namespace

    def __getitem__(self, key: str) -> object:
        return self.own[key] if key in self.own else self._others()[key]

    def __iter__(self) -> Iterator[str]:
        return iter({**dict.fromkeys(self._others()), **dict.fromkeys(self.own)})

    def __len__(self) -> int:
        return len({*self._others(), *self.own})


def _matrix(name: str) -> Callable[..., Expr]:
    """Return a function of matrix instructions, whose dtype comes first or last, or is left out."""
    count, source = DTYPE_SOURCES[name]

    def call(*args: Any, span: Span | None = None, **options: Any) -> Expr:
        given = list(args)
        if "dtype" in options:
            given.insert(0, options.pop("dtype"))
        if len(given) == count + 1 and _is_dtype(given[-1]) and not _is_dtype(given[0]):
            given.insert(0, given.pop())
        elif len(given) == count and not _is_dtype(given[0]):
            given.insert(0, element_dtype(given[source]))
        expr: Expr = SURFACE[name](*given, span=span, **options)
        return expr

    call.__doc__ = SURFACE[name].__doc__
    return call


def _is_dtype(given: object) -> bool:
    try:
        return isinstance(given, str) and bool(DType(given))
    except InvalidDType:
        return False


def _namespace(owner: str) -> Namespace:
    own: dict[str, object] = {}
    for name, meaning in _MEANINGS[owner].items():
        if meaning in DTYPE_SOURCES:
            function = _matrix(meaning)
        else:
            function = SURFACE[meaning] if meaning in SURFACE else _operator(meaning)
        own[name] = Builtin(f"T.{owner}.{name}", function)
    return Namespace(f"T.{owner}", _DeviceTable(owner, own))


class _Operators(Mapping[str, object]):
    """The operators that have no name in `T`, by their own: `T.tirx.TVMBackendAnyListSetPackedArg(...)`."""

    def get(self, key: str, default: Any = None) -> Any:
        """Return the function of an operator."""
        return self[key] if key in iter(self) else default

    def __getitem__(self, key: str) -> Builtin:
        return Builtin(f"T.tirx.{key}", _operator(f"tir.{key}"))

    def __iter__(self) -> Iterator[str]:
        return (
            op.name[4:]
            for op in Op.registry.values()
            if isinstance(op, Intrinsic) and not op.script_name and op.result is not None and op.name.count(".") == 1
        )

    def __len__(self) -> int:
        return len(list(iter(self)))


DEVICES: dict[str, object] = {
    **{owner: _namespace(owner) for owner in _MEANINGS},
    "tirx": Namespace("T.tirx", _Operators()),
    "atomic_add": Builtin("T.atomic_add", _operator("tir.atomic_add")),
}
