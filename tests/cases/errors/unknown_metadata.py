metadata = tvm.ir.load_json('{"root": 0, "nodes": [{"type_key": "relax.expr.Binding"}]}')  # error: TS2052 "tvm.ir"

@T.prim_func
def main():
    T.evaluate(metadata["relax.expr.Binding"][0])

# output
error[TS2052]: tvm.ir.load_json: a node of type relax.expr.Binding is not known
 --> <text>:1:12
  |
1 | metadata = tvm.ir.load_json('{"root": 0, "nodes": [{"type_key": "relax.expr.Binding"}]}')  # error: TS2052 "tvm.ir"
  |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
hint: read are Array, FloatImm, IntImm, Map, relax.expr.Constant, runtime.NDArray, runtime.String, tir.StringImm
