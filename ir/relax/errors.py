"""Errors of the graph level: invalid calls and builder misuse (TS12xx), rules of well-formed programs (TS13xx)."""

from __future__ import annotations

from tvmscript.ir.core import IRError


class InvalidCall(IRError, code="TS1200"):
    """An operator or function is called with an argument or attribute that it does not accept: wrong rank, dtype,
    shape, or number of arguments.
    """

    message = "{operator}: {argument} takes {expected}, but got {got}"


class UnknownStructInfo(IRError, code="TS1201"):
    """`BlockBuilder` cannot bind a value to a variable, because the struct info of the value is unknown: its operator
    has no inference rule, or an argument has no struct info.
    """

    message = "cannot bind {what} to a variable: its struct info is unknown"
    advice = "pass struct_info to the call, or match_cast an argument"


class BuilderMisuse(IRError, code="TS1202"):
    """A method of `BlockBuilder` is called in the wrong state: `emit` outside of a function, `emit_output` outside of a
    dataflow block, `emit_func_output` twice or without parameters.
    """

    message = "{method} {where}"


class NoFunctionOutput(IRError, code="TS1203"):
    """A function of `BlockBuilder` ends without `emit_func_output`, so it has no result."""

    message = "the function {name} ends without emit_func_output"
    advice = "call emit_func_output(value) as the last statement of the function"


class NoKernel(IRError, code="TS1205"):
    """An operator, or a Python function over tensors, cannot become a kernel: the shape or the dtype of a tensor is not
    known, an argument is of a kind that kernels do not take, or a result is no tensor.
    """

    message = "{name} cannot become a kernel: {reason}"


class RecursiveInlining(IRError, code="TS1206"):
    """A function that calls itself, also through others, cannot be inlined."""

    message = "{name} calls itself and cannot be inlined"


class NotDifferentiable(IRError, code="TS1207"):
    """A function or a call cannot be differentiated: an operator has no gradient, a shape is not known, the function is
    not one dataflow block, or the target is not a float scalar.
    """

    message = "cannot differentiate {what}: {reason}"


class BadRewriteRule(IRError, code="TS1209"):
    """A module is no rewrite rule: it lacks `pattern` or `replacement`, they have different signatures, or one of them
    is more than pure calls and tuples.
    """

    message = "the rewriter {reason}"
    advice = "write the functions pattern and replacement with equal parameters and results"


class UndefinedValue(IRError, code="TS1300"):
    """A variable is used that is not in scope: it is not a parameter, and its binding comes later, in another branch,
    or in another function.
    """

    message = "{name} is used, but not bound in this scope"


class DataflowVarOutside(IRError, code="TS1301"):
    """A DataflowVar is used outside of its dataflow block. Only outputs of the block are visible after it."""

    message = "{name} is used outside of its dataflow block"
    advice = "make it an output of the block: R.output({name})"


class DuplicateBinding(IRError, code="TS1302"):
    """One variable object is bound twice, or is a parameter of two functions. Each binding needs its own variable."""

    message = "{name} is bound twice"


class UndefinedSizeVar(IRError, code="TS1303"):
    """A size variable is used that no earlier parameter or cast defines. An extent that is the variable alone, such as
    `n` in `R.Tensor((n, 4))`, defines it; an expression such as `n + 1` only uses it.
    """

    message = "the size variable {name} is used, but not defined in this scope"
    advice = "use {name} alone as an extent of a parameter, or define it with R.match_cast"


class NotInNormalForm(IRError, code="TS1304"):
    """An argument is a call, an if, or a tuple item. A-normal form binds each of these to a variable first."""

    message = "{what} is an argument of {owner}; A-normal form binds it to a variable first"


class ImpureCall(IRError, code="TS1305"):
    """A call with side effects in a dataflow block or in a pure function. The struct info of a callee gives its purity;
    packed functions are impure unless called by `R.call_pure_packed`.
    """

    message = "{what} may have side effects, which are not allowed in {where}"
    advice = "use R.call_pure_packed, make the function @R.function(pure=False), or set relax.force_pure"


class MissingStructInfo(IRError, code="TS1306"):
    """A variable has no struct info. Every variable needs one, `R.Object` at least."""

    message = "{name} has no struct info"


class StructInfoMismatch(IRError, code="TS1307"):
    """The annotation of a variable contradicts the struct info of its value: another dtype, rank, or kind."""

    message = "{name} is annotated as {expected}, but its value is {got}"


class ControlFlowInDataflow(IRError, code="TS1308"):
    """An if in a dataflow block. Dataflow blocks have no control flow."""

    message = "{name} is bound to an if, but a dataflow block has no control flow"


class UndefinedGlobal(IRError, code="TS1309"):
    """A GlobalVar names a function that the module does not have."""

    message = "the module has no function {name}"


class WrongCondition(IRError, code="TS1310"):
    """The condition of an if is not a scalar or a one-element tensor. Dtypes other than bool and unknown shapes are
    accepted: TVM checks these at run time.
    """

    message = "the condition of an if must be a scalar, but it is {got}"


class WrongKernelCall(IRError, code="TS1311"):
    """`R.call_tir` passes a kernel of the module the wrong number of arguments, a tensor of another rank, dtype or
    extent, or calls a function that is not a kernel. The parameters of a kernel are the arguments of the call, one new
    tensor for each result, and the sizes in `tir_vars`. TVM 0.17 accepts such calls, so its texts may contain them.
    """

    message = "{name} takes {expected}, but got {got}"
    advice = "the last parameters of a kernel are its results, one for each tensor in out_sinfo"


class ImpureForcePure(IRError, code="TS1312"):
    """A function is impure (`pure=False`) and has the attribute `relax.force_pure`, which treats its calls as pure. The
    attribute is for functions that are pure as a whole.
    """

    message = "relax.force_pure is set, but the function is impure"
    advice = "remove pure=False or the attribute relax.force_pure"


class GlobalSymbolMismatch(IRError, code="TS1313"):
    """The name of a function in its module differs from its attribute `global_symbol`."""

    message = "the function {name} has the global_symbol {got}"
    advice = "use one name for both; a private function has no global_symbol"


class SharedSizeVar(IRError, code="TS1314"):
    """Two functions of a module define the same size variable object. Each function needs its own variables, which may
    have equal names. Only programs built in Python can violate this rule.
    """

    message = "the functions {first} and {second} share the size variable {name}"


class NestedKernel(IRError, code="TS1315"):
    """A PrimFunc is bound inside a graph function. Kernels are members of modules, called by `R.call_tir`."""

    message = "{name} is bound to a kernel, which must be a member of the module"


class ResultMismatch(IRError, code="TS1316"):
    """The annotation of a function's result contradicts the struct info of its body: another dtype, rank, or kind. TVM
    accepts such functions, so its texts may contain them; callers rely on the annotation.
    """

    message = "the result of {name} is annotated as {expected}, but it is {got}"
