"""Files on the command line: named ones, those of folders, standard input."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import tempfile
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tvmscript.cli.errors import FileFailed

#: suffixes of files to read in folders
SUFFIXES = (".py", ".tvms")
#: suffixes of models of other libraries, which `model_files` reads
MODEL_SUFFIXES = (".mlir", ".onnx", ".pt2", ".tflite")
#: folders that are not entered
_SKIPPED = re.compile(r"\..*|__pycache__|node_modules")
STDIN = "-"


@dataclass(frozen=True)
class File:
    """The text of a file, with its own line ends."""

    name: str
    text: str
    encoding: str
    #: None for standard input
    path: Path | None
    #: on the command line, not in a folder
    is_named: bool

    def write(self, text: str) -> None:
        """Replace the contents of the file atomically. Raises `FileFailed`."""
        assert self.path is not None
        write(self.path, text, self.encoding)


def write(path: Path, text: str, encoding: str = "utf-8") -> None:
    """Write a file atomically, keeping its permissions. Raises `FileFailed`."""
    target = path.resolve()
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(text.encode(encoding))
            if target.exists():
                shutil.copymode(target, temporary)
            else:
                os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, target)
        finally:
            Path(temporary).unlink(missing_ok=True)  # exists if an error was raised
    except (OSError, UnicodeError) as error:
        raise FileFailed(file=path, reason=_reason(error)) from error


def _umask() -> int:
    """Return the umask of the process, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def find(names: Sequence[str]) -> Iterator[File | FileFailed]:
    """Yield the files of paths and the folders below them, in order, or an error for a file that cannot be read."""
    seen: set[Path] = set()
    for name in names:
        path = Path(name)
        if name == STDIN:
            yield read_file(path)
            continue
        paths = sorted(_below(path)) if path.is_dir() else [path]
        for file in paths:
            real = file.resolve()
            if real not in seen:
                seen.add(real)
                yield read_file(file, file is path)


def _below(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not _SKIPPED.fullmatch(name)]
        yield from (Path(root, name) for name in files if name.endswith(SUFFIXES))


def read_file(path: Path, is_named: bool = True) -> File | FileFailed:
    """Read a file in the encoding that it declares, or standard input for `-`. Errors are returned."""
    is_stdin = str(path) == STDIN
    name = "<stdin>" if is_stdin else str(path)
    try:
        data = sys.stdin.buffer.read() if is_stdin else path.read_bytes()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return File(name, data.decode(encoding), encoding, None if is_stdin else path, is_named)
    except (OSError, UnicodeError, SyntaxError, LookupError) as error:
        return FileFailed(file=name, reason=_reason(error))


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"it is not {error.encoding} text ({error.reason})"
    if isinstance(error, UnicodeEncodeError):
        return f"its encoding {error.encoding} has no {error.object[error.start]!r}"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
