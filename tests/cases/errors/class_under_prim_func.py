@T.prim_func  # error: TS2023 "T.prim_func"
class Module:
    pass
