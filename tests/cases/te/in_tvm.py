"""Write what TVM makes of case files to a JSON file: `oracle.py exec in_tvm.py OUT FILE ...`."""

import inspect
import json
import sys

import tvm
from tvm import te
from tvm.script import tir as T


def text_of(value):
    if isinstance(value, tuple):
        schedule, args = value
        return tvm.lower(schedule, args, simple_mode=True).script()
    return te.create_prim_func(**(value if isinstance(value, dict) else {"ops": value})).script()


def texts(path):
    names = {"te": te, "tvm": tvm, "T": T, "__name__": "case"}
    exec(compile(open(path).read(), path, "exec"), names)
    result = {}
    for family, cases in list(names.items()):
        if inspect.isgeneratorfunction(cases) and cases.__code__.co_filename == path:
            for name, value in cases():
                try:
                    result[f"{family}.{name}"] = text_of(value)
                except Exception as error:
                    result[f"{family}.{name}"] = "refused: " + str(error).strip().splitlines()[-1]
    return result


with open(sys.argv[1], "w") as out:
    json.dump({path: texts(path) for path in sys.argv[2:]}, out)
