"""The names of `tvm.testing` that need pytest: `parameter`, `requires_cuda`, `CompareBeforeAfter`, ...

Parameters of tests are fixtures. Fixtures named `target` and `dev` of tests written for TVM are in `target_fixtures`.
"""

from __future__ import annotations

import copy
import functools
import importlib.util
import inspect
import itertools
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar

import pytest

from tvmscript.backends.runtime.device import Device, device, enabled
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import BaseFunc, IRModule, TVMScriptError
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.tir import Expr, PrimFunc
from tvmscript.language import prim_func
from tvmscript.testing.numerical_grads import check_numerical_grads as check_numerical_grads

FuncT = TypeVar("FuncT", bound=Callable[..., Any])

#: targets that tests run on where TVM_TEST_TARGETS names none
DEFAULT_TEST_TARGETS: Final = ("llvm", "cuda", "nvptx", "vulkan", "opencl", "metal", "rocm", "hexagon")
IS_IN_CI: Final = bool(os.environ.get("CI"))
SKIP_SLOW_TESTS: Final = os.environ.get("SKIP_SLOW_TESTS", "").lower() in ("true", "1", "yes")

slow = pytest.mark.skipif(SKIP_SLOW_TESTS, reason="SKIP_SLOW_TESTS is set")
skip_if_wheel_test = pytest.mark.skipif(False, reason="")


def main() -> None:
    """Run pytest on the file of the caller, and exit with its status."""
    file = inspect.getsourcefile(sys._getframe(1))  # pyright: ignore[reportPrivateUsage]
    sys.exit(pytest.main([str(file), *sys.argv[1:]]))


def _test_targets() -> list[str]:
    named = os.environ.get("TVM_TEST_TARGETS", "")
    return [target.strip() for target in named.split(";") if target.strip()] or list(DEFAULT_TEST_TARGETS)


def enabled_targets() -> list[tuple[str, Device]]:
    """Return the targets of tests that programs run on here, with their devices."""
    return [(target, device(target)) for target in _test_targets() if device_enabled(target)]


def device_enabled(target: object) -> bool:
    """Return whether tests run on a target."""
    kind = str(target).split()[0]
    return enabled(kind) and kind in {name.split()[0] for name in _test_targets()}


def parametrize_targets(*args: Any) -> Any:
    """Run a test on these targets, or on all that are enabled."""
    if len(args) == 1 and callable(args[0]):
        return args[0]
    targets = [_with_skip(target) for target in args]
    return lambda test: pytest.mark.parametrize("target", targets)(test)


def _with_skip(target: Any) -> Any:
    marks = [] if device_enabled(target) else [pytest.mark.skip(reason=f"{target} does not run here")]
    return pytest.param(target, marks=marks)


def exclude_targets(*args: str) -> Callable[[FuncT], FuncT]:
    """Do not run a test on these targets."""
    return functools.partial(_with_attribute, "tvm_excluded_targets", args)


def known_failing_targets(*args: str) -> Callable[[FuncT], FuncT]:
    """Expect a test to fail on these targets."""
    return functools.partial(_with_attribute, "tvm_known_failing_targets", args)


def _with_attribute(name: str, value: object, test: FuncT) -> FuncT:
    setattr(test, name, value)
    return test


def uses_gpu(test: FuncT) -> FuncT:
    """Mark a test that uses a GPU where there is one."""
    return test


uses_multi_gpu = uses_gpu


class Feature:
    """What a test requires: `@requires_cuda`, `requires_llvm.marks()`. The test is skipped where it is missing."""

    def __init__(self, name: str, long_name: str | None = None, is_present: bool = False) -> None:
        self.name = name
        self.long_name = long_name or name
        self.is_present = is_present

    def marks(self, support_required: str = "compile-and-run") -> list[pytest.MarkDecorator]:
        """Return the marks of a test that requires the feature."""
        is_missing = not self.is_present and support_required != "optional"
        return [pytest.mark.skipif(is_missing, reason=f"{self.long_name} is not here")]

    def __call__(self, func: Any = None, *, support_required: str = "compile-and-run") -> Any:
        def mark(test: Any) -> Any:
            for item in self.marks(support_required):
                test = item(test)
            return test

        return mark if func is None else mark(func)

    @classmethod
    def require(cls, name: str, support_required: str = "compile-and-run") -> Feature:
        """Return the feature of a name."""
        return cls(name, is_present=name in _PRESENT)


