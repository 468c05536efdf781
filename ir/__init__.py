"""The IR, its analyses, transformations and schedules. Imported as `tvmscript.ir`."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names

if __name__ == "ir":
    raise ImportError("import this package as tvmscript.ir: the bare name 'ir' would be a second copy")

# public name -> module that has it, loaded when it is first used
_EXPORTS: dict[str, str] = {
    "structural_equal": "tvmscript.ir.core.equality.equal",
    "get_first_structural_mismatch": "tvmscript.ir.core.equality.equal",
    "assert_structural_equal": "tvmscript.ir.core.equality.equal",
    "structural_hash": "tvmscript.ir.core.equality.hashing",
    "IRModule": "tvmscript.ir.core.module",
    "GlobalVar": "tvmscript.ir.core.module",
    "BaseFunc": "tvmscript.ir.core.module",
    "GlobalInfo": "tvmscript.ir.core.module",
    "DummyGlobalInfo": "tvmscript.ir.core.module",
    "VDevice": "tvmscript.ir.core.module",
    "Span": "tvmscript.ir.core.span",
    "Op": "tvmscript.ir.core.op",
    "Range": "tvmscript.ir.tir.expr",
    "PrimType": "tvmscript.ir.core.types",
    "PointerType": "tvmscript.ir.core.types",
    "TupleType": "tvmscript.ir.core.types",
    "TensorType": "tvmscript.ir.core.types",
    "FuncType": "tvmscript.ir.core.types",
    "Node": "tvmscript.ir.core.node",
    "Type": "tvmscript.ir.core.types",
    "PrimExpr": "tvmscript.ir.tir.base:Expr",
    "BaseExpr": "tvmscript.ir.core.node:Node",
    "RelayExpr": "tvmscript.ir.relax.base:RelaxExpr",
    "Array": "builtins:tuple",
    "Map": "builtins:dict",
    "Attrs": "builtins:dict",
    "DictAttrs": "builtins:dict",
    "save_json": "tvmscript.node_json",
    "load_json": "tvmscript.node_json",
    "instrument": "tvmscript.ir.instrument:",
    "transform": "tvmscript.ir.transform:",
}

__getattr__, __dir__ = lazy_names(__name__, _EXPORTS)
