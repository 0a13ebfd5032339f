"""Execute the expressions whose types mypy reports in NumPy's stub files, and return their dtypes."""

import ast
import re
import typing
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

_TYPE = re.compile(r'^Expression is of type "(?P<found>.*)", not ".*"  \[assert-type\]$')
_UNKNOWN = re.compile(r'^Expression is of type "ndarray\[[^"]*, dtype\[Any\]\]", not ')
_ARRAY = re.compile(r"^ndarray\[.*, dtype\[(?P<scalar>.*)\]\]$")
_TUPLE = re.compile(r"^tuple\[(?P<scalar>.*?)(?:, (?:(?P=scalar)|\.\.\.))+\]$")
# NumPy's stubs declare the widest floats as unions, since their width depends on the platform.
_WIDTHS = "_64Bit | _96Bit | _128Bit"
_LONG = {f"floating[{_WIDTHS}]": np.longdouble, f"complexfloating[{_WIDTHS}, {_WIDTHS}]": np.clongdouble}
_KINDS = {"signedinteger": "int", "unsignedinteger": "uint", "floating": "float", "complexfloating": "complex"}
_SCALAR = re.compile(r"^(?P<kind>\w+)\[_(?P<bits>\d+)Bit(?:, _(?P=bits)Bit)?\]$")


# Values of one element, of the ranks that functions accept; AxisError and LinAlgError are ValueErrors.
_SHAPES: Final = ((1,), (1, 1), (3,), (1, 1, 1))

#: The dtype of an expression that raises a TypeError.
REFUSED: Final = "refused"


def executed(file: Path, source: str) -> str:
    """The dtype of the expression in `assert_type(expression, ...)`, with values for the variables of the file.

    Variables are ones of their declared types. The dtype of a tuple is that of its members, which must be the same.
    `REFUSED` if NumPy raises a TypeError.

    Raises:
        ValueError: the line is not such a call, or its expression needs a value that is neither number nor array.
    """
    (statement,) = _parsed(source)
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
        raise ValueError(f"no assert_type: {source}")
    expression = ast.unparse(statement.value.args[0])
    for shape in _SHAPES:
        try:
            with np.errstate(all="ignore"):
                result = eval(expression, _values(file, shape))
        except TypeError:
            return REFUSED
        except (ValueError, IndexError):  # the function needs another shape
            continue
        dtypes = {np.asarray(member).dtype.name for member in (result if isinstance(result, tuple) else (result,))}
        if len(dtypes) != 1:
            raise ValueError(f"{expression}: several dtypes, {sorted(dtypes)}")
        return dtypes.pop()
    raise ValueError(f"{expression}: takes arrays of none of the shapes {_SHAPES}")


def inferred(error: str) -> str:
    """The dtype that the plugin inferred for an expression, from mypy's message about an `assert_type`, or `REFUSED`.

    After a rejected operation the expression is an array of unknown dtype, and its `assert_type` gives a second error.

    Raises:
        ValueError: the message is another one, or the type is not an array, scalar or tuple of exactly one dtype.
    """
    if error.endswith("[promo-undefined]") or _UNKNOWN.match(error):
        return REFUSED
    match = _TYPE.match(error)
    found = match["found"] if match else ""
    for wrapped in (_TUPLE, _ARRAY):
        inner = wrapped.match(found)
        found = inner["scalar"] if inner else found
    if found.startswith("numpy.bool["):
        return "bool"
    if found in _LONG:
        return np.dtype(_LONG[found]).name
    scalar = _SCALAR.match(found)
    if scalar and scalar["kind"] in _KINDS:
        parts = 2 if scalar["kind"] == "complexfloating" else 1
        return f"{_KINDS[scalar['kind']]}{parts * int(scalar['bits'])}"
    if found in ("float64", "complex128"):
        return found
    raise ValueError(f"no exact dtype: {error}")


def _parsed(source: str) -> list[ast.stmt]:
    try:
        return ast.parse(source).body
    except SyntaxError as error:
        raise ValueError(f"not a whole statement: {source}") from error


def _values(file: Path, shape: tuple[int, ...]) -> dict[str, Any]:
    names: dict[str, Any] = {"np": np, "npt": npt}
    for statement in ast.parse(file.read_text(encoding="utf-8")).body:
        try:
            if isinstance(statement, ast.ImportFrom | ast.Import):
                exec(ast.unparse(statement), names)
            elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                names[statement.target.id] = _one(eval(ast.unparse(statement.annotation), names), shape)
            elif isinstance(statement, ast.Assign):
                exec(ast.unparse(statement), names)
        except (ImportError, NameError, TypeError, ValueError, IndexError, AttributeError):
            continue  # an import for type checkers, an alias, or a kind of value that no measured expression has
    return names


def _one(declared: Any, shape: tuple[int, ...]) -> Any:
    origin = typing.get_origin(declared) or declared
    if isinstance(origin, type) and issubclass(origin, np.ndarray):
        (scalar,) = typing.get_args(typing.get_args(declared)[1])
        return np.ones(shape, typing.get_origin(scalar) or scalar)
    if origin is list:
        return [_one(typing.get_args(declared)[0], shape)] * shape[0]
    if origin is np.floating:
        (width,) = typing.get_args(declared)  # `np.floating[_128Bit]`, an abstract class, for `np.float128`
        return np.dtype(f"float{width.__name__.strip('_Bit')}").type(1)
    if isinstance(origin, type) and issubclass(origin, np.number | np.bool | int | float | complex):
        return origin(1)
    raise ValueError(declared)
