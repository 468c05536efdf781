"""Machine code of programs on disk, keyed by the program before any lowering.

The folder is `TVMSCRIPT_CACHE_DIR`, or `tvmscript` in the user's folder for caches; `TVMSCRIPT_CACHE=0` turns the cache
off. A file holds the digest of the rest, a line of JSON and an object file. It is written under another name and
renamed, so readers see whole entries; one whose digest differs is removed. The oldest entries are removed where all of
them take more than `TVMSCRIPT_CACHE_MB` (256).
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import logging
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from tvmscript.backends.llvm.target import Target

_SUFFIX: Final = ".tvmscript"
_DIGEST_CHARACTERS: Final = 64
_DEFAULT_MEGABYTES: Final = 256
_MEGABYTE: Final = 1 << 20
#: folders of the package whose code decides what a program is compiled to
_COMPILER: Final = ("ir", "backends")
_PACKAGE: Final = Path(os.path.abspath(__file__)).parents[2]
_log = logging.getLogger(__name__)


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
        digest = hashlib.sha256(program.encode("utf-8", "surrogatepass")).hexdigest()
        parts = {"program": digest, "target": machine, "features": target.features, "versions": _versions()}
        return Key(tuple(sorted((parts | options).items())))

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(json.dumps(self.parts).encode()).hexdigest()


class Entry(NamedTuple):
    """A program of the cache; `last_use` is a time in seconds since 1970."""

    path: Path
    key: Key
    functions: tuple[str, ...]
    compile_seconds: float
    bytes: int
    last_use: float


def folder() -> Path | None:
    """Return the folder of the cache, None where it is turned off."""
    if os.environ.get("TVMSCRIPT_CACHE", "1").lower() in ("0", "off", "no", "false"):
        return None
    own = os.environ.get("TVMSCRIPT_CACHE_DIR")
    if own:
        return Path(own)
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(caches) / "tvmscript"


def find(key: Key) -> Library | None:
    """Return the machine code of a program; None where there is none, or none that is whole."""
    place = folder()
    if place is None:
        return None
    path = place / f"{key.digest}{_SUFFIX}"
    content = _read(path)
    if content is None:
        return None
    header, code = content
    if header["parts"] != dict(key.parts):
        return None
    try:
        os.utime(path)
    except OSError as error:  # of another user, or removed meanwhile
        _log.debug("cannot mark %s as used: %s", path, error)
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
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place, suffix=".part", delete=False) as file:
            file.write(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
        os.replace(file.name, place / f"{key.digest}{_SUFFIX}")
        _remove_oldest(place)
    except OSError as error:
        _log.debug("cannot write to %s: %s", place, error)


def entries() -> list[Entry]:
    """Return the programs of the cache, the last used first."""
    place = folder()
    found: list[Entry] = []
    for path in place.glob(f"*{_SUFFIX}") if place is not None else ():
        content = _read(path)
        if content is None:
            continue
        header, status = content[0], path.stat()
        found.append(
            Entry(
                path,
                Key(tuple(header["parts"].items())),
                tuple(header["symbols"]),
                header["compile_seconds"],
                status.st_size,
                status.st_mtime,
            )
        )
    return sorted(found, key=lambda entry: -entry.last_use)


def clear() -> int:
    """Remove all programs; return how many there were."""
    place = folder()
    removed = 0
    for path in place.glob(f"*{_SUFFIX}") if place is not None else ():
        path.unlink(missing_ok=True)
        removed += 1
    return removed


def _read(path: Path) -> tuple[dict[str, Any], bytes] | None:
    """Return the header and the code of an entry. One that is not whole is removed."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest, rest = content[:_DIGEST_CHARACTERS], content[_DIGEST_CHARACTERS + 1 :]
    if hashlib.sha256(rest).hexdigest().encode() != digest:
        _log.debug("%s is damaged", path)
        path.unlink(missing_ok=True)
        return None
    header, _, code = rest.partition(b"\n")
    return json.loads(header), code


def _remove_oldest(place: Path) -> None:
    megabytes = os.environ.get("TVMSCRIPT_CACHE_MB", "")
    limit = (int(megabytes) if megabytes.isdecimal() else _DEFAULT_MEGABYTES) * _MEGABYTE
    files = list(_sizes(place))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= limit:
            return
        Path(path).unlink(missing_ok=True)
        total -= size


def _sizes(place: Path) -> Iterator[tuple[float, int, str]]:
    with os.scandir(place) as files:
        for file in files:
            try:
                status = file.stat()
            except FileNotFoundError:  # removed by another process
                continue
            yield status.st_mtime, status.st_size, file.path


@cache
def _versions() -> str:
    """Return the versions of LLVM and of the compiler: a digest of the times and sizes of its files."""
    digest = hashlib.sha256()
    for folder_name in _COMPILER:
        for line in _files(str(_PACKAGE / folder_name)):
            digest.update(line.encode())
    return f"{llvm_version()}, compiler {digest.hexdigest()}"


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
