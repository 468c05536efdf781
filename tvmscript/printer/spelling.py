"""Names and forms in which the dialects of TVM 0.17 and 0.27 differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Spelling:
    """The names and forms of one dialect; the defaults are those of TVM 0.17."""

    dialect: str = "0.17"
    #: module of `tvm.script` that is imported as T
    module: str = "tir"
    #: imports that a text with T needs as well
    other_imports: tuple[str, ...] = ()

    block: str = "block"
    block_attr: str = "block_attr"
    alloc_buffer: str = "alloc_buffer"
    #: function that declares a view of defined memory
    decl_buffer: str = "Buffer"
    #: prefix of attribute keys and operators
    prefix: str = "tir."
    #: dtype -> its name, where that is another one
    dtypes: Mapping[str, str] = field(default_factory=dict[str, str])

    #: keyword of calls: struct info of the result
    out_info: str = "out_sinfo"
    #: keyword of calls: struct info that the callee does not imply
    info_args: str = "sinfo_args"
    #: ObjectStructInfo
    anything: str = "Object"
    #: arguments of `R.device`: kind, number
    device: tuple[str, str] = ("dev_type", "dev_id")
    #: namespace of meshes of devices
    distributed: str = ""
    #: key of Relax constants in the section `metadata`
    constant: str = "relax.expr.Constant"
    #: operator attribute that the dialect lacks -> the value that may be left out
    dropped_attributes: Mapping[str, object] = field(default_factory=dict[str, object])

    #: the last statement of a sequence may hold to the end of the body without `with`
    open_tail: bool = True
    #: a variable that is used outside of its scope is declared first
    declares_first: bool = True
    #: `T.int32(is_size_var=True)`
    has_size_vars: bool = True
    #: automatic broadcasting and axis separators of buffers
    has_buffer_types: bool = True
    #: layouts of buffers, and their places in memory
    has_layouts: bool = False
    #: a stride in quotation marks takes its name from the names of the function
    strides_take_names: bool = False
    #: devices are written with their memory scope, also the usual one
    names_memory_scope: bool = False
    #: attributes of external calls state the type of the attributes, and booleans their dtype
    typed_packed_attributes: bool = True

    def key(self, name: str) -> str:
        """Return the key of an attribute."""
        return f"{self.prefix}{name[4:]}" if self.prefix != "tir." and name.startswith("tir.") else name

    def dtype(self, dtype: str) -> str:
        """Return the name of a dtype."""
        return self.dtypes.get(dtype, dtype)

    def imports(self, prefix: str) -> list[str]:
        """Return the import comments of a text with T, which is called `prefix`."""
        return [f"# from tvm.script import {self.module} as {prefix}", *self.other_imports]
