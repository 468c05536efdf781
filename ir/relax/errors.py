"""Errors of the graph level: invalid calls (TS12xx) and violated rules of well-formed programs (TS13xx)."""

from __future__ import annotations

from tvmscript.ir.core.errors import IRError


class InvalidCall(IRError):
    """An operator of the graph level is called with values that it does not take: another rank, dtype, shape, count.
    The message says which argument and what it takes.
    """

    code = "TS1200"
    message = "{operator}: {argument} takes {expected}, but got {got}"


class UnknownStructInfo(IRError):
    """A value of which nothing is known is to be bound to a variable: its operator has no rule, or an argument of it
    is not known either.
    """

    code = "TS1201"
    message = "nothing is known of {what}, so that no variable can hold it"
    advice = "give the call its struct_info, or match_cast an argument"


class BuilderMisuse(IRError):
    """A method of the BlockBuilder is called where it has nothing to work on: `emit` outside of a function,
    `emit_output` outside of a dataflow block, `emit_func_output` twice or with no parameters.
    """

    code = "TS1202"
    message = "{method} {where}"


class NoFunctionOutput(IRError):
    """A function of the BlockBuilder ended without `emit_func_output`, which says what it returns."""

    code = "TS1203"
    message = "the function {name} ends without emit_func_output"
    advice = "call emit_func_output(value) as the last statement of the function"


class NoTensorExpressions(IRError):
    """A kernel is to be made of a Python function over tensor expressions (TE), which this package does not have: write
    it as a `@T.prim_func`, add it with `bb.add_func`, and call it by `R.call_tir`.
    """

    code = "TS1205"
    message = "{method} needs tensor expressions, which are not here"
    advice = "add a T.prim_func with bb.add_func and emit R.call_tir of it"


class UndefinedValue(IRError):
    """A variable is used where nothing bound it: it is no parameter, and its binding stands further down, in another
    branch or in another function.
    """

    code = "TS1300"
    message = "{name} is used, but nothing binds it here"


class DataflowVarOutside(IRError):
    """A variable of a dataflow block is used outside of the block; only its outputs are seen there."""

    code = "TS1301"
    message = "{name} is seen inside of its dataflow block alone"
    advice = "make it an output: R.output({name})"


class DuplicateBinding(IRError):
    """A variable is bound at two places, or is a parameter of two functions. Each binding makes its own variable."""

    code = "TS1302"
    message = "{name} is bound twice"


class UndefinedSizeVar(IRError):
    """A size variable is used that neither a parameter nor a cast in front defines. A size of its own, such as `n` in
    `R.Tensor((n, 4))`, defines it; an expression such as `n + 1` uses it.
    """

    code = "TS1303"
    message = "the size {name} is used, but nothing defines it here"
    advice = "a parameter whose shape has {name} itself defines it, or R.match_cast"


class NotInNormalForm(IRError):
    """An argument is a call, an if or an item of a tuple. In normal form each of these is bound to a variable first."""

    code = "TS1304"
    message = "{what} is an argument of {owner}; in normal form it has a variable of its own"


class ImpureCall(IRError):
    """A call with side effects in a dataflow block, or in a function that is pure. A function that is called counts as
    what its struct info says; packed functions have side effects unless `R.call_pure_packed` says otherwise.
    """

    code = "TS1305"
    message = "{what} may have side effects, which {where} has not"
    advice = "use R.call_pure_packed, make the function @R.function(pure=False), or set relax.force_pure"


class MissingStructInfo(IRError):
    """A variable without struct info. Everything that a variable holds is known to be something, an object at least."""

    code = "TS1306"
    message = "nothing is known of {name}"


class StructInfoMismatch(IRError):
    """What a variable is said to be is not what its value can be: another dtype, rank or kind."""

    code = "TS1307"
    message = "{name} is said to be {expected}, but its value is {got}"


class ControlFlowInDataflow(IRError):
    """An if in a dataflow block, which has no control flow."""

    code = "TS1308"
    message = "a dataflow block has no control flow, but {name} is bound to an if"


class UndefinedGlobal(IRError):
    """A function of the module is named that the module does not have."""

    code = "TS1309"
    message = "the module has no function {name}"


class WrongCondition(IRError):
    """The condition of an if is a scalar, or a tensor of one element: a bool, mostly, but other dtypes and what is not
    known are taken as well, as in TVM, which asks only when the program runs.
    """

    code = "TS1310"
    message = "the condition of an if is one truth value, but this is {got}"


class ImpureForcePure(IRError):
    """A function that says of itself that it has side effects (`pure=False`) and, by its attribute `relax.force_pure`,
    that its calls are to be taken for pure ones. The attribute is for functions that are pure as a whole.
    """

    code = "TS1312"
    message = "relax.force_pure is set, but the function is not pure"
    advice = "leave pure=False out, or the attribute"


class ResultMismatch(IRError):
    """What a function says of its result is not what its body gives: another dtype, rank or kind. TVM reads such
    functions, and so texts of it may have them; callers believe what is said.
    """

    code = "TS1316"
    message = "the result of {name} is said to be {expected}, but it is {got}"


class GlobalSymbolMismatch(IRError):
    """A function of the graph level stands in its module under another name than its attribute `global_symbol` says."""

    code = "TS1313"
    message = "{name} has the global_symbol {got}"
    advice = "both names are the same; a private function has no global_symbol"


class SharedSizeVar(IRError):
    """Two functions of a module define the same variable of a size. Functions have sizes of their own: two variables,
    which may have one name. Texts always have two; programs made in Python may not.
    """

    code = "TS1314"
    message = "the size {name} belongs to {first} and to {second}"


class NestedKernel(IRError):
    """A kernel stands inside of a function of the graph level. Kernels are members of modules, and are called by
    `R.call_tir(cls.f, ...)`.
    """

    code = "TS1315"
    message = "{name} is a kernel, which stands in the module, not in a function"


class WrongKernelCall(IRError):
    """`R.call_tir` gives a kernel of the module what it does not take: another number of arguments than it has
    parameters, or a tensor of another rank, dtype or extent, or it calls what is no kernel. The parameters are the
    arguments of the call, then one new tensor for each result, then the sizes in `tir_vars`. TVM 0.17 reads such calls,
    and so texts of it may have them.
    """

    code = "TS1311"
    message = "{name} takes {expected}, but is given {got}"
    advice = "the last parameters of a kernel are its results, one for each tensor in out_sinfo"
