"""The table of `R` of TVM 0.27: that of 0.17 with other names and another parser."""

from __future__ import annotations

from typing import Final

from tvmscript.parser.names.namespace import Decorator
from tvmscript.parser.relax.builtins.table import FUNCTION_OPTIONS, RELAX, func_attr
from tvmscript.parser.v0_27.attribute_names import with_attributes
from tvmscript.parser.v0_27.relax import V027RelaxParser

#: name of 0.27 -> that of 0.17
_OTHER_NAMES: Final = {"func_ret_ty": "func_ret_struct_info", "func_ret_type": "func_ret_struct_info"}

RELAX_V0_27: Final[dict[str, object]] = {
    **RELAX,
    **{name: RELAX[other] for name, other in _OTHER_NAMES.items()},
    "func_attr": with_attributes("R.func_attr", func_attr),
    "function": Decorator("R.function", "function", FUNCTION_OPTIONS, dialect="0.27", parser=V027RelaxParser),
}
