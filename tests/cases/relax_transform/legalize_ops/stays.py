# pass: relax.LegalizeOps
# Calls stay where a shape is not known, sections are not equal, or no kernel is known.
@R.function
def main(x: R.Tensor((7,), "float32"), y: R.Tensor("float32", ndim=1)) -> R.Object:
    a = R.exp(y)
    b = R.split(x, 2)
    c = R.nn.dropout(x)
    return (a, b, c)

# after
# from tvm.script import relax as R

@R.function
def main(x: R.Tensor((7,), dtype="float32"), y: R.Tensor(dtype="float32", ndim=1)) -> R.Tuple(R.Tensor(dtype="float32", ndim=1), R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((3,), dtype="float32")), R.Tuple(R.Tensor((7,), dtype="float32"), R.Tensor((7,), dtype="float32"))):
    a: R.Tensor(dtype="float32", ndim=1) = R.exp(y)
    b: R.Tuple(R.Tensor((4,), dtype="float32"), R.Tensor((3,), dtype="float32")) = R.split(x, indices_or_sections=2, axis=0)
    c: R.Tuple(R.Tensor((7,), dtype="float32"), R.Tensor((7,), dtype="float32")) = R.nn.dropout(x, rate=0.5)
    return (a, b, c)
