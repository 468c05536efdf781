"""Programs as text: `script(node)`, in the spelling of TVM 0.17.

Every program prints, and the text reads back to the same program. It is TVM's own text, character by character,
except where that does not read back:

- names that Python keeps (`class`, `range`) count as taken, a name never begins with a digit;
- a comparison inside a comparison has parentheses, `and`/`or` of vectors are `T.And`/`T.Or`;
- strings hold their characters (TVM writes UTF-8 bytes as `\\xC3`) and line ends as `\\n` (TVM: metadata);
- a negative zero is `-0.0`; all elements of constant arrays are written (TVM stops after 200);
- `T.Call("float64", "tir.exp", [x])` where the short form would give another dtype; in parts of programs also what
  TVM would fold: `T.Min(1, 2)`, as it is `T.Add(x, 0)`;
- a free name in the bounds of a loop is declared in front of it; a data pointer that buffers of several scopes
  share is declared where all see it; strides and offsets of a dtype of their own are declared variables, and a
  buffer with such an offset of 0 is no `A: T.Buffer(...)` but matched with its handle;
- a data pointer to elements of another type than the buffer's is declared and handed over as `data=`;
- a string constant as the subject of T.attr or in an attribute is `T.StringImm("s")`: `"s"` is a plain string;
- the dtype of a pointer without storage scope says so in parts of programs: `T.handle("float32", "")`;
- a call alone as a statement on its own is `T.evaluate(T.exp(x))`: without it the text is the expression;
- functions of modules whose names are no identifiers keep them: `@T.prim_func(name="a.b")`;
- constants of more than 200 elements stand in a section `metadata` below the program (`arrays`);
- names that nobody defines have a note: `x = T.int32()  # tvmscript: x is undefined here`;
- in parts of graphs `pass` stands behind a block of one binding, and in front of the value of a sequence of none;
- with other dtypes for bare numbers or buffers (`int_dtype="int64"`) a comment at the top says which;
- comments of the text that a program was read from are written (`comments=False`: as TVM, none);
- `path_to_annotate` at an expression annotates its statement (TVM warns), texts may have several lines;
- `R.nn.attention_var_len` has its arguments in the order of the function in R; an item of a tuple that is written out
  is `R.TupleGetItem(R.tuple(x, y), 0)`, since `(x, y)[0]` is x;
- a slice with a step that is not positive is `T.Ramp`; a size variable bound by `let` is declared first.
"""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core import node as node_hooks
from tvmscript.printer.entry import script as script
from tvmscript.printer.entry import script_with_ranges as script_with_ranges
from tvmscript.printer.errors import InvalidOption as InvalidOption
from tvmscript.printer.errors import NoText as NoText
from tvmscript.printer.errors import UnknownOption as UnknownOption


def show(node: Any, style: str | None = None, black_format: bool = False, **options: Any) -> None:
    """Print the script, with colours where the terminal has them."""
    # rich and pygments are only needed here
    from tvmscript.printer.highlight import show_text

    show_text(script(node, **options), style, black_format)


node_hooks.show.fill(show)
