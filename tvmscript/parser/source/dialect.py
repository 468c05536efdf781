"""The two spellings of texts: TVM 0.17's (dialect "0.17", `T` of `tir`) and the current TVM's ("0.27", `T` of `tirx`).

Most names mean the same in both. Where one does not (`T.alloc_buffer`, `x = value`), the `T` in use decides: which
one that is, an import says, or the text's own header, or words that the other TVM does not have.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

from tvmscript.ir.core.attrs import attributes
from tvmscript.parser.source.tree import SourceTree

#: What texts of 0.27 alone say: if none of them is in a text, it is one of 0.17.
_WORDS = ("tirx", "s_tir=", "T.sblock", ": T.let", "T.alloc_local(", "T.alloc_shared(", "T.Bind(", "T.bind(", "T.jit",
          "@T.inline", "TypeVar(")  # fmt: skip
#: The same, of the graph level; and what a printer writes, but a person may write for 0.17 too.
_GRAPH_WORDS = ("out_ty=", "ty_args=", "R.Any", "device_type=", "I.StringType")
_PRINTED_WORDS = (*_GRAPH_WORDS, "dtype=None", "in_group=", 'mode="fast"', "exclusive=False", "exclusive=True",
                  "training=", ':global"', '": True', '": False')  # fmt: skip
_IMPORTS_TIR = re.compile(r"^[ \t#]*from (?:tvm|tvmscript)\b[^\n]*\btir\b", re.MULTILINE)
_PRINTED = re.compile(r"(?:# from typing import [^\n]*\n)?# from tvm\.script import \w+ as ")
_IMPORTS_TIRX = re.compile(r"^[ \t#]*(?:from (?:tvm|tvmscript)\b[^\n]*\btirx\b|import tvm\.tirx\b)", re.MULTILINE)


def is_v0_27(text: str) -> bool:
    """Whether a text is one of TVM 0.27: its imports say so, also as comments; without any, its words."""
    words: tuple[str, ...] = _WORDS
    if "R." in text:
        words += _PRINTED_WORDS if is_printed(text) else _GRAPH_WORDS
    for word in words:  # no any(): it takes longer than looking for the words
        if word in text:
            return _IMPORTS_TIRX.search(text) is not None or _IMPORTS_TIR.search(text) is None
    return False


def is_printed(text: str) -> bool:
    """Whether a printer wrote the text: its first line is an import in a comment.

    Printers spell some things that a person's text cannot say (`constructs.printed`), and never give one name to two
    variables at a time: a name that is defined once more is the same variable.
    """
    return _PRINTED.match(text) is not None


def has_root_block_comment(tree: SourceTree, node: ast.FunctionDef) -> bool:
    """Whether a printed function has a root block that its text leaves out, and says so in a comment."""
    lines = tree.source.lines[node.lineno - 1 : node.end_lineno]
    return any('block("root")' in line and line.lstrip().startswith("# with ") for line in lines)


def read_attributes(values: Mapping[str, Any] | None) -> dict[str, Any]:
    """Attributes of a text in normal form: keys of either TVM have the name of 0.17, `tir.noalias`."""
    return {attribute_key(key): _renamed(item) for key, item in attributes(values).items()}


def attribute_key(key: Any) -> Any:
    """The key of an attribute as 0.17 calls it; variables and buffers as keys are what they are."""
    return f"tir.{key[5:]}" if isinstance(key, str) and key.startswith("tirx.") else key


def _renamed(value: Any) -> Any:
    kind = type(value)
    if kind is dict:
        return {attribute_key(key): _renamed(item) for key, item in value.items()}
    return tuple([_renamed(item) for item in value]) if kind is tuple else value
