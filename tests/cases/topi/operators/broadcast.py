"""Operators of two operands."""

BINARY = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide, "floor_divide": np.floor_divide,
    "mod": np.fmod, "floor_mod": np.mod, "maximum": np.maximum, "minimum": np.minimum, "power": np.power,
    "equal": np.equal, "not_equal": np.not_equal, "less": np.less, "less_equal": np.less_equal, "greater": np.greater,
    "greater_equal": np.greater_equal,
}
OF_INTEGERS = {
    "bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor,
    "left_shift": np.left_shift, "right_shift": np.right_shift,
}
OF_TRUTH = {"logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor}


def tensors():
    for name, reference in BINARY.items():
        yield name, "a:float32[n,4]{0.5:3} b:float32[4]{0.5:3}", getattr(topi, name), reference
    for name, reference in OF_INTEGERS.items():
        yield name, "a:int32[n,4]{0:9} b:int32[n,1]{0:5}", getattr(topi, name), reference
    for name, reference in OF_TRUTH.items():
        yield name, "a:bool[n]{0:2} b:bool[n]{0:2}", getattr(topi, name), reference


def integers():
    for name in ("add", "subtract", "multiply", "maximum", "less", "equal", "floor_mod", "floor_divide"):
        yield name, "a:int32[n,4]{1:9} b:int32[4]{1:5}", getattr(topi, name), BINARY[name]
    for name in ("divide", "mod"):
        yield name, "a:int32[n,4]{1:9} b:int32[4]{1:5}", getattr(topi, name), {"divide": np.floor_divide, "mod": np.mod}[name]


def shapes():
    for name, spec in {
        "same": "a:float32[n,4] b:float32[n,4]",
        "one": "a:float32[n,1] b:float32[1,4]",
        "one_by_symbol": "a:float32[1,m] b:float32[n,1]",
        "rank_0": "a:float32[] b:float32[n,4]",
        "both_rank_0": "a:float32[] b:float32[]",
        "left_smaller": "a:float32[4] b:float32[2,n,4]",
        "ranks": "a:float32[n,1,4] b:float32[3,1]",
        "constants": "a:float32[3,4] b:float32[3,4]",
        "symbols": "a:float32[n,m] b:float32[m]",
        "zero": "a:float32[0,4] b:float32[4]",
    }.items():
        yield name, spec, topi.add, np.add
    yield "symbol_and_number", "a:float32[n] b:float32[4]", topi.add, np.add, {"sizes": [{"n": 4}]}
    yield "two_symbols", "a:float32[n] b:float32[m]", topi.add, np.add, {"sizes": [{"n": 3, "m": 3}]}


def numbers():
    for name in ("add", "subtract", "divide", "maximum", "less", "power", "floor_mod"):
        f = getattr(topi, name)
        yield f"{name}_right", "a:float32[n,4]{0.5:3}", lambda a, f=f: f(a, te.const(2, "float32")), lambda a, name=name: BINARY[name](a, np.float32(2))
        yield f"{name}_left", "a:float32[n,4]{0.5:3}", lambda a, f=f: f(te.const(2, "float32"), a), lambda a, name=name: BINARY[name](np.float32(2), a)
    yield "int", "a:int32[n]{0:9}", lambda a: topi.add(a, 1), lambda a: a + 1


def broadcast_to():
    yield "rows", "a:float32[4]", lambda a: topi.broadcast_to(a, (3, 4)), lambda a: np.broadcast_to(a, (3, 4))
    yield "columns", "a:float32[n,1]", lambda a: topi.broadcast_to(a, (a.shape[0], 4)), lambda a: np.broadcast_to(a, (len(a), 4)), {"shaped": True}
    yield "rank_0", "a:float32[]", lambda a: topi.broadcast_to(a, (2, 3)), lambda a: np.broadcast_to(a, (2, 3))
    yield "ranks", "a:float32[1,n]", lambda a: topi.broadcast_to(a, (2, 3, a.shape[1])), lambda a: np.broadcast_to(a, (2, 3, a.shape[1])), {"shaped": True}
