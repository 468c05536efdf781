"""What case files of operators have, in TVM's environment and in that of the tests.

A function of a case file yields cases: a name, the inputs `x:float32[n,4] i:int32[3]{0:5}` with the range of their
values, a function from tensors to tensors, one from arrays to arrays that says what the values are (or None), and
options of the test of values. Letters are symbolic sizes.
"""

import inspect
import re

INPUT = re.compile(r"(\w+):(\w+)\[([^\]]*)\](?:\{([^}]*)\})?")


def inputs(spec):
    """Return the inputs of a spec: name, dtype, dims, range."""
    return [
        (name, dtype, [dim for dim in dims.split(",") if dim], values) for name, dtype, dims, values in INPUT.findall(spec)
    ]


def arguments(te, spec, build, index_dtype):
    """Return the arguments of `te.create_prim_func`, with sizes of a dtype."""
    sizes = {}
    for _, _, dims, _ in inputs(spec):
        sizes.update({dim: te.var(dim, index_dtype) for dim in dims if not dim.isdigit() and dim not in sizes})
    tensors = [
        te.placeholder([sizes.get(dim) if dim in sizes else te.const(int(dim), index_dtype) for dim in dims], dtype, name)
        for name, dtype, dims, _ in inputs(spec)
    ]
    outputs = build(*tensors)
    return [*tensors, *(outputs if isinstance(outputs, (list, tuple)) or type(outputs).__name__ == "Array" else [outputs])]


def cases(path, names):
    """Return the cases of a file by name."""
    names = {**names, "__name__": "case"}
    with open(path) as file:
        exec(compile(file.read(), path, "exec"), names)
    functions = [item for item in names.values() if inspect.isgeneratorfunction(item) and item.__code__.co_filename == path]
    families = [item for item in functions if not item.__name__.startswith("_")]
    return {f"{family.__name__}.{case[0]}": case[1:] for family in families for case in family()}, names.get("DIFFERENT", {})
