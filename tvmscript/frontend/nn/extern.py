"""External modules: kernels in other languages, called by graph functions as packed functions.

A source is C++ with tvm-ffi's headers, or in TVM's form:

    #include <tvm/runtime/packed_func.h>
    int scale(DLTensor* x, DLTensor* result) { ... }
    TVM_DLL_EXPORT_TYPED_FUNC(scale, scale);
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import tvm_ffi

from tvmscript.backends.llvm.errors import carried, register
from tvmscript.frontend.nn.errors import CompilerFailed, ExternFunctionFailed, ExternModuleError
from tvmscript.frontend.nn.tensor import Tensor, wrap_nested
from tvmscript.ir.core import WrongType
from tvmscript.ir.relax.expr import PrimValue, StringImm, Tuple
from tvmscript.ir.tir import Expr, FloatImm, IntImm
from tvmscript.language import R

#: TVM's headers that sources include -> their text here
_HEADERS: Final = {
    "tvm/runtime/packed_func.h": """\
#pragma once
#include <dlpack/dlpack.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/runtime/data_type.h>
#include <tvm/runtime/logging.h>
#define TVM_DLL_EXPORT_TYPED_FUNC TVM_FFI_DLL_EXPORT_TYPED_FUNC
namespace tvm { namespace runtime { using namespace tvm::ffi; } }
""",
    "tvm/runtime/registry.h": "#pragma once\n#include <tvm/runtime/packed_func.h>\n",
    "tvm/runtime/data_type.h": """\
#pragma once
#include <tvm/ffi/dtype.h>
namespace tvm { namespace runtime {
class DataType {
 public:
  DataType() : data_{kDLOpaqueHandle, 0, 0} {}
  explicit DataType(DLDataType data) : data_(data) {}
  DataType(int code, int bits, int lanes)
      : data_{static_cast<uint8_t>(code), static_cast<uint8_t>(bits), static_cast<uint16_t>(lanes)} {}
  int code() const { return data_.code; }
  int bits() const { return data_.bits; }
  int bytes() const { return (data_.bits + 7) / 8; }
  int lanes() const { return data_.lanes; }
  bool operator==(const DataType& other) const { return data_ == other.data_; }
  bool operator!=(const DataType& other) const { return !(*this == other); }
  operator DLDataType() const { return data_; }
  static DataType Int(int bits, int lanes = 1) { return DataType(kDLInt, bits, lanes); }
  static DataType UInt(int bits, int lanes = 1) { return DataType(kDLUInt, bits, lanes); }
  static DataType Float(int bits, int lanes = 1) { return DataType(kDLFloat, bits, lanes); }
  static DataType BFloat(int bits, int lanes = 1) { return DataType(kDLBfloat, bits, lanes); }
  static DataType Bool(int lanes = 1) { return DataType(kDLBool, 8, lanes); }

 private:
  DLDataType data_;
};
} }
""",
    "tvm/runtime/logging.h": """\
#pragma once
#include <tvm/ffi/error.h>
#define ICHECK TVM_FFI_ICHECK
#define ICHECK_EQ TVM_FFI_ICHECK_EQ
#define ICHECK_NE TVM_FFI_ICHECK_NE
#define ICHECK_LT TVM_FFI_ICHECK_LT
#define ICHECK_LE TVM_FFI_ICHECK_LE
#define ICHECK_GT TVM_FFI_ICHECK_GT
#define ICHECK_GE TVM_FFI_ICHECK_GE
#define CHECK(condition) TVM_FFI_CHECK(condition, ValueError)
""",
}
#: format of a source -> suffix of its file
_SUFFIXES: Final = {"cpp": ".cpp"}
#: suffixes of texts that are names of files
_SOURCE_FILES: Final = (".cc", ".cpp", ".cxx")
_OPTIONS: Final = ("-O3", "-std=c++17")
_LIBRARY_OPTIONS: Final = ("-shared", "-fPIC")


def to_expression(value: Any) -> Any:
    """Return the expression of an argument of a packed function. Raises `WrongType`."""
    if isinstance(value, Tensor):
        return value.expr
    if isinstance(value, int):
        return PrimValue(IntImm("int64", value))
    if isinstance(value, float):
        return PrimValue(FloatImm("float64", value))
    if isinstance(value, str):
        return StringImm(value)
    if isinstance(value, Expr):
        return PrimValue(value)
    if isinstance(value, (tuple, list)):
        fields: Sequence[Any] = value
        return Tuple(tuple([to_expression(field) for field in fields]))
    expected = "tensors, numbers, strings, tuples of these"
    raise WrongType(where="an external function", expected=expected, got=repr(value))


class ExternModule:
    """Base of external modules: `symbols` maps each function to a Python function that describes its result.

    `module["scale"](x)` binds a call in the method that is being exported. A function writes its result into the last
    argument; one that returns a nonzero integer fails, and its call raises `ExternFunctionFailed`.
    """

    def __init__(self, symbols: Mapping[str, Callable[..., Any]]) -> None:
        self.symbols = dict(symbols)

    @property
    def _symbols(self) -> dict[str, Callable[..., Any]]:
        """The symbols, under TVM's name."""
        return self.symbols

    def __getitem__(self, func_name: str) -> Callable[..., Any]:
        """Return a function that binds a call. Raises `ExternModuleError` for an unknown name."""
        if func_name not in self.symbols:
            raise ExternModuleError(reason=f"there is no {func_name}, only {', '.join(self.symbols)}")
        describe_result = self.symbols[func_name]

        def call(*args: Any) -> Any:
            result_info = to_expression(describe_result(*args)).struct_info
            return wrap_nested(R.call_dps_packed(func_name, to_expression(args), result_info), func_name)

        return call

    def load(self) -> Mapping[str, Callable[..., Any]]:
        """Return the functions by name."""
        raise NotImplementedError

    def load_library(self, path: Path) -> Mapping[str, Callable[..., Any]]:
        """Return the functions of a shared library, which check their codes. Raises `ExternModuleError`."""
        library: Any = tvm_ffi.load_module(str(path))
        functions: dict[str, Callable[..., Any]] = {}
        for name in self.symbols:
            if not library.implements_function(name):
                hint = f"end the source with TVM_DLL_EXPORT_TYPED_FUNC({name}, {name});"
                raise ExternModuleError(reason=f"the module exports no {name}", hint=hint)
            functions[name] = _checked(name, library.get_function(name))
        return functions


