"""Packages: programs with their machine code, in one file that `runtime.load_module` reads.

    module.export_library("model.tvmscript")
    module = tvmscript.runtime.load_module("model.tvmscript")

A package is an archive of the program (`tvmscript.save`), an object file for each of its modules, and a manifest. It is
for the machine and the version of this package that wrote it: another one refuses it. A module for CUDA has machine
code for one or several architectures, and its host functions as a program, which runs on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import starmap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final
from zipfile import ZIP_STORED, BadZipFile, ZipFile

from tvmscript.backends.llvm.object_cache import Library, versions
from tvmscript.backends.llvm.target import Target
from tvmscript.files import load, save
from tvmscript.ir.core import IRModule, TVMScriptError

if TYPE_CHECKING:
    from tvmscript.backends.cuda.device_library import DeviceLibrary

_MANIFEST: Final = "manifest.json"
_PROGRAM: Final = "program.py"
_CONSTANTS: Final = "program.npz"


class WrongPackage(TVMScriptError, code="TS7060"):
    """A file is no package, is damaged, or was written for another machine or by another version."""

    message = "cannot load {path}: {reason}"
    advice = "export it again where it runs"


@dataclass(frozen=True)
class Package:
    """A program with the machine code of its modules; `kind` is "kernels" or "graphs"."""

    kind: str
    program: IRModule
    target: str
    libraries: Mapping[str, Library | DeviceLibrary]
    options: Mapping[str, str]

    def write(self, path: str | Path) -> None:
        """Write the package to a file."""
        manifest = {
            "kind": self.kind,
            "target": self.target,
            **_machine(self.target),
            "options": dict(self.options),
            "libraries": {name: _describe(library) for name, library in self.libraries.items()},
        }
        with TemporaryDirectory() as folder, ZipFile(path, "w", ZIP_STORED) as archive:
            save(self.program, Path(folder, _PROGRAM))
            for name, library in self.libraries.items():
                if isinstance(library, Library):
                    archive.writestr(f"{name}.o", library.code)
                    continue
                save(library.program, Path(folder, f"{name}.py"), dialect="0.27")
                for arch, image in library.images.items():
                    archive.writestr(f"{name}.{arch}", image)
            for file in sorted(Path(folder).iterdir()):
                archive.write(file, file.name)
            archive.writestr(_MANIFEST, json.dumps(manifest, indent=1))

    @staticmethod
    def read(path: str | Path) -> Package:
        """Read a package. Raises `WrongPackage`, and `OSError` where the file cannot be read."""
        try:
            return _read(Path(path))
        except (BadZipFile, KeyError, TypeError, ValueError) as error:
            raise WrongPackage(path=path, reason=f"it is no whole package ({error})") from error


def _read(path: Path) -> Package:
    with ZipFile(path) as archive, TemporaryDirectory() as folder:
        manifest: dict[str, Any] = json.loads(archive.read(_MANIFEST))
        for key, value in _machine(manifest["target"]).items():
            if manifest[key] != value:
                raise WrongPackage(path=path, reason=f"its {key} is {manifest[key]}, but this one is {value}")
        for name in archive.namelist():
            if name in (_PROGRAM, _CONSTANTS) or name.removesuffix(".py") in manifest["libraries"]:
                archive.extract(name, folder)
        libraries = {
            name: _read_library(archive, Path(folder), name, facts) for name, facts in manifest["libraries"].items()
        }
        program = load(Path(folder, _PROGRAM), check_well_formed=False)
        return Package(manifest["kind"], program, manifest["target"], libraries, manifest["options"])


def _describe(library: Library | DeviceLibrary) -> dict[str, Any]:
    """Return what the manifest says of a library."""
    if isinstance(library, Library):
        return {"symbols": dict(library.symbols), "externals": list(library.externals)}
    launches = [{**launch._asdict(), "arguments": launch.arguments} for launch in library.launches]
    return {"images": [*library.images], "launches": launches, "sources": dict(library.sources)}


def _read_library(archive: ZipFile, folder: Path, name: str, facts: Mapping[str, Any]) -> Library | DeviceLibrary:
    """Read a library by what the manifest says of it; its program is in a folder."""
    if "images" not in facts:
        return Library(archive.read(f"{name}.o"), facts["symbols"], tuple(facts["externals"]))
    from tvmscript.backends.cuda.device_library import DeviceLibrary  # packages for the CPU need none of it
    from tvmscript.backends.cuda.launcher import Argument, Launch

    launches = [
        Launch(**each)._replace(arguments=tuple(starmap(Argument, each["arguments"])), tags=tuple(each["tags"]))
        for each in facts["launches"]
    ]
    images = {arch: archive.read(f"{name}.{arch}") for arch in facts["images"]}
    program = load(folder / f"{name}.py", check_well_formed=False)
    return DeviceLibrary(program, tuple(launches), images, facts["sources"])


def _machine(target: str) -> dict[str, str]:
    """Return what machine code depends on beside the program."""
    if target.split()[0] in ("cuda", "nvptx"):  # host functions are compiled where they run
        return {"version": versions(), "machine": "any"}
    options = ", ".join(f"{name}={value}" for name, value in asdict(Target.parse(target)).items())
    return {"version": versions(), "machine": options}
