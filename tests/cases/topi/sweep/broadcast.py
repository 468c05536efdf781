"""Operators of two operands: each dtype at each pair of shapes."""

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
PAIRS = (("", ""), ("", "n,m"), ("n,1", "1,m"), ("0,3", "3"), ("3", "2,0,3"), ("n,4", "4"), ("1", "0"), ("2,n,1", "3"), ("1,1,1", "n"))

#: floats and integers; the second operand of a quotient is not 0
ARITHMETIC = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum,
    "equal": np.equal, "not_equal": np.not_equal, "less": np.less, "less_equal": np.less_equal, "greater": np.greater,
    "greater_equal": np.greater_equal,
}
QUOTIENTS = {"divide": np.divide, "floor_divide": np.floor_divide, "mod": np.fmod, "floor_mod": np.mod}
OF_INTEGERS = {
    "bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor,
    "left_shift": np.left_shift, "right_shift": np.right_shift,
}
OF_TRUTH = {"logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor}


def arithmetic():
    for name, reference in ARITHMETIC.items():
        for dtype in (*FLOATS, *INTEGERS):
            # sums and products of small integers wrap around
            values = "{-100:100}" if dtype == "int8" else "{0:200}" if dtype == "uint8" else ""
            for a, b in PAIRS:
                yield f"{name}_{dtype}[{a}][{b}]", f"a:{dtype}[{a}]{values} b:{dtype}[{b}]{values}", getattr(topi, name), reference


def specials():
    for name in ("maximum", "minimum", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "add", "subtract", "multiply", "divide"):
        for dtype in FLOATS:
            # of what is no number the second operand
            others = {"maximum": lambda a, b: np.where(a > b, a, b), "minimum": lambda a, b: np.where(a < b, a, b), "divide": np.divide}
            yield f"{name}_{dtype}", f"a:{dtype}[11,1]{{special}} b:{dtype}[11]{{special}}", getattr(topi, name), others.get(name) or ARITHMETIC[name]


def quotients():
    for name, reference in QUOTIENTS.items():
        for dtype in FLOATS:
            for a, b in PAIRS:
                values = ("{-6.25:6.25}", "{0.75:2.5}")
                yield f"{name}_{dtype}[{a}][{b}]", f"a:{dtype}[{a}]{values[0]} b:{dtype}[{b}]{values[1]}", getattr(topi, name), reference
        for dtype in INTEGERS:
            signed = dtype[0] == "i"
            exact = {"divide": lambda a, b: (np.sign(a) * np.sign(b)).astype(a.dtype) * (np.abs(a) // np.abs(b))}.get(name, reference)
            for a, b in PAIRS:
                for side in ("1:9", "-9:0") if signed else ("1:9",):
                    first = "{-90:90}" if signed else "{0:90}"
                    yield f"{name}_{dtype}[{a}][{b}]{side}", f"a:{dtype}[{a}]{first} b:{dtype}[{b}]{{{side}}}", getattr(topi, name), exact


def powers():
    for dtype in FLOATS:
        for a, b in PAIRS:
            yield f"power_{dtype}[{a}][{b}]", f"a:{dtype}[{a}]{{0.5:3}} b:{dtype}[{b}]{{-2:2}}", topi.power, np.power


def bits():
    for name, reference in OF_INTEGERS.items():
        for dtype in INTEGERS:
            for a, b in PAIRS:
                yield f"{name}_{dtype}[{a}][{b}]", f"a:{dtype}[{a}]{{0:100}} b:{dtype}[{b}]{{0:7}}", getattr(topi, name), reference
    for name, reference in {**OF_TRUTH, **{name: OF_INTEGERS[name] for name in ("bitwise_and", "bitwise_or", "bitwise_xor")}, "equal": np.equal, "not_equal": np.not_equal}.items():
        for a, b in PAIRS:
            yield f"{name}_bool[{a}][{b}]", f"a:bool[{a}] b:bool[{b}]", getattr(topi, name), reference


def scalars():
    for name in ("add", "subtract", "multiply", "maximum", "less", "floor_mod"):
        for dtype in (*FLOATS, *INTEGERS):
            for shape in ("", "n", "0,3", "2,n"):
                f, reference = getattr(topi, name), {**ARITHMETIC, **QUOTIENTS}[name]
                yield f"{name}_{dtype}[{shape}]", f"a:{dtype}[{shape}]", lambda a, f=f: f(a, te.const(2, a.dtype)), lambda a, r=reference: r(a, a.dtype.type(2))
                if name != "floor_mod":
                    yield f"{name}_left_{dtype}[{shape}]", f"a:{dtype}[{shape}]", lambda a, f=f: f(te.const(2, a.dtype), a), lambda a, r=reference: r(a.dtype.type(2), a)


def targets():
    for dtype in ("float32", "float16", "int8", "bool"):
        for source, target in (("", (2, 3)), ("1", (0,)), ("3", (2, 3)), ("n,1", ("n", 4)), ("1,1", (3, 1)), ("2,0", (3, 2, 0)), ("", ())):
            sized = lambda x, t=target: tuple(x.shape[0] if extent == "n" else extent for extent in t)
            yield f"broadcast_to_{dtype}[{source}]{target}", f"x:{dtype}[{source}]", lambda x, s=sized: topi.broadcast_to(x, s(x)), lambda x, s=sized: np.broadcast_to(x, s(x))
