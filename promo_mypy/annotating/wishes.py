"""Decide which parameters and results of a file get an annotation: those for which every call agreed."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from promo_mypy.rules import categories
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.decorators import Kept, keeping
from promo_mypy.rules.profiles import EXPRESSION, PARAMETER, RESULT, SCALAR, Functions, Observations, Place, lines_of
from promo_mypy.rules.recorded_functions import Definition, RecordedFunction, recorded_functions
from promo_mypy.rules.records import record

#: A function below another decorator is left as it is.
_HARMLESS: Final = keeping(Kept.ANNOTATIONS)

#: The kinds of dtypes that a recorded dtype is widened to.
_KINDS: Final = (dt.Float, dt.Complex, dt.SignedInteger, dt.UnsignedInteger)


@record
class Wish:
    """The library and the dtypes that a parameter or result had in every call, as arrays or as scalars of NumPy."""

    library: str
    dtypes: frozenset[type[dt.Shaped]]
    is_scalar: bool = False
    may_be_none: bool = False

    @property
    def widened(self) -> "Wish":
        """The same for all dtypes of the kind: floats for float32. Bools stay bools."""
        kinds = [kind for kind in _KINDS if all(issubclass(each, kind) for each in self.dtypes)]
        return replace(self, dtypes=categories.members(kinds[0])) if kinds else self


@record
class TupleWish:
    """What the items of a tuple were, in every call."""

    items: tuple[Wish, ...]

    @property
    def widened(self) -> "TupleWish":
        """The same with widened items."""
        return TupleWish(tuple(each.widened for each in self.items))


@record
class FunctionWishes:
    """The wishes for one function: its name with the classes around it, the line of its `def`, parameters, result."""

    name: str
    line: int
    parameters: Mapping[str, Wish]
    result: Wish | TupleWish | None


def wishes_of(
    text: str, functions: Functions, inferred: Mapping[int, Wish | TupleWish], *, widen: bool = False
) -> Iterator[FunctionWishes]:
    """The wishes for the functions of a source.

    `inferred`: line of a function -> what it returns. `widen`: whether a recorded dtype stands for all of its kind.
    """
    for each in recorded_functions(ast.parse(text), lines_of(text)):
        if not all(map(_is_harmless, each.node.decorator_list)):
            continue
        places = functions.get(each.function, {})
        parameters = _parameters(places)
        # What was seen counts first, as it may be None, too; but what was inferred needs no wider dtype.
        known = [*_results(each, places), inferred.get(each.node.lineno)]
        result = known[0] if _always_returns(each.node) else None
        if widen:
            parameters = {name: wish.widened for name, wish in parameters.items()}
            result = result.widened if result is not None and result != known[-1] else result
        if parameters or result is not None:
            yield FunctionWishes(each.function.name, each.node.lineno, parameters, result)


def _parameters(places: Mapping[Place, Observations]) -> Mapping[str, Wish]:
    found = {place.name: wish_of(seen) for place, seen in places.items() if place.kind == PARAMETER}
    return {name: wish for name, wish in found.items() if wish is not None}


def _results(each: RecordedFunction, places: Mapping[Place, Observations]) -> Iterator[Wish | TupleWish | None]:
    """What was recorded of the result, if it was."""
    for place, seen in places.items():
        if place.kind == RESULT:
            yield _of_items(each, places) if set(seen.others) == {"tuple"} and not seen.seen else wish_of(seen)


def _of_items(each: RecordedFunction, places: Mapping[Place, Observations]) -> TupleWish | None:
    """What the items of all returned tuples were, if each return writes its tuple."""
    tuples = returned_tuples(each.node)
    items = [_seen_in(column, each.first, places) for column in zip(*tuples, strict=True)]
    known = [each for each in items if each is not None]
    return TupleWish(tuple(known)) if known and len(known) == len(items) else None


def _seen_in(expressions: Iterable[ast.expr], first: int, places: Mapping[Place, Observations]) -> Wish | None:
    total = Observations({})
    for node in expressions:
        span = (node.lineno - first, node.col_offset, (node.end_lineno or 0) - first, node.end_col_offset or 0)
        total = total.plus(places.get(Place(EXPRESSION, "", span), Observations({})))
    return wish_of(total)


def returned_tuples(node: Definition) -> list[list[ast.expr]]:
    """The items of the tuples that a function returns; none if a return writes none, or one of another length."""
    values = [each.value for each in _own_nodes(node) if isinstance(each, ast.Return)]
    found = [value.elts for value in values if isinstance(value, ast.Tuple)]
    is_plain = not any(isinstance(item, ast.Starred) for items in found for item in items)
    return found if is_plain and len(found) == len(values) and len(set(map(len, found))) == 1 else []


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
