"""The module that fills each hook: see `tvmscript.ir.core.hooks`."""

from __future__ import annotations

from typing import Final

_OPERATORS: Final = "add sub mul div floordiv floormod lt le gt ge eq ne"
_BIT_OPERATORS: Final = "shift_left shift_right bitwise_and bitwise_or bitwise_xor"
_RELAX_OPERATORS: Final = (
    "add subtract multiply divide floor_divide mod power less less_equal greater greater_equal astype"
)
_TENSOR_OPERATORS: Final = ("add", "subtract", "multiply", "divide", "cast")

#: name of a hook, without the package -> module that fills it
_MODULES: Final = {
    "ir.core.node.script": "printer.entry",
    "ir.core.node.text": "printer.entry",
    "ir.core.node.show": "printer",
    "ir.core.node.html": "printer",
    "ir.core.node.script_with_ranges": "printer.entry",
    "ir.core.equality.equal.explain_mismatches": "differ.mismatch_message",
    "ir.core.constructor.adopt": "ir.tir.conversion",
    "ir.core.attrs.constant_of": "ir.tir.operators",
    "ir.core.op.load_tir_operators": "ir.tir.intrin",
    "ir.core.op.load_relax_operators": "ir.relax.op.registry",
    "ir.core.targets.machine_model.machine_model": "backends.llvm.machine_model",
    "ir.core.targets.arm.has_features": "backends.llvm.processor_features",
    "ir.core.targets.cuda.device_arch": "backends.runtime.cuda_driver",
    "ir.core.module.call_global": "ir.relax.expr",
    **{f"ir.tir.base.{name}": "ir.tir.operators" for name in _OPERATORS.split()},
    **{f"ir.tir.base.{name}": "ir.tir.intrin.bits" for name in _BIT_OPERATORS.split()},
    "ir.tir.base.fold": "ir.arith.python_operators",
    "ir.tir.base.negate": "ir.tir.operators",
    "ir.tir.base.invert_bits": "ir.tir.intrin.bits",
    "ir.tir.base.cast_to": "ir.tir.operators",
    "ir.tir.base.to_expr": "ir.tir.operators",
    "ir.tir.buffer.vload": "ir.arith.buffer_access",
    "ir.tir.buffer.vstore": "ir.arith.buffer_access",
    "ir.tir.buffer.access_ptr": "ir.arith.buffer_access",
    "ir.tir.buffer.offset_of": "ir.arith.buffer_access",
    "ir.tir.buffer.flatten": "ir.arith.buffer_access",
    "ir.tir.buffer.subscript": "ir.tir.slices",
    "ir.tir.expr.min_and_extent": "ir.tir.slices",
    "ir.tir.stmt.infer_regions": "ir.analysis.blocks.block_access",
    "ir.tir.function.compile_function": "driver",
    "ir.tir.function.struct_info_of": "ir.relax.prim_func_info",
    "ir.relax.base.static_type": "ir.relax.analysis.static_type",
    "ir.tir.function.specialize": "ir.transform.rewriters.specialize",
    "ir.tir.index_map.simplify_indices": "ir.arith.index_map",
    "ir.tir.index_map.index_ranges": "ir.arith.index_map",
    "ir.tir.index_map.invert": "ir.arith.index_map",
    "ir.tir.index_map.map_ndarray": "backends.runtime.index_maps",
    **{f"ir.relax.base.{name}": "ir.relax.op.python_operators" for name in _RELAX_OPERATORS.split()},
    "ir.relax.base.negate": "ir.relax.op.python_operators",
    "ir.relax.base.get_item": "ir.relax.op.python_operators",
    **{f"ir.te.tensor.{name}": "ir.te.broadcast" for name in _TENSOR_OPERATORS},
    "ir.te.schedule.schedule.lower_schedule": "ir.te.schedule.lower",
    "ir.topi.inventory": "topi",
    "backends.runtime.module.write_library": "cached_build",
    "backends.vm.builtins.more_builtins": "kv_cache.builtins",
    "ir.relax.function.inline_calls": "ir.relax.inline",
    "ir.relax.transform.fusion.run_codegen.find_codegen": "backends.runtime.codegens",
    "ir.relax.transform.fusion.run_codegen.register_implementation": "backends.runtime.codegens",
    "ir.relax.dpl.pattern.extract_matches": "ir.relax.dpl.matcher",
    "ir.relax.base.is_base_of": "ir.relax.struct_info_lattice",
}
WIRING: Final = {f"tvmscript.{hook}": f"tvmscript.{module}" for hook, module in _MODULES.items()}
