"""Read ONNX models: from files, bytes or onnx's own objects. Nothing that a model holds is executed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tvmscript.frontend.errors import InvalidModel
from tvmscript.frontend.onnx.library import onnx_library

#: protocol buffers have no larger messages
_MOST_BYTES: Final = 2**31 - 1


@dataclass(frozen=True)
class Model:
    """A model and the folder of its external data."""

    proto: Any
    folder: Path | None

    @property
    def graph(self) -> Any:
        return self.proto.graph


def read_model(model: Any) -> Model:
    """Return a model of a path, of bytes or of a ModelProto. Raises `InvalidModel`."""
    onnx = onnx_library()
    if isinstance(model, (str, Path)):
        path = Path(model)
        if not path.is_file():
            raise InvalidModel(source="ONNX", place=str(path), reason="there is no such file")
        if path.stat().st_size > _MOST_BYTES:
            raise InvalidModel(source="ONNX", place=str(path), reason="a file of a model has less than 2 GB")
        return Model(_parse(path.read_bytes(), str(path)), path.parent)
    if isinstance(model, (bytes, bytearray, memoryview)):
        return Model(_parse(bytes(model), "the model"), None)
    if isinstance(model, onnx.ModelProto):
        return Model(_checked(model, "the model"), None)
    if isinstance(model, onnx.GraphProto):
        return Model(_checked(onnx.helper.make_model(model), "the model"), None)
    raise InvalidModel(source="ONNX", place=f"a {type(model).__name__}", reason="it is no path, bytes or ModelProto")


def _parse(content: bytes, place: str) -> Any:
    proto = onnx_library().ModelProto()
    try:
        proto.ParseFromString(content)
    except Exception as error:  # each version of protobuf has an error class of its own
        raise InvalidModel(source="ONNX", place=place, reason="it is damaged or no ONNX model") from error
    return _checked(proto, place)


def _checked(proto: Any, place: str) -> Any:
    if not proto.HasField("graph"):
        raise InvalidModel(source="ONNX", place=place, reason="it has no graph: it is damaged or no ONNX model")
    if not _has_texts(proto):
        raise InvalidModel(source="ONNX", place=place, reason="it is damaged: a name is no UTF-8")
    return proto


def _has_texts(proto: Any) -> bool:
    """Return whether all strings of a message are texts: damaged ones are bytes."""
    if proto.DESCRIPTOR.name == "TensorProto":  # the elements are not copied
        entries = [text for entry in proto.external_data for text in (entry.key, entry.value)]
        return all(isinstance(text, str) for text in (proto.name, *entries))
    for field, value in proto.ListFields():
        is_one = isinstance(value, (str, bytes)) or hasattr(value, "ListFields")
        values = [value] if is_one else value
        if field.message_type is not None and not all(map(_has_texts, values)):
            return False
        if field.type == field.TYPE_STRING and not all(isinstance(text, str) for text in values):
            return False
    return True
