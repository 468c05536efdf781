"""The two dialects: TVM 0.17 (`T` of `tir`) and TVM 0.27 (`T` of `tirx`).

Most names have one meaning. Where they differ (`T.alloc_buffer`, `x = value`), the dialect decides. It follows from
an import, from the header of the text, or from names that only TVM 0.27 has.
"""

from __future__ import annotations

import ast
import re

from tvmscript.parser.source.tree import SourceTree
from tvmscript.parser.source.type_parameters import has_type_parameters

#: spellings that only texts of 0.27 contain
_V0_27_WORDS = ("tirx", "s_tir=", "T.sblock", ": T.let", "T.alloc_local(", "T.alloc_shared(", "T.Bind(", "T.bind(",
                "T.jit", "@T.inline", "TypeVar(")  # fmt: skip
#: the same for Relax
_V0_27_RELAX_WORDS = ("out_ty=", "ty_args=", "R.Any", "device_type=", "I.StringType")
#: what the printer of 0.27 writes, and a person may write for 0.17
_V0_27_PRINTED_WORDS = (*_V0_27_RELAX_WORDS, "dtype=None", "in_group=", 'mode="fast"', "exclusive=False",
                        "exclusive=True", "training=", ':global"', '": True', '": False')  # fmt: skip
#: one section, which is no tuple in 0.27
_ONE_SECTION = re.compile(
    r": (?:R\.Tensor\(.*\) = |R\.Tuple\(R\.Tensor\(.*\) = \()R\.split\(.*indices_or_sections=(?:1\b|\[\])"
)
_IMPORTS_TIR = re.compile(r"^[ \t#]*from (?:tvm|tvmscript)\b[^\n]*\btir\b", re.MULTILINE)
_PRINTED = re.compile(r"(?:# from typing import [^\n]*\n)?# from tvm\.script import \w+ as ")
_IMPORTS_TIRX = re.compile(r"^[ \t#]*(?:from (?:tvm|tvmscript)\b[^\n]*\btirx\b|import tvm\.tirx\b)", re.MULTILINE)


def is_v0_27(text: str) -> bool:
    """Whether a text is in the dialect of TVM 0.27, by its imports (also in comments) or by its spellings."""
    if has_type_parameters(text):
        return True
    words: tuple[str, ...] = _V0_27_WORDS
    if "R." in text:
        words += _V0_27_PRINTED_WORDS if is_printed(text) else _V0_27_RELAX_WORDS
    for word in words:  # faster than any()
        if word in text:
            return _IMPORTS_TIRX.search(text) is not None or _IMPORTS_TIR.search(text) is None
    return "R.split(" in text and _ONE_SECTION.search(text) is not None and _IMPORTS_TIR.search(text) is None


def is_printed(text: str) -> bool:
    """Whether a printer wrote the text: its first line is an import in a comment.

    Printed texts have constructs of their own (`tir.builtins.printed_text`). A name that is defined again denotes the
    same variable there.
    """
    return _PRINTED.match(text) is not None


def has_root_block_comment(tree: SourceTree, node: ast.FunctionDef) -> bool:
    """Whether a comment of a printed function stands for its root block."""
    lines = tree.source.lines[node.lineno - 1 : node.end_lineno]
    return any('block("root")' in line and line.lstrip().startswith("# with ") for line in lines)
