metadata = tvm.ir.load_json('{"root": 0, "nodes": [{"type_key": "relax.expr.Binding"}]}')  # error: TS2052 "tvm.ir"

@T.prim_func
def main():
    T.evaluate(metadata["relax.expr.Binding"][0])

# output
error[TS2052]: tvm.ir.load_json: unknown node type relax.expr.Binding
 --> <text>:1:12
  |
1 | metadata = tvm.ir.load_json('{"root": 0, "nodes": [{"type_key": "relax.expr.Binding"}]}')  # error: TS2052 "tvm.ir"
  |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
hint: supported types: Array, FloatImm, IntImm, Map, relax.expr.Constant, runtime.NDArray, runtime.String, tir.StringImm
