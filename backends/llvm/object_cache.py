"""Machine code of programs on disk, keyed by the program before any lowering.

The folder is `TVMSCRIPT_CACHE_DIR`, or `tvmscript` in the user's folder for caches; `TVMSCRIPT_CACHE=0` turns the cache
off. A file holds the digest of the rest, a line of JSON and an object file. It is written under another name and
renamed, so readers see whole entries; one whose digest differs is removed. The oldest entries are removed where all of
them take more than `TVMSCRIPT_CACHE_MB` (256).
"""

from __future__ import annotations

import importlib.util
import json
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tvmscript.ir.core.equality.hashing import digest_of

if TYPE_CHECKING:
    from tvmscript.backends.llvm.target import Target

_SUFFIX: Final = ".tvmscript"
_DIGEST_CHARACTERS: Final = 64
_DEFAULT_MEGABYTES: Final = 256
_MEGABYTE: Final = 1 << 20
#: folders of the package whose code decides what a program is compiled to
_COMPILER: Final = ("ir", "backends")
_PACKAGE: Final = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Library(NamedTuple):
    """An object file for this machine."""

    code: bytes
    #: name of a public function -> its symbol
    symbols: Mapping[str, str]
    #: C functions that it calls
    externals: tuple[str, ...]


@dataclass(frozen=True)
class Key:
    """What a program is compiled from: parts with names, as texts."""

    parts: tuple[tuple[str, str], ...]

    @staticmethod
    def of(program: str, target: Target, **options: str) -> Key:
        """Return the key of a program's text."""
        machine = ", ".join(f"{name}={value}" for name, value in asdict(target).items() if name != "features")
        digest = digest_of(program.encode("utf-8", "surrogatepass"))
        parts = {"program": digest, "target": machine, "features": target.features, "versions": versions()}
        return Key(tuple(sorted((parts | options).items())))

    @cached_property
    def digest(self) -> str:
        return digest_of(json.dumps(self.parts).encode())


class Entry(NamedTuple):
    """A program of the cache; `last_use` is a time in seconds since 1970."""

    path: str
    key: Key
    functions: tuple[str, ...]
    compile_seconds: float
    bytes: int
    last_use: float


def folder() -> str | None:
    """Return the folder of the cache, None where it is turned off."""
    if os.environ.get("TVMSCRIPT_CACHE", "1").lower() in ("0", "off", "no", "false"):
        return None
    own = os.environ.get("TVMSCRIPT_CACHE_DIR")
    if own:
        return own
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(caches, "tvmscript")


def find(key: Key) -> Library | None:
    """Return the machine code of a program; None where there is none, or none that is whole."""
    place = folder()
    if place is None:
        return None
    path = os.path.join(place, f"{key.digest}{_SUFFIX}")
    content = _read(path)
    if content is None:
        return None
    header, code = content
    if header["parts"] != dict(key.parts):
        return None
    try:
        os.utime(path)
    except OSError as error:  # of another user, or removed meanwhile
        log(__name__, f"cannot mark {path} as used: {error}")
    return Library(code, header["symbols"], tuple(header["externals"]))


def store(key: Key, library: Library, compile_seconds: float) -> None:
    """Write the machine code of a program. A folder that cannot be written is left alone."""
    place = folder()
    if place is None:
        return
    header = {
        "parts": dict(key.parts),
        "symbols": dict(library.symbols),
        "externals": list(library.externals),
        "compile_seconds": compile_seconds,
    }
    content = json.dumps(header).encode() + b"\n" + library.code
    try:
        os.makedirs(place, mode=0o700, exist_ok=True)
        part = os.path.join(place, f"{key.digest}.{os.getpid()}.{threading.get_ident()}.{time.time_ns()}.part")
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(digest_of(content).encode() + b"\n" + content)
        os.replace(part, os.path.join(place, f"{key.digest}{_SUFFIX}"))
        _remove_oldest(place)
    except OSError as error:
        log(__name__, f"cannot write to {place}: {error}")


def log(module: str, message: str) -> None:
    """Write a message of level debug."""
    import logging  # which takes longer to import than the cache to find a program

    logging.getLogger(module).debug(message)


def entries() -> list[Entry]:
    """Return the programs of the cache, the last used first."""
    entries: list[Entry] = []
    for path in _paths():
        content = _read(path)
        if content is None:
            continue
        header, status = content[0], os.stat(path)
        entries.append(
            Entry(
                path,
                Key(tuple(header["parts"].items())),
                tuple(header["symbols"]),
                header["compile_seconds"],
                status.st_size,
                status.st_mtime,
            )
        )
    return sorted(entries, key=lambda entry: -entry.last_use)


def clear() -> int:
    """Remove all programs; return how many there were."""
    paths = _paths()
    for path in paths:
        _remove(path)
    return len(paths)


def _paths() -> list[str]:
    place = folder()
    if place is None or not os.path.isdir(place):
        return []
    return [os.path.join(place, name) for name in os.listdir(place) if name.endswith(_SUFFIX)]


def _read(path: str) -> tuple[dict[str, Any], bytes] | None:
    """Return the header and the code of an entry. One that is not whole is removed."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError:
        return None
    digest, rest = content[:_DIGEST_CHARACTERS], content[_DIGEST_CHARACTERS + 1 :]
    if digest_of(rest).encode() != digest:
        log(__name__, f"{path} is damaged")
        _remove(path)
        return None
    header, _, code = rest.partition(b"\n")
    return json.loads(header), code


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


def _remove_oldest(place: str) -> None:
    megabytes = os.environ.get("TVMSCRIPT_CACHE_MB", "")
    limit = (int(megabytes) if megabytes.isdecimal() else _DEFAULT_MEGABYTES) * _MEGABYTE
    files = list(_sizes(place))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= limit:
            return
        _remove(path)
        total -= size


def _sizes(place: str) -> Iterator[tuple[float, int, str]]:
    with os.scandir(place) as files:
        for file in files:
            try:
                status = file.stat()
            except FileNotFoundError:  # removed by another process
                continue
            yield status.st_mtime, status.st_size, file.path


@cache
def versions() -> str:
    """Return the versions of LLVM and of the compiler: a digest of the times and sizes of its files."""
    lines = [line for name in _COMPILER for line in _files(os.path.join(_PACKAGE, name))]
    return f"{llvm_version()}, compiler {digest_of(''.join(lines).encode())}"


@cache
def llvm_version() -> str:
    """Return which llvmlite is installed, without importing it."""
    spec = importlib.util.find_spec("llvmlite")
    assert spec is not None
    assert spec.origin is not None
    return f"llvmlite {spec.origin} {os.stat(spec.origin).st_mtime_ns}"


def _files(place: str) -> Iterator[str]:
    """Yield a line for each file of Python code below a folder."""
    with os.scandir(place) as files:
        for file in sorted(files, key=lambda entry: entry.name):
            if file.is_dir():
                yield from _files(file.path)
            elif file.name.endswith(".py"):
                status = file.stat()
                yield f"{file.path} {status.st_mtime_ns} {status.st_size}\n"
