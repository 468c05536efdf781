"""Names of TVM 0.27 that are not supported: its tile level, and its Python API.

They are listed for a precise error message.
"""

from __future__ import annotations

from tvmscript.parser.names.unsupported import BUILDER, UnsupportedName

TILE = "the tile level of TVM 0.27"
PYTHON = "the Python API of TVM 0.27"

#: names of `T` in the tile level that are supported
_SUPPORTED = (
    "ComposeLayout Iter R S SMEMPool TMEMPool TensorMap TileLayout alloc_cast_frag alloc_tcgen05_ldst_frag "
    "cluster cluster_id cta cta_id cta_id_in_cluster cta_id_in_pair device_entry hint lane_id scope_id thread "
    "thread_id thread_id_in_wg tile warp warp_id warp_id_in_wg warpgroup warpgroup_id wg wg_reg_tile"
)
TILE_NAMES = frozenset(_SUPPORTED.split())
#: device instructions that are names of `T`
INSTRUCTION_NAMES = frozenset(("ptx", "tensormap_encode_tiled"))
_NODES = "the classes of TVM 0.27's nodes, which a script does not name"
_OLD = "TVM before 0.27"
_SWIZZLE = "write T.ComposeLayout(per_element, swizzle_len, atom_len, T.TileLayout(...))"
#: name of `T` -> the part of TVM that it belongs to, and what a script writes
_NAMES = {
    "ExecScope": (_NODES, "write the scope in front of a primitive: T.cta.copy(...)"),
    "Layout": (_NODES, "write T.TileLayout(T.S[8, 4])"),
    "LocalVectorAnnotation": (_NODES, "write x: T.float32[4]"),
    "ScopeBinding": (_NODES, "write T.cta_id, T.warp_id, T.thread_id, ..."),
    "ScopeIdDef": (_NODES, "write x = T.thread_id([128])"),
    "TensorRegion": (_NODES, "write A[0:4, 0:8]"),
    "SmemSwizzleLayout": (_OLD, _SWIZZLE),
    "SwizzleLayout": (_OLD, _SWIZZLE),
    "elected": (_OLD, "write if T.cuda.elect_sync():"),
    "block_name_suffix_context": (BUILDER, None),
    "call_kernel": (
        "TVM's compilation of kernels of other languages",
        "write T.call_packed, or the kernel in a script",
    ),
}
#: `I.` names
_MODULE_NAMES = "GenericConst StringType lookup_name pyfunc module_get_attr module_set_attr"

REFUSED: dict[str, object] = {name: UnsupportedName(f"T.{name}", place, hint) for name, (place, hint) in _NAMES.items()}
REFUSED_OF_MODULES: dict[str, object] = {
    **{name: UnsupportedName(f"I.{name}", PYTHON) for name in _MODULE_NAMES.split()},
    **{name: UnsupportedName(f"I.{name}", BUILDER) for name in ("IRModuleFrame", "decl_function", "def_function")},
}
