"""The table of `R` of TVM 0.27: that of 0.17 with other names and another parser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tvmscript.ir.core import Op, Span, WrongType
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.script_functions import script_function_of
from tvmscript.parser.builtins.argument_checks import text
from tvmscript.parser.builtins.table import LayeredTable
from tvmscript.parser.names.namespace import Builtin, Decorator, Namespace
from tvmscript.parser.names.unsupported import UnsupportedName
from tvmscript.parser.relax.builtins.struct_info import resolve_struct_info
from tvmscript.parser.relax.builtins.table import FUNCTION_OPTIONS, RELAX, func_attr
from tvmscript.parser.relax.reader import GraphReader
from tvmscript.parser.v0_27.attribute_names import with_attributes
from tvmscript.parser.v0_27.relax import V027RelaxParser
from tvmscript.parser.v0_27.unsupported_names import PYTHON

#: name of 0.27 -> that of 0.17
_OTHER_NAMES: Final = {"func_ret_ty": "func_ret_struct_info", "func_ret_type": "func_ret_struct_info"}


def emit_with_ty(parser: GraphReader, span: Span, op: object, args: object, ty_args: object = None) -> Call:
    """Call an operator by name: `R.emit_with_ty("relax.add", (x, y))`."""
    operator = Op.get(text("R.emit_with_ty", op)) if not isinstance(op, Op) else op
    given = args if isinstance(args, (tuple, list)) else (args,)
    types = () if ty_args is None else ty_args if isinstance(ty_args, (tuple, list)) else (ty_args,)
    infos = [resolve_struct_info(parser, item, span) for item in types]
    present = [info for info in infos if info is not None]
    if len(present) != len(infos):
        raise WrongType(where="R.emit_with_ty", expected="types such as R.Tensor", got=repr(ty_args), span=span)
    return Call(operator, [parser.as_value(arg, span) for arg in given], None, present, span=span)


def relu6(data: RelaxExpr, span: Span | None = None) -> Call:
    """Clamp the elements to 0 and 6."""
    operator: Any = Op.get("relax.clip")
    call: Call = script_function_of(operator)(data, 0, 6, span=span)
    return call


def _with_names(space: object, names: Mapping[str, object]) -> Namespace:
    """Return a namespace of 0.17 with further names."""
    assert isinstance(space, Namespace)
    return Namespace(space.name, LayeredTable(names, space.table))


#: classes of the Python API that are members of namespaces
_CLASSES: Final = {"dist": ("DTensorType", "Expr", "TensorType"), "vision": ("Expr",)}
#: namespace -> its further names
_MEMBERS: Final[dict[str, dict[str, object]]] = {
    "nn": {"relu6": Builtin("R.nn.relu6", relu6)},
    **{
        space: {name: UnsupportedName(f"R.{space}.{name}", PYTHON) for name in names}
        for space, names in _CLASSES.items()
    },
}

RELAX_V0_27: Final[dict[str, object]] = {
    **RELAX,
    **{name: RELAX[other] for name, other in _OTHER_NAMES.items()},
    **{space: _with_names(RELAX[space], names) for space, names in _MEMBERS.items()},
    "rewriter": UnsupportedName("R.rewriter", "passes in Python code (a text holds programs)"),
    **dict.fromkeys(("emit_with_ty", "emit_with_type"), Builtin("R.emit_with_ty", emit_with_ty, needs_kernel=True)),
    "func_attr": with_attributes("R.func_attr", func_attr),
    "function": Decorator("R.function", "function", FUNCTION_OPTIONS, dialect="0.27", parser=V027RelaxParser),
}
