# from tvm.script import tir as T

@T.prim_func(private=True)
def main():
    T.func_attr({"ключ": "é中\n\x00\x85\u2028😀"})
    T.evaluate("line\nline")
