"""The grammar of texts: every form that the parser's tables have, with its EBNF rule, its meaning and an example.

Names in capitals are Python's tokens. The tables here name the node types of Python's syntax tree, so that a test can
hold them against the parser's own: a form that the parser gains or loses is missing or left over here.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """One form of the language."""

    #: node type of Python's syntax tree
    node: type[ast.AST]
    #: name of the rule, and its right side
    rule: str
    ebnf: str
    meaning: str
    #: programs (outside of functions), statements of a function, or one expression
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """A form of Python that the language does not have."""

    node: type[ast.AST]
    what: str
    #: statements of a function
    example: str
    code: str
    instead: str


#: what starts the grammar, and rules that belong to no single node
START = """
text = program | fragment ;
program = { outside } ;
fragment = { statement } ( statement | expression ) ;
body = NEWLINE INDENT { statement } DEDENT | statement NEWLINE ;
"""
END = """
index = expression | [ expression ] ":" [ expression ] [ ":" expression ] ;
element = expression "[" index { "," index } "]" ;
argument = expression | NAME "=" expression | "*" expression | "**" expression ;
target = NAME | element | "(" target { "," target } ")" ;
parameter = NAME ":" annotation ;
annotation = expression | "Annotated" "[" expression { "," expression } "]" ;
decorator = ( "T.prim_func" | "T.macro" | "I.ir_module" ) [ "(" [ argument { "," argument } ] ")" ] ;
comprehension = "for" target "in" expression { "if" expression } ;
path = { "." NAME } ;
"""

OUTSIDE: tuple[Form, ...] = (
    Form(
        ast.Import,
        "import",
        '"import" ( "tvm" | "tvmscript" | "typing" ) path [ "as" NAME ]',
        "TVM or this package under a name; nothing is loaded",
        ("import tvmscript as tvm\n\n@tvm.script.tir.prim_func\ndef f():\n    tvm.script.tir.evaluate(0)\n",),
    ),
    Form(
        ast.ImportFrom,
        "from import",
        '"from" ( "tvm" | "tvmscript" | "typing" ) path "import" NAME [ "as" NAME ] { "," NAME [ "as" NAME ] }',
        "names of TVM, of this package, `Annotated`, `__future__`",
        (
            "from tvm.script import tir as T\n\n@T.prim_func\ndef f():\n    T.evaluate(0)\n",
            "from tvmscript import I, T\n\n@T.prim_func\ndef f():\n    T.evaluate(0)\n",
        ),
    ),
    Form(
        ast.Assign,
        "constant definition",
        'target { "=" target } "=" expression',
        "a name for a Python value that functions below may use",
        ('N = 16\n\n@T.prim_func\ndef f(A: T.Buffer((N,), "float32")):\n    A[N - 1] = 0.0\n',),
    ),
    Form(
        ast.AnnAssign,
        "annotated constant definition",
        'NAME ":" annotation "=" expression',
        "the same; the annotation says nothing",
        ('N: int = 16\n\n@T.prim_func\ndef f(A: T.Buffer((N,), "float32")):\n    A[N - 1] = 0.0\n',),
    ),
    Form(
        ast.Expr,
        "docstring",
        "STRING",
        "a comment",
        ('"""What this is."""\n\n@T.prim_func\ndef f():\n    T.evaluate(0)\n',),
    ),
    Form(ast.Pass, "pass", '"pass"', "nothing", ("pass\n\n@T.prim_func\ndef f():\n    T.evaluate(0)\n",)),
    Form(
        ast.FunctionDef,
        "function",
        '"@" decorator NEWLINE "def" NAME "(" [ parameter { "," parameter } ] ")" [ "->" annotation ] ":" body',
        "a function (`@T.prim_func`) or a macro (`@T.macro`)",
        ("@T.prim_func(private=True)\ndef f(x: T.float32) -> T.float32:\n    return x * x\n",),
    ),
    Form(
        ast.ClassDef,
        "module",
        '"@" decorator NEWLINE "class" NAME [ "(" expression ")" ] ":" NEWLINE INDENT { outside | call } DEDENT',
        "a module (`@I.ir_module`): functions, macros, constants, `I.module_attrs(...)`",
        ("@I.ir_module\nclass Module:\n    @T.prim_func\n    def f():\n        T.evaluate(0)\n",),
    ),
)

STATEMENTS: tuple[Form, ...] = (
    Form(
        ast.Assign,
        "assignment",
        'target { "=" target } "=" expression',
        "a store where the target is `A[...]`; otherwise a name for a value, a buffer, a variable, a frame",
        (
            "A[0] = x",
            "y = x * 2.0\nA[1] = y",
            "m = T.int32()",
            'p = T.allocate([4], "float32")\nB = T.Buffer((4,), data=p)\nB[0] = x',
        ),
    ),
    Form(
        ast.AugAssign,
        "augmented assignment",
        'element operator "=" expression',
        "a store of `element operator value`",
        ("A[0] += x", "A[i] *= 2.0"),
    ),
    Form(
        ast.AnnAssign,
        "let",
        'NAME ":" annotation "=" expression',
        "a variable of that type for the rest of the body",
        ("k: T.int32 = i + 1\nA[k] = x",),
    ),
    Form(
        ast.For,
        "loop",
        '"for" target "in" expression ":" body',
        "a loop of the program, or, over Python values, the body once for each of them",
        (
            "for j in range(4):\n    A[j] = x",
            "for j, k in T.grid(4, 4):\n    A[j * 4 + k] = x",
            "for j in T.vectorized(4):\n    A[j] = x",
            "for value in (1.0, 2.0):\n    A[0] += value",
        ),
    ),
    Form(
        ast.While,
        "while",
        '"while" expression ":" body',
        "repeat while a scalar bool holds",
        ("while A[0] < x:\n    A[0] = A[0] + 1.0",),
    ),
    Form(
        ast.If,
        "if",
        '"if" expression ":" body { "elif" expression ":" body } [ "else" ":" body ]',
        "a branch; where the condition is a Python value, it is decided while reading",
        ("if i < 2:\n    A[i] = x\nelif i == 3:\n    A[i] = 0.0\nelse:\n    A[i] = 1.0", "if True:\n    A[0] = x"),
    ),
    Form(
        ast.With,
        "with",
        '"with" call [ "as" target ] { "," call [ "as" target ] } ":" body',
        "a construct with a body: `T.block`, `T.init`, `T.attr`, `T.allocate`, `T.launch_thread`, ...",
        (
            'with T.block("name"):\n    T.reads()\n    T.writes(A[0])\n    A[0] = x',
            'with T.attr(0, "pragma", 1):\n    A[0] = x',
            'with T.allocate([4], "float32") as p:\n    T.evaluate(p)',
        ),
    ),
    Form(
        ast.Expr,
        "expression statement",
        "call | expression | STRING",
        "a construct that stands alone, holding for the rest of the body; an expression computed for its effect",
        (
            'T.evaluate(T.call_extern("int32", "f", i))',
            'T.func_attr({"tir.noalias": T.bool(True)})',
            'T.attr(0, "pragma", 1)\nA[0] = x',
            '"what is done here"',
        ),
    ),
    Form(
        ast.Assert,
        "assertion",
        '"assert" expression [ "," expression ]',
        "stops the program where it does not hold",
        ('assert i > 0, "i must be positive"\nA[0] = x',),
    ),
    Form(ast.Return, "return", '"return" expression', "the result of the function", ("return i",)),
    Form(ast.Pass, "pass", '"pass"', "nothing", ("if i > 0:\n    pass",)),
    Form(
        ast.FunctionDef,
        "macro in a function",
        '[ "@" decorator NEWLINE ] "def" NAME "(" [ NAME { "," NAME } ] ")" ":" body',
        "a macro: its body is written out where it is called",
        ("def fill(value):\n    A[0] = value\nfill(x)",),
    ),
)

EXPRESSIONS: tuple[Form, ...] = (
    Form(
        ast.Constant,
        "constant",
        'INTEGER | FLOAT | STRING | "True" | "False" | "None"',
        "a number is int32 (int64 where it does not fit), float32 or bool, where nothing else says the dtype",
        ("x * 2.0",),
    ),
    Form(ast.Attribute, "attribute", 'expression "." NAME', "a name of `T`, `I`, or a member of a value", ("A.data",)),
    Form(ast.Tuple, "tuple", '"(" [ expression "," { expression "," } ] ")"', "several Python values", ("(i, i)[0]",)),
    Form(ast.List, "list", '"[" [ expression { "," expression } ] "]"', "several Python values", ("[i, i][1]",)),
    Form(
        ast.Dict,
        "dict",
        '"{" [ expression ":" expression { "," expression ":" expression } ] "}"',
        "attributes, annotations",
        ("T.Let(k + 1, where={k: i})",),
    ),
    Form(
        ast.JoinedStr, "f-string", "F_STRING", "text made of Python values", ('T.call_extern("int32", f"f_{2 * 2}")',)
    ),
    Form(
        ast.BinOp,
        "binary",
        "expression operator expression",
        "arithmetic, bits; of Python where both sides are its values",
        ("i * 2 + 1", "i // 4 % 2", "(i << 2) | 1"),
    ),
    Form(ast.UnaryOp, "unary", '( "-" | "+" | "~" | "not" ) expression', "negation", ("-x", "~i", "not (i > 0)")),
    Form(
        ast.Compare,
        "comparison",
        "expression compared expression { compared expression }",
        "bool; `a < b < c` is `a < b and b < c`",
        ("0 <= i < 16", "x == 1.0"),
    ),
    Form(
        ast.BoolOp,
        "logic",
        'expression ( "and" | "or" ) expression',
        "the right side only where the left one does not decide",
        ("i > 0 and x > 0.0", "i > 0 or i < -1 or x < 0.0"),
    ),
    Form(
        ast.IfExp,
        "choice",
        'expression "if" expression "else" expression',
        "T.if_then_else: only the chosen side is computed",
        ("x if i > 0 else 0.0",),
    ),
    Form(
        ast.Subscript,
        "subscript",
        'expression "[" index { "," index } "]"',
        "an element, a region or a vector of a buffer; an element of a Python value; `Annotated[...]`",
        ("A[i + 1]", "A[0:8]", "A[T.Ramp(0, 2, 4)]"),
    ),
    Form(
        ast.Call,
        "call",
        'expression "(" [ argument { "," argument } ] ")"',
        "a name of `T` or `I`, a function of the module, a macro, a function on Python values",
        ("T.exp(x)", "T.max(i, 1)", "T.float32(i)"),
    ),
    Form(
        ast.ListComp,
        "list comprehension",
        '"[" expression comprehension { comprehension } "]"',
        "Python values, in decorated functions",
        (),
    ),
    Form(
        ast.SetComp,
        "set comprehension",
        '"{" expression comprehension "}"',
        "Python values, in decorated functions",
        (),
    ),
    Form(
        ast.GeneratorExp, "generator", '"(" expression comprehension ")"', "Python values, in decorated functions", ()
    ),
    Form(
        ast.DictComp,
        "dict comprehension",
        '"{" expression ":" expression comprehension "}"',
        "Python values, in decorated functions",
        (),
    ),
    Form(
        ast.Lambda,
        "lambda",
        '"lambda" [ NAME { "," NAME } ] ":" expression',
        "a function on values, such as a map of indices",
        ('with T.block("a"):\n    T.block_attr({"layout": T.index_map(lambda a, b: (b, a))})\n    A[i] = x',),
    ),
)

#: operators between expressions of the program
OPERATORS: tuple[type[ast.AST], ...] = (
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.FloorDiv,
    ast.Mod,
    ast.LShift,
    ast.RShift,
    ast.BitAnd,
    ast.BitOr,
    ast.BitXor,
)
COMPARISONS: tuple[type[ast.AST], ...] = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
UNARY: tuple[type[ast.AST], ...] = (ast.USub, ast.UAdd, ast.Not, ast.Invert)

#: nodes that are parts of the forms above: names, `*x` in calls and displays, slices in subscripts, parts of f-strings
PARTS: tuple[type[ast.AST], ...] = (ast.Name, ast.Starred, ast.Slice, ast.FormattedValue)

REFUSED: tuple[Refused, ...] = (
    Refused(ast.AsyncFunctionDef, "async functions", "async def g():\n    pass", "TS2005", "`def`"),
    Refused(
        ast.ClassDef, "classes in functions", "class C:\n    pass", "TS2005", "a class under `@I.ir_module`, outside"
    ),
    Refused(ast.Delete, "`del`", "del A", "TS2005", "nothing: names end with their scope"),
    Refused(ast.AsyncFor, "`async for`", "async for j in range(3):\n    pass", "TS2005", "`for`"),
    Refused(ast.AsyncWith, "`async with`", "async with T.block():\n    pass", "TS2005", "`with`"),
    Refused(ast.Match, "`match`", "match i:\n    case 1:\n        A[0] = 1.0", "TS2005", "`if` and `elif`"),
    Refused(ast.Raise, "`raise`", "raise ValueError(1)", "TS2005", "`assert condition, message`"),
    Refused(
        ast.Try, "`try`", "try:\n    A[0] = 1.0\nexcept ValueError:\n    pass", "TS2005", "`assert condition, message`"
    ),
    Refused(
        ast.TryStar,
        "`try` with `except*`",
        "try:\n    A[0] = 1.0\nexcept* ValueError:\n    pass",
        "TS2005",
        "`assert condition, message`",
    ),
    Refused(ast.Import, "imports in functions", "import os", "TS2005", "imports at the top"),
    Refused(ast.ImportFrom, "imports in functions", "from os import path", "TS2005", "imports at the top"),
    Refused(ast.Global, "`global`", "global A", "TS2005", "a buffer"),
    Refused(ast.Nonlocal, "`nonlocal`", "nonlocal A", "TS2005", "a buffer"),
    Refused(
        ast.Break, "`break`", "for j in range(3):\n    break", "TS2005", "a condition: `while i[0] < n and not done[0]`"
    ),
    Refused(
        ast.Continue, "`continue`", "for j in range(3):\n    continue", "TS2005", "`if` around the rest of the body"
    ),
    Refused(
        ast.For,
        "`else` of a loop",
        "for j in range(4):\n    A[j] = x\nelse:\n    pass",
        "TS2005",
        "statements after the loop",
    ),
    Refused(ast.Return, "`return` without a value", "return", "TS2005", "`if` around the rest of the body"),
    Refused(ast.AnnAssign, "a declaration without a value", "k: T.int32", "TS2005", "`k = T.int32()` for a variable"),
    Refused(ast.AugAssign, "`name += value`", "y = x\ny += 1.0", "TS2008", "a buffer of one element, or a new name"),
    Refused(ast.NamedExpr, "`:=`", "A[0] = (y := x)", "TS2005", "an assignment before"),
    Refused(ast.Set, "sets", "T.evaluate({1, 2})", "TS2005", "a tuple or a list"),
    Refused(ast.Await, "`await`", "await x", "TS2005", "the call alone"),
    Refused(ast.Yield, "`yield`", "yield x", "TS2005", "a store into a buffer"),
    Refused(ast.YieldFrom, "`yield from`", "yield from x", "TS2005", "a store into a buffer"),
    Refused(ast.Pow, "`**`", "A[0] = x ** 2", "TS2005", "`T.pow(a, b)`"),
    Refused(ast.MatMult, "`@`", "A[0] = x @ x", "TS2005", "loops over the elements"),
    Refused(ast.Is, "`is`, `is not`", "T.evaluate(i is i)", "TS2005", "`==`"),
    Refused(ast.In, "`in`, `not in`", "T.evaluate(i in (1, 2))", "TS2005", "`i == 1 or i == 2`"),
)


def function(body: str) -> str:
    """A program whose function has these statements, with a buffer `A`, an integer `i` and a float `x`."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f'@T.prim_func\ndef f(A: T.Buffer((16,), "float32"), i: T.int32, x: T.float32):\n{lines}'


def statement(example: str) -> str:
    """An example as statements; an expression is evaluated, with `k` for a variable of its own."""
    is_expression = "\n" not in example
    return f"k = T.int32()\nT.evaluate({example})" if is_expression else example
