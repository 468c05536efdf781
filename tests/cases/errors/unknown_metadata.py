metadata = tvm.ir.load_json('{"root": 0, "nodes": [{"type_key": "relax.expr.Constant"}]}')  # error: TS2052 "tvm.ir"

@T.prim_func
def main():
    T.evaluate(metadata["relax.expr.Constant"][0])
