"""Decide which parameters and results of a file get an annotation: those for which every call agreed."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.profiles import PARAMETER, RESULT, SCALAR, Functions, Observations, lines_of
from promo_mypy.rules.recorded_functions import Definition, RecordedFunction, recorded_functions
from promo_mypy.rules.records import record

#: Decorators that do not look at annotations. A function below another decorator is left as it is: `wraps`, for
#: example, gives it the annotations of the function that it wraps.
_HARMLESS: Final = frozenset(
    {
        "staticmethod", "classmethod", "property", "cached_property", "setter", "getter", "cache", "lru_cache",
        "abstractmethod", "override", "final", "jit", "pjit", "vmap", "pmap", "grad", "value_and_grad", "checkpoint",
        "remat", "filter_jit", "filter_vmap", "filter_grad", "filter_value_and_grad", "compact", "no_grad",
        "inference_mode", "enable_grad", "compile", "custom_jvp", "custom_vjp", "errstate",
    }
)  # fmt: skip


@record
class Wish:
    """What a parameter or result was in every call.

    Attributes:
        library: the library of its arrays.
        dtypes: their dtypes.
        is_scalar: whether they are scalars of NumPy.
        may_be_none: whether it may be None, too.
    """

    library: str
    dtypes: frozenset[type[dt.Shaped]]
    is_scalar: bool = False
    may_be_none: bool = False


@record
class FunctionWishes:
    """The wishes for one function: its name with the classes around it, the line of its `def`, parameters, result."""

    name: str
    line: int
    parameters: Mapping[str, Wish]
    result: Wish | None


def wishes_of(text: str, functions: Functions, inferred: Mapping[int, Wish]) -> Iterator[FunctionWishes]:
    """The wishes for the functions of a source. `inferred`: line of a function -> what it returns by inference."""
    for each in recorded_functions(ast.parse(text), lines_of(text)):
        if not all(map(_is_harmless, each.node.decorator_list)):
            continue
        parameters, results = _recorded(each, functions)
        known = [*results, inferred.get(each.node.lineno)]  # what was seen counts first
        result = known[0] if _always_returns(each.node) else None
        if parameters or result is not None:
            yield FunctionWishes(each.function.name, each.node.lineno, parameters, result)


def _recorded(each: RecordedFunction, functions: Functions) -> tuple[Mapping[str, Wish], list[Wish | None]]:
    places = functions.get(each.function, {})
    found = {(place.kind, place.name): wish_of(observations) for place, observations in places.items()}
    parameters = {name: wish for (kind, name), wish in found.items() if kind == PARAMETER and wish is not None}
    return parameters, [wish for (kind, _), wish in found.items() if kind == RESULT]


def wish_of(found: Observations) -> Wish | None:
    """What was seen, if it can be declared: arrays or scalars of one library, and None."""
    libraries = {each.library for each in found.seen}
    dtypes = {dt.DTYPES.get(each.dtype) for each in found.seen}
    scalars = {each.form == SCALAR for each in found.seen}
    if (
        not found.seen
        or len(libraries) != 1
        or len(scalars) != 1
        or None in dtypes
        or not set(found.others) <= {"NoneType"}
    ):
        return None
    known = frozenset(dtype for dtype in dtypes if dtype is not None)
    return Wish(libraries.pop(), known, scalars.pop(), bool(found.others))


def _is_harmless(decorator: ast.expr) -> bool:
    called = isinstance(decorator, ast.Call)
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = ast.unparse(function).rpartition(".")[2]
    if called and name == "partial" and isinstance(decorator, ast.Call) and decorator.args:
        return _is_harmless(decorator.args[0])
    return name in _HARMLESS


def _always_returns(node: Definition) -> bool:
    """Whether a call always ends with a value, or an exception: it is no generator, and no path ends without one."""
    inside = list(_own_nodes(node))
    if any(isinstance(each, ast.Yield | ast.YieldFrom) for each in inside):
        return False
    returns = [each for each in inside if isinstance(each, ast.Return)]
    return bool(returns) and all(each.value is not None for each in returns) and _ends(node.body)


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, Definition | ast.Lambda | ast.ClassDef):
            yield child
            yield from _own_nodes(child)


def _ends(statements: Sequence[ast.stmt]) -> bool:
    """Whether control never reaches the end of some statements."""
    match statements[-1] if statements else None:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(body=body, orelse=orelse):
            return _ends(body) and _ends(orelse)
        case ast.With(body=body):
            return _ends(body)
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
            return _ends(final) or (_ends(orelse or body) and all(_ends(each.body) for each in handlers))
        case ast.While(test=ast.Constant(value=True)) as loop:
            return not any(isinstance(each, ast.Break) for each in ast.walk(loop))
        case ast.Match(cases=cases):
            last = cases[-1].pattern
            is_full = isinstance(last, ast.MatchAs) and last.pattern is None
            return is_full and all(_ends(each.body) for each in cases)
    return False