_PRESENT: Final = frozenset({"llvm", "x86"}) if os.uname().machine == "x86_64" else frozenset({"llvm"})
_FEATURES: Final = (
    "aarch64_sve arm_dot cmsisnn corstone300 cublas cuda cudagraph cudnn cutlass ethosn ethosu gpu hexagon libtorch "
    "llvm matrixcore metal micro mrvl multi_gpu nccl nvptx opencl openclml rocm rpc tensorcore vitis_ai vulkan x86 "
    "x86_amx x86_avx512 x86_vnni"
)


def __getattr__(name: str) -> Feature:
    feature = name.removeprefix("requires_")
    if feature == name or feature not in _FEATURES.split():
        raise AttributeError(f"module 'tvmscript.testing.utils' has no attribute {name!r}")
    return Feature.require(feature)


def is_ampere_or_newer() -> bool:
    """Return whether the CUDA device is one of compute capability 8 or more: there is none here."""
    return False


def requires_cuda_compute_version(major_version: int, minor_version: int = 0) -> Callable[[FuncT], FuncT]:
    """Skip a test that requires a CUDA device."""
    return Feature("cuda", f"compute capability {major_version}.{minor_version}")


def requires_nvcc_version(
    major_version: int, minor_version: int = 0, release_version: int = 0
) -> Callable[[FuncT], FuncT]:
    """Skip a test that requires NVIDIA's compiler."""
    return Feature("nvcc", f"nvcc {major_version}.{minor_version}.{release_version}")


