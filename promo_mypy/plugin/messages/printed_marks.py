"""The marker classes in printed types: how to find them, and NumPy's classes in their place."""

import re
from typing import Final

from promo_mypy.plugin import names

# Patterns are compiled at their first use.
#: A marker class.
MARKER: Final = r"(?:promo_mypy\.rules\.value_marks\.)?\b(?:Inferred|ArrayOr)(?:[A-Z]\w+)\b"
#: A named tuple that PyTorch does not declare.
_TUPLES: Final = {
    name.rpartition(".")[2] for function, name in names.UNDECLARED_TUPLES.items() if function.startswith("torch.")
}
#: A marker class, or such a tuple.
MARK: Final = rf"(?:{MARKER}|\b(?:{'|'.join(sorted(_TUPLES))})\b)"
#: The class that has the fields of a structured dtype as a text.
_TEXT: Final = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_FIELDS: Final = rf"(promo_mypy\.rules\.value_marks\.)?\bInferredFields\[(?:Literal\[{_TEXT}\]|[\w.]+)\]"
_WIDTHS: Final = r"(Int|UInt|Float|Complex)(\d+)"
_CATEGORIES: Final = {
    "Bool": ("numpy.bool", "[builtins.bool]"),
    "Signed": ("signedinteger", "[Any]"),
    "Unsigned": ("unsignedinteger", "[Any]"),
    "Floating": ("floating", "[Any]"),
    "Complex": ("complexfloating", "[Any, Any]"),
    "Integer": ("integer", "[Any]"),
    "Inexact": ("inexact", "[Any]"),
    "Number": ("number", "[Any]"),
}
_CLASSES: Final = {"Int": "signedinteger", "UInt": "unsignedinteger", "Float": "floating", "Complex": "complexfloating"}


def names_mark(text: str) -> bool:
    """Whether a message or type names a value that is Any to stock mypy, or that holds one."""
    return re.search(MARK, text) is not None


def without_marks(message: str) -> str:
    """A message with NumPy's classes in place of the marker classes."""
    if "InferredFields" in message:
        message = re.sub(_FIELDS, lambda mark: "numpy.void" if mark[1] else "void", message)
    if "ArrayOr" in message:
        message = re.sub(r"(promo_mypy\.rules\.value_marks\.)?\bArrayOr[A-Z]\w+\b", _array, message)
    if "Inferred" in message:
        message = re.sub(r"(promo_mypy\.rules\.value_marks\.)?\bInferred([A-Z]\w+)\b", _scalar, message)
    return message


def _array(mark: re.Match[str]) -> str:
    return names.NUMPY_ARRAY if mark[1] else "ndarray"


def _scalar(mark: re.Match[str]) -> str:
    name = mark[2]
    if name in _CATEGORIES:
        cls, arguments = _CATEGORIES[name]
        return f"numpy.{cls}{arguments}" if mark[1] and "." not in cls else f"{cls}{arguments}"
    if name == "BFloat16":
        return f"{names.ML_DTYPES}.bfloat16" if mark[1] else "bfloat16"
    if name in ("Float64", "Complex128"):
        return f"numpy.{name.lower()}" if mark[1] else name.lower()
    width = re.fullmatch(_WIDTHS, name)
    if width is None:
        return mark[0]
    cls, bits = _CLASSES[width[1]], int(width[2])
    part = f"_{bits // 2 if width[1] == 'Complex' else bits}Bit"
    part = f"{names.NUMPY_BITS}.{part}" if mark[1] else part
    arguments = f"{part}, {part}" if width[1] == "Complex" else part
    return f"numpy.{cls}[{arguments}]" if mark[1] else f"{cls}[{arguments}]"
