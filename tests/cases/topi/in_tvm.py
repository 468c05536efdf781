"""Write what TVM makes of case files of operators to a JSON file: `oracle.py exec in_tvm.py OUT FILE ...`."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import numpy as np
import spec
import tvm
from tvm import te, tir, topi
from tvm.script import tir as T

NAMES = {"te": te, "tvm": tvm, "T": T, "tir": tir, "topi": topi, "np": np}


def text(case, index_dtype):
    try:
        arguments = spec.arguments(te, case[0], case[1], index_dtype)
        if len(case) > 3 and "scheduled" in case[3]:
            schedule = te.create_schedule([tensor.op for tensor in arguments if tensor.op.input_tensors])
            return tvm.lower(schedule, arguments, simple_mode=True).script()
        override = None if index_dtype == "int32" else index_dtype
        return te.create_prim_func(arguments, override).script()
    except Exception as error:
        return "refused: " + (str(error).strip().splitlines() or [""])[-1]


result = {}
for path in sys.argv[2:]:
    cases, _ = spec.cases(path, NAMES)
    result[path] = {name: [text(case, "int32"), text(case, "int64")] for name, case in cases.items()}
with open(sys.argv[1], "w") as out:
    json.dump(result, out)
