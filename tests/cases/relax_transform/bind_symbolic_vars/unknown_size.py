# pass: relax.BindSymbolicVars({"k": 4})
# raises: UnknownName
@R.function
def main(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
    y = R.add(x, x)
    return y

# after
error[TS1008]: there is no size named k