def requires_package(*packages: str) -> Callable[[FuncT], FuncT]:
    """Skip a test unless these packages are installed."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


def skip_if_32bit(reason: str) -> Callable[[FuncT], FuncT]:
    """Skip a test on machines of 32 bits."""
    return pytest.mark.skipif(sys.maxsize < 2**32, reason=reason)


def parameter(*values: Any, ids: Any = None, by_dict: dict[str, Any] | None = None) -> Any:
    """Return a fixture that has these values, one after the other."""
    if by_dict is not None:
        values, ids = tuple(by_dict.values()), list(by_dict)

    def value_of(*_: Any, request: Any) -> Any:
        return request.param

    return pytest.fixture(params=values, ids=ids)(value_of)


@dataclass(frozen=True)
class ParameterGroup:
    """The values of one fixture of `parameters`; fixtures with one number belong together."""

    number: int
    values: Sequence[Any]
    ids: Any


#: numbers of the groups of `parameters`
_GROUPS: Final = itertools.count()


def parameters(*value_sets: Sequence[Any], ids: Any = None) -> list[Any]:
    """Return fixtures whose values belong together: the first ones of all, the second ones of all, ...

    The plugin of pytest, `tvmscript.testing.plugin`, pairs them.
    """
    group = next(_GROUPS)
    fixtures: list[Any] = []
    for values in zip(*value_sets, strict=True):

        def value_of(*_: Any, request: Any) -> Any:
            return request.param

        value_of.parameter_group = ParameterGroup(group, values, ids)  # type: ignore[attr-defined]
        fixtures.append(pytest.fixture(value_of))
    return fixtures


def fixture(func: Any = None, *, cache_return_value: bool = False) -> Any:
    """Make a function a fixture; with `cache_return_value` each value is computed once, and tests get copies."""

    def decorate(function: Any) -> Any:
        return pytest.fixture(_cached(function) if cache_return_value else function)

    return decorate if func is None else decorate(func)


def _cached(function: Any) -> Any:
    values: dict[str, Any] = {}

    @functools.wraps(function)
    def compute(*args: Any, **kwargs: Any) -> Any:
        key = repr((args, kwargs))
        if key not in values:
            values[key] = function(*args, **kwargs)
        return copy.deepcopy(values[key])

    return compute


def assert_prim_expr_equal(lhs: Expr, rhs: Expr) -> None:
    """Raise `ValueError` unless two expressions are the same."""
    if not expr_deep_equal(lhs, rhs):
        raise ValueError(f"{lhs} and {rhs} are not equal")


class _SpanFilling:
    """`with enable_span_filling():` has no effect: programs know their places always."""

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


enable_span_filling = disable_span_filling = _SpanFilling


class CompareBeforeAfter:
    """Base of tests of passes: `before` and `expected` are functions, modules or fixtures, `transform` is the pass.

    `expected` may be an exception class, which the pass raises then.
    """

    check_well_formed: ClassVar[bool] = True
    transform: Any

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name in ("before", "expected", "Before", "Expected"):
            if name in vars(cls):
                setattr(cls, name.lower(), _program_fixture(vars(cls)[name], name.lower(), cls.check_well_formed))
        transform: Any = vars(cls).get("transform")
        if transform is not None and not _is_fixture(transform):
            cls.transform = _transform_fixture(transform)

    def test_compare(self, before: Any, expected: Any, transform: Any) -> None:
        """Compare what the pass makes of `before` with `expected`."""
        if isinstance(expected, type) and issubclass(expected, Exception):
            # TVM's error class may be the base of ours
            with pytest.raises(expected if issubclass(expected, TVMScriptError) else Exception):
                transform(before)
            return
        assert_structural_equal(transform(before), expected)


def _is_fixture(value: Any) -> bool:
    return hasattr(value, "_pytestfixturefunction") or type(value).__name__ == "FixtureFunctionDefinition"


def _named(func: Any, name: str) -> Any:
    return func if "global_symbol" in func.attrs else func.with_attr("global_symbol", name)


def _as_module(value: Any) -> Any:
    if isinstance(value, PrimFunc):
        # the name of the function plays no part
        return IRModule({"main": value.with_attr("global_symbol", "main")})
    return value


def _program_fixture(value: Any, name: str, check_well_formed: bool) -> Any:
    """Return the fixture of a program: given as it is, as a class, as a function that makes it, or as a fixture."""
    if _is_fixture(value):
        return value
    if isinstance(value, type) and not issubclass(value, Exception):
        functions = {key: func for key, func in vars(value).items() if isinstance(func, BaseFunc)}
        return _constant(lambda: IRModule({key: _named(func, key) for key, func in functions.items()}))
    if inspect.isfunction(value) and "self" not in inspect.signature(value).parameters:
        func: Any = prim_func(check_well_formed=check_well_formed)(value)
        return _constant(lambda: _as_module(func))
    if inspect.isfunction(value):
        parameter_names = list(inspect.signature(value).parameters)

        def of_fixtures(self: Any, **values: Any) -> Any:
            return _as_module(value(self, **values))

        signature = inspect.Signature(
            [inspect.Parameter(item, inspect.Parameter.POSITIONAL_OR_KEYWORD) for item in parameter_names]
        )
        named: Any = of_fixtures
        named.__signature__ = signature
        return pytest.fixture(named)
    return _constant(lambda: _as_module(value))


def _constant(make: Callable[[], Any]) -> Any:
    def program(self: Any) -> Any:
        return make()

    return pytest.fixture(program)


def _transform_fixture(value: Any) -> Any:
    if not inspect.isfunction(value):
        return _constant(lambda: value)
    names = list(inspect.signature(value).parameters)

    def of_fixtures(self: Any, **values: Any) -> Any:
        return value(self, **values)

    named: Any = of_fixtures
    named.__signature__ = inspect.Signature(
        [inspect.Parameter(item, inspect.Parameter.POSITIONAL_OR_KEYWORD) for item in names]
    )
    # a method that takes the module is the pass itself
    return _constant_method(value) if len(names) > 1 and names[1] in ("mod", "func") else pytest.fixture(named)


def _constant_method(method: Any) -> Any:
    def transform(self: Any) -> Any:
        return functools.partial(method, self)

    return pytest.fixture(transform)
