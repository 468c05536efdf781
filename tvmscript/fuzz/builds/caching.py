"""The cache of machine code: which builds share an entry, and what is left of entries that are damaged."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from tvmscript.backends.llvm import object_cache
from tvmscript.backends.llvm.linked_code import LinkedCode
from tvmscript.backends.llvm.object_cache import Library
from tvmscript.backends.llvm.target import Target
from tvmscript.cached_build import LinkedPrograms, cache_key
from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.ir.core import IRModule
from tvmscript.ir.transform.context import PassContext
from tvmscript.parser import from_source

_PROGRAM: Final = """
@I.ir_module
class Module:
    @T.prim_func
    def NAME(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        T.func_attr({"tir.noalias": T.bool(NOALIAS)})
        for i in KIND(16):
            B[i] = A[i] OP T.float32(NUMBER) + B[i]
"""
#: part of a request -> what it can be
_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "NAME": ("main", "other"),
    "NOALIAS": ("True", "False"),
    "KIND": ("range", "T.parallel", "T.vectorized", "T.unroll"),
    "OP": ("*", "-", "+"),
    "NUMBER": ("2", "2.5", "-2", '"nan"', "0", "-0.0"),
    "target": (
        "llvm", "llvm -ffp-contract=off", "llvm -split-reductions=0", "llvm -opt-level=1", "llvm -parallel-threshold=0",
        "llvm -fast-math-nnan", "llvm -mcpu=x86-64", "llvm -mattr=-fma",
    ),
    "options": ("plain", "default_schedule=False", "check_bounds=True"),
    "opt_level": ("2", "0", "3"),
    "disabled": ("", "tir.Simplify", "tir.StorageRewrite"),
    "config": ("", "tir.noalias", "tir.disable_vectorize"),
}  # fmt: skip


@dataclass(frozen=True)
class Request:
    """A build: a choice for each part."""

    parts: tuple[tuple[str, str], ...]

    def key(self) -> object_cache.Key:
        """Return the key of the build in the cache."""
        parts = dict(self.parts)
        text = _PROGRAM
        for name in ("NAME", "NOALIAS", "KIND", "OP", "NUMBER"):
            text = text.replace(name, parts[name])
        program = from_source(text)
        assert isinstance(program, IRModule)
        config: dict[str, Any] = {parts["config"]: True} if parts["config"] else {}
        disabled = [name for name in [parts["disabled"]] if name]
        with PassContext(opt_level=int(parts["opt_level"]), disabled_pass=disabled, config=config):
            key = cache_key(program, Target.parse(parts["target"]), parts["options"])
        assert key is not None
        return key


@dataclass(frozen=True)
class Caching:
    """Builds one after the other, and what happens to the files of the cache between them."""

    requests: tuple[Request, ...]
    seed: int


def draw(rng: random.Random) -> Caching:
    """Draw a request, and those that differ from it in one part or another: in all that the part can be."""
    parts = {name: choices[int(rng.random() * len(choices))] for name, choices in _CHOICES.items()}
    requests = [Request(tuple(parts.items()))]
    for _ in range(2):
        name = [*_CHOICES][int(rng.random() * len(_CHOICES))]
        requests += [Request(tuple((parts | {name: choice}).items())) for choice in _CHOICES[name]]
    return Caching(tuple(requests), int(rng.random() * 2**32))


def check(example: Caching) -> None:
    """Check that builds share entries where nothing is different, and that no damaged entry is used."""
    rng = random.Random(example.seed)
    with _folder() as folder:
        keys = [request.key() for request in example.requests]
        for place, (key, request) in enumerate(zip(keys, example.requests, strict=True)):
            for other_key, other in zip(keys[:place], example.requests, strict=False):
                _require(request == other, key.digest == other_key.digest, "whether builds share an entry", request)
        linked, stored = LinkedPrograms(3), dict[object_cache.Key, list[Library]]()
        recent, no_code = list[object_cache.Key](), cast(LinkedCode, None)
        for key in (keys[int(rng.random() * len(keys))] for _ in range(12)):
            library = Library(rng.randbytes(40), {"main": key.digest[:8]}, ("sin",))
            object_cache.store(key, library, 0.5)
            stored.setdefault(key, []).append(library)
            linked.put(key, library, no_code)
            recent = [*[each for each in recent if each != key], key][-3:]
            if rng.random() < 0.7:
                _damage(rng, folder)
            for each, libraries in stored.items():
                entry = object_cache.find(each)
                # a copy of an older entry under the same key is a right one
                if entry is not None and _fields(entry) not in map(_fields, libraries):
                    _require(_fields(libraries[-1]), _fields(entry), "the entry", each)
                in_memory = linked.get(each)
                _require(each in recent, in_memory is not None, "whether code is in memory", each)
                if in_memory is not None:
                    recent = [*[other for other in recent if other != each], each]
                    _require(_fields(libraries[-1]), _fields(in_memory[0]), "the code in memory", each)


def _fields(library: Library) -> tuple[bytes, dict[str, str], tuple[str, ...]]:
    return library.code, dict(library.symbols), tuple(library.externals)


def _require(before: object, after: object, what: str, about: object) -> None:
    if before != after:
        raise LevelsDisagree(
            name="the cache", other="the builds", buffer=f"{what} of ", index=about, before=before, after=after
        )


def _damage(rng: random.Random, folder: Path) -> None:
    """Change a file as a failing disk, an interrupted writer or a confused user does."""
    files = sorted(folder.glob("*.tvmscript"))
    if not files:
        return
    file, other = (files[int(rng.random() * len(files))] for _ in range(2))
    content = bytearray(file.read_bytes())
    kind = int(rng.random() * 5)
    if kind == 0 and content:
        place = int(rng.random() * len(content))
        content[place] ^= 1 << int(rng.random() * 8)
    elif kind == 1:
        del content[int(rng.random() * len(content)) :]
    elif kind == 2:
        content += b"\0"
    elif kind == 3:
        content = bytearray(other.read_bytes())
    else:
        file.unlink()
        return
    file.write_bytes(content)


@contextmanager
def _folder() -> Generator[Path]:
    """Use a folder of its own for the cache."""
    names = "TVMSCRIPT_CACHE", "TVMSCRIPT_CACHE_DIR"
    before = {name: os.environ.get(name) for name in names}
    with tempfile.TemporaryDirectory(prefix="tvmscript-fuzz-") as folder:
        os.environ.update(dict(zip(names, ("1", folder), strict=True)))
        try:
            yield Path(folder)
        finally:
            for name, value in before.items():
                os.environ.pop(name)
                if value is not None:
                    os.environ[name] = value