class ObjectModule(ExternModule):
    """An external module in an object file, which is linked when it is loaded."""

    def __init__(self, symbols: Mapping[str, Callable[..., Any]], filepath: str | Path) -> None:
        """Raises `ExternModuleError` where there is no such file."""
        self.filepath = Path(filepath)
        if not self.filepath.is_file():
            raise ExternModuleError(reason=f"{filepath} is no file")
        super().__init__(symbols)

    def load(self) -> Mapping[str, Callable[..., Any]]:
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / "extern.so"
            _run_compiler("c++", [*_LIBRARY_OPTIONS, str(self.filepath), "-o", str(library), *_libraries()])
            return self.load_library(library)


class SourceModule(ExternModule):
    """An external module in C++, which is compiled when it is loaded."""

    def __init__(
        self,
        symbols: Mapping[str, Callable[..., Any]],
        source_code: str | Path,
        source_format: str,
        compile_options: Sequence[str] | None = None,
        compiler: str | None = None,
        output_format: str = "obj",
    ) -> None:
        """`source_code` is the text, or the path of a file. Raises `ExternModuleError` for another format than cpp."""
        if source_format not in _SUFFIXES:
            raise ExternModuleError(reason=f"sources are cpp, not {source_format}")
        if output_format != "obj":
            raise ExternModuleError(reason=f"outputs are obj, not {output_format}")
        self.source_code = _read_source(source_code)
        self.source_suffix = _SUFFIXES[source_format]
        self.output_suffix = ".o"
        options = SourceModule.get_compile_options(source_format) if compile_options is None else compile_options
        self.compile_options = list(options)
        self.compiler = compiler
        super().__init__(symbols)

    @staticmethod
    def get_includes(tvm_pkg: Sequence[str] | None = None) -> list[Path]:
        """Return the folders of tvm-ffi's headers. Raises `ExternModuleError` for packages of TVM."""
        if tvm_pkg:
            raise ExternModuleError(reason=f"there are no packages {', '.join(tvm_pkg)} of TVM")
        return [Path(path) for path in tvm_ffi.libinfo.include_paths()]

    @staticmethod
    def get_compile_options(source_format: str, tvm_pkg: Sequence[str] | None = None) -> list[str]:
        """Return the options of the compiler: headers, the standard, optimization."""
        if source_format not in _SUFFIXES:
            raise ExternModuleError(reason=f"sources are cpp, not {source_format}")
        includes = [option for path in SourceModule.get_includes(tvm_pkg) for option in ("-I", str(path))]
        return [*includes, "-c", *_OPTIONS]

    def compile(self, output_path: str | Path) -> None:
        """Write the object file. Raises `CompilerFailed`."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / f"main{self.source_suffix}"
            source.write_text(self.source_code, encoding="utf-8")
            for name, text in _HEADERS.items():
                header = Path(folder) / name
                header.parent.mkdir(parents=True, exist_ok=True)
                header.write_text(text, encoding="utf-8")
            options = [*self.compile_options, "-fPIC", "-I", folder]
            _run_compiler(self.compiler or "c++", [*options, str(source), "-o", str(output_path)])

    def load(self) -> Mapping[str, Callable[..., Any]]:
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / f"main{self.output_suffix}"
            self.compile(output)
            return ObjectModule(self.symbols, output).load()


def _checked(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function that raises `ExternFunctionFailed` for each nonzero integer that a function returns."""

    @carried
    def call(*args: Any) -> None:
        returned: object = function(*args)
        if isinstance(returned, int) and not isinstance(returned, bool) and returned != 0:
            raise ExternFunctionFailed(name=name, returned=returned)

    register()
    native: Callable[..., Any] = tvm_ffi.convert(call)
    return native


def _read_source(source_code: str | Path) -> str:
    if isinstance(source_code, Path):
        if not source_code.is_file():
            raise ExternModuleError(reason=f"{source_code} is no file")
        return source_code.read_text(encoding="utf-8")
    is_path = "\n" not in source_code and len(source_code) < 1000
    is_path = is_path and (Path(source_code).is_file() or Path(source_code).suffix in _SOURCE_FILES)
    return _read_source(Path(source_code)) if is_path else source_code


def _libraries() -> list[str]:
    """Return the options that link tvm-ffi's library."""
    library = Path(tvm_ffi.libinfo.find_libtvm_ffi())
    return [str(library), f"-Wl,-rpath,{library.parent}"]


def _run_compiler(compiler: str, options: Sequence[str]) -> None:
    """Run a compiler. Raises `CompilerFailed`."""
    try:
        result = subprocess.run([compiler, *options], capture_output=True, text=True, check=False)
    except OSError as error:
        raise CompilerFailed(compiler=compiler, output=str(error)) from error
    if result.returncode:
        raise CompilerFailed(compiler=compiler, output=result.stderr.strip()[:2000])
