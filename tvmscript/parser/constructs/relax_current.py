"""The table of `R` of TVM 0.27: that of 0.17, with what it calls otherwise or means otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.span import Span
from tvmscript.parser.constructs.relax import FUNCTION_OPTIONS, RELAX
from tvmscript.parser.dialect import read_attributes
from tvmscript.parser.errors import GivenTwice
from tvmscript.parser.namespace import Builtin, Decorator
from tvmscript.parser.relax_current import CurrentRelaxParser


def func_attr(parser: CurrentRelaxParser, span: Span, attrs: Mapping[str, Any]) -> None:
    """Attributes of the function; True and False stay what they are."""
    if not isinstance(attrs, Mapping):
        raise WrongType(where="R.func_attr", expected="a dict", got=repr(attrs), span=span)
    if parser.attrs is not None:
        raise GivenTwice(what="R.func_attr", span=span)
    parser.attrs = read_attributes(attrs)


#: name of 0.27 -> that of 0.17
_OTHER_NAMES: Final = {
    "func_ret_ty": "func_ret_struct_info",
    "func_ret_type": "func_ret_struct_info",
}

CURRENT: Final[dict[str, Any]] = {
    **RELAX,
    **{name: RELAX[other] for name, other in _OTHER_NAMES.items()},
    "function": Decorator("R.function", "function", FUNCTION_OPTIONS, dialect="0.27", reader=CurrentRelaxParser),
    "func_attr": Builtin("R.func_attr", func_attr, True),
}
