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
#: reason -> names of `T`
_NAMES = {
    TILE: (
        "ExecScope Layout ScopeIdDef SwizzleLayout SmemSwizzleLayout TensorRegion ScopeBinding "
        "LocalVectorAnnotation elected add_to_parent"
    ),
    PYTHON: "block_name_suffix_context call_kernel meta_class",
}
#: `I.` names
_MODULE_NAMES = "GenericConst StringType lookup_name pyfunc module_get_attr module_set_attr"

REFUSED: dict[str, object] = {
    name: UnsupportedName(f"T.{name}", reason) for reason, names in _NAMES.items() for name in names.split()
}
REFUSED_OF_MODULES: dict[str, object] = {
    **{name: UnsupportedName(f"I.{name}", PYTHON) for name in _MODULE_NAMES.split()},
    **{name: UnsupportedName(f"I.{name}", BUILDER) for name in ("IRModuleFrame", "decl_function", "def_function")},
}
