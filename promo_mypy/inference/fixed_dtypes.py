"""Infer dtypes that do not depend on what is unknown: those of comparisons, and the few dtypes of linear algebra.

This holds for arrays of every library. What is only indexed, renamed or negated after that keeps the dtype.
"""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from mypy.types import AnyType, get_proper_type

from promo_mypy.inference.arrays import Arrays, united
from promo_mypy.inference.candidates import Candidates, candidates_of
from promo_mypy.inference.program import Known, Module, Program
from promo_mypy.plugin.libraries import Library
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.bounded_functions import BOUNDED, WIDE

_BOOL: Final = frozenset({dt.bool_})
_COMPARING: Final = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_LOGICAL: Final = (ast.BitAnd, ast.BitOr, ast.BitXor)
#: Methods and attributes that keep the dtype of arrays of bools.
_KEEPING: Final = frozenset({"any", "all", "copy", "reshape", "ravel", "flatten", "squeeze", "transpose"})
_TURNED: Final = frozenset({"T", "mT"})
_LIBRARIES: Final[Mapping[str, Library]] = {"numpy": Library.NUMPY, "jax": Library.JAX, "torch": Library.TORCH}


def with_fixed(program: Program, *, bounded: bool) -> Program:
    """The program with the dtypes that its expressions have whatever is unknown.

    Args:
        program: the program.
        bounded: whether to answer with several dtypes, too.
    """
    candidates = candidates_of(program)
    found = (_completed(each, candidates[each.path], bounded) for each in program.modules)
    return replace(program, modules=tuple(found))


def _completed(module: Module, candidates: Candidates, bounded: bool) -> Module:
    fixed = _Fixed(module, candidates, bounded)
    found = ((each, fixed.arrays(each.syntax)) for each in module.expressions)
    known = (each if arrays is None or arrays is each.arrays else each.having(arrays) for each, arrays in found)
    return replace(module, expressions=tuple(known))


class _Fixed:
    """Such dtypes in one module.

    Args:
        module: the module.
        candidates: its array expressions.
        bounded: whether to answer with several dtypes, too.
    """

    def __init__(self, module: Module, candidates: Candidates, bounded: bool) -> None:
        self._bounded = bounded
        self._module = module
        self._candidates = candidates
        self._scopes: Final = candidates.scopes
        self._known: Final[dict[int, Known]] = {id(each.syntax): each for each in module.expressions}
        self._found: Final[dict[int, Arrays | None]] = {}

    def arrays(self, expression: ast.expr) -> Arrays | None:
        """The arrays that a value may be; None if a dtype is unknown, or if it is no array."""
        known = self._known.get(id(expression))
        if known is None or (known.arrays is not None and known.arrays.dtypes is not None):
            return known.arrays if known is not None else None
        key = id(expression)
        if key not in self._found:
            self._found[key] = None  # a value that depends on itself
            self._found[key] = self._follow(expression, known) if self._is_open(known) else None
        return self._found[key]

    def _is_open(self, known: Known) -> bool:
        if known.in_turns or (not self._module.checks_untyped and self._scopes.is_unannotated(known.syntax)):
            return False
        return known.arrays is not None or all(isinstance(get_proper_type(typ), AnyType) for typ in known.types)

    def _follow(self, expression: ast.expr, known: Known) -> Arrays | None:
        match expression:
            case ast.Compare(left=left, ops=operators, comparators=others):
                return self._comparison(known, operators, [left, *others])
            case ast.BinOp(left=left, op=operator, right=right) if isinstance(operator, _LOGICAL):
                return _of_bools(self._every([left, right]))
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return _of_bools(self.arrays(operand))
            case ast.BoolOp(values=values):
                return self._every(values)
            case ast.IfExp(body=body, orelse=other):
                return self._every([body, other])
            case ast.Name() if self._scopes.binds_plainly(expression):
                return _united(map(self._held, self._scopes.values(expression)))
            case ast.Subscript(value=value):
                return self._held(value)
            case ast.NamedExpr(value=value):
                return self.arrays(value)
            case ast.Attribute(value=value, attr=attr) if attr in _TURNED:
                return self.arrays(value)
            case ast.Call():
                return self._call(expression)
        return None

    def _every(self, expressions: Iterable[ast.expr]) -> Arrays | None:
        return _united(map(self.arrays, expressions))

    def _held(self, expression: ast.expr) -> Arrays | None:
        """The arrays that a value may be, or that a result which is a tuple has as items."""
        found = self.arrays(expression)
        return self._function(expression) if found is None and isinstance(expression, ast.Call) else found

    def _comparison(self, known: Known, operators: list[ast.cmpop], operands: list[ast.expr]) -> Arrays | None:
        """The dtype of a comparison is bool in every library, for every dtype of the operands."""
        if not all(isinstance(each, _COMPARING) for each in operators):
            return None
        if known.arrays is not None:
            return Arrays(known.arrays.libraries, _BOOL)
        return Arrays(frozenset(), _BOOL) if any(map(self._candidates.counts, operands)) else None

    def _call(self, call: ast.Call) -> Arrays | None:
        match call.func:
            case ast.Attribute(value=array, attr=attr) if attr in _KEEPING and self._scopes.imported(call.func) is None:
                return _of_bools(self.arrays(array))
        return self._function(call)

    def _function(self, call: ast.Call) -> Arrays | None:
        name = self._scopes.imported(call.func)
        dtypes = BOUNDED.get(name) if name is not None else None
        if name is None or dtypes is None:
            return None
        library = _LIBRARIES.get(name.partition(".")[0], Library.NUMPY)
        if library is Library.JAX and not self._module.options.jax_enable_x64:
            dtypes -= WIDE
        return Arrays(frozenset({library}), dtypes) if self._bounded or len(dtypes) == 1 else None


def _united(found: Iterable[Arrays | None]) -> Arrays | None:
    every = list(found)
    return None if None in every else united(every)


def _of_bools(arrays: Arrays | None) -> Arrays | None:
    return arrays if arrays is not None and arrays.dtypes == _BOOL else None
