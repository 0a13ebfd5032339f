"""Infer dtypes that do not depend on what is unknown: those of comparisons, and the few dtypes of linear algebra.

This holds for arrays of every library. An array that is only indexed, renamed or negated after that keeps the dtype.
"""

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from mypy.types import AnyType, get_proper_type

from promo_mypy.plugin.interface.arrays import Library, system_name
from promo_mypy.program.candidates import Candidates, candidates_of
from promo_mypy.program.checked import library_names
from promo_mypy.program.checked.arrays import Arrays, united
from promo_mypy.program.checked.modules import Known, Module
from promo_mypy.program.checked.program import Program
from promo_mypy.program.definitions.own_code import OwnCode
from promo_mypy.program.definitions.own_definitions import ModuleReader, OwnFunction, is_none, is_private
from promo_mypy.program.following.constants import constant_dtypes
from promo_mypy.program.following.decorated import results_kept
from promo_mypy.program.following.images import image_dtype
from promo_mypy.program.syntax.found_once import FoundOnce
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules import functions
from promo_mypy.rules.bounded_functions import BOUNDED, WIDE
from promo_mypy.rules.dtype_names import X32
from promo_mypy.rules.functions.language.arguments import UNKNOWN, Argument, Arguments, DtypeArgument
from promo_mypy.rules.systems import get_system

_BOOL: Final = frozenset({dt.bool_})
_COMPARING: Final = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_LOGICAL: Final = (ast.BitAnd, ast.BitOr, ast.BitXor)
#: Methods and attributes that keep the dtype of arrays of bools.
_KEEPING: Final = frozenset({"any", "all", "copy", "reshape", "ravel", "flatten", "squeeze", "transpose"})
_TURNED: Final = frozenset({"T", "mT"})
_LIBRARIES: Final[Mapping[str, Library]] = {"numpy": Library.NUMPY, "jax": Library.JAX, "torch": Library.TORCH}


def with_fixed(program: Program, casts: bool, *, bounded: bool) -> Program:
    """The program with the dtypes that do not depend on what is unknown.

    `casts`: whether modules of PyTorch are cast. `bounded`: whether to answer with several dtypes, too.
    """
    candidates, constants = candidates_of(program), constant_dtypes(program)
    code = OwnCode[_Fixed](casts_modules=casts)
    fixed = [_Fixed(each, candidates[each.path], constants, code, bounded) for each in program.modules]
    for reader in fixed:
        code.add(reader)
    return replace(program, modules=tuple(map(_completed, fixed)))


def _completed(fixed: "_Fixed") -> Module:
    new = {
        each: arrays
        for each in fixed.module.expressions
        if each.may_follow and (arrays := fixed.arrays(each.syntax)) is not None
    }
    if not new:
        return fixed.module
    known = (each.with_arrays(new[each]) if each in new else each for each in fixed.module.expressions)
    return replace(fixed.module, expressions=tuple(known))


class _Fixed(ModuleReader):
    """Finds dtypes that do not depend on what is unknown, in one module."""

    def __init__(
        self,
        module: Module,
        candidates: Candidates,
        constants: Mapping[str, type[dt.Shaped]],
        code: "OwnCode[_Fixed]",
        bounded: bool,
    ) -> None:
        super().__init__(module, candidates.typed)
        self._bounded = bounded
        self._constants = constants
        self._code = code
        self._candidates = candidates
        self._found: Final = FoundOnce(self._followed, None)

    def arrays(self, expression: ast.expr) -> Arrays | None:
        """The arrays that a value may be; None if a dtype is unknown, or if it is not an array."""
        known = self.typed.known(expression)
        if known is not None and known.arrays is not None and known.arrays.dtypes is not None:
            return known.arrays
        return self._found(expression)

    def _followed(self, expression: ast.expr) -> Arrays | None:
        known = self.typed.known(expression)
        if known is None or not known.may_follow or self.module.is_unchecked(expression):
            return None
        is_any = all(isinstance(get_proper_type(typ), AnyType) for typ in known.types)
        return self._follow(expression, known) if known.arrays is not None or is_any else None

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
            case ast.Name() if self.scopes.binds_plainly(expression):
                return _united(map(self._held, self.scopes.values(expression)))
            case ast.Subscript(value=value):
                return self._held(value)
            case ast.NamedExpr(value=value):
                return self.arrays(value)
            case ast.Attribute(value=value, attr=attr) if attr in _TURNED:
                return self.arrays(value)
            case ast.Attribute():
                return self._attribute(expression)
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
            case ast.Attribute(value=array, attr=attr) if attr in _KEEPING and self.scopes.imported(call.func) is None:
                return _of_bools(self.arrays(array))
        return self._function(call) or self._of_own_code(call)

    def _of_own_code(self, call: ast.Call) -> Arrays | None:
        """What a function of the program, or a private method, returns for all arguments."""
        own = self._called(call.func)
        found = [(each, _united(map(each.reader.arrays, each.returned))) for each in own if each.is_followed]
        kept = [results_kept(each.node, each.reader.scopes, arrays) for each, arrays in found]
        return _united(kept) if own and len(found) == len(own) else None

    def _called(self, function: ast.expr) -> "Sequence[OwnFunction[_Fixed]]":
        if isinstance(function, ast.Attribute) and is_private(function.attr):
            info = self.typed.class_of(function.value)
            methods = self._code.methods(info.fullname, function.attr) if info is not None else []
            if methods:
                return methods
        found = self._code.function(self.typed.definition(function) or "")
        return [found] if found is not None else ()

    def _attribute(self, attribute: ast.Attribute) -> Arrays | None:
        """An attribute that the program binds only to arrays of known dtypes, and to None."""
        info = self.typed.class_of(attribute.value)
        bound = self._code.values(info.fullname, attribute.attr) if info is not None else []
        return _united(reader.arrays(value) for reader, value in bound if not is_none(value))

    def _function(self, call: ast.Call) -> Arrays | None:
        name = self.scopes.imported(call.func)
        if name is None:
            return None
        if name in library_names.CASTS and call.args[1:]:
            return self.arrays(call.args[1])
        library = _LIBRARIES.get(name.partition(".")[0], Library.NUMPY)
        of_image = image_dtype(call, self.scopes, self.typed)
        dtypes = BOUNDED.get(name) if of_image is None else frozenset({of_image})
        if dtypes is None:
            return self._with_dtype(name, library, call)
        if library is Library.JAX and not self.module.options.jax_enable_x64:
            dtypes -= WIDE
        return Arrays(frozenset({library}), dtypes) if self._bounded or len(dtypes) == 1 else None

    def _with_dtype(self, name: str, library: Library, call: ast.Call) -> Arrays | None:
        """The result of a function whose dtype argument is a constant of a module: `DTYPE = np.float32`."""
        row = functions.find(name)
        given = {each.arg: self._argument(each.value, library) for each in call.keywords}
        positional = [self._argument(each, library) for each in call.args]
        is_named = any(isinstance(each, DtypeArgument) for each in (*positional, *given.values()))
        if row is None or row.library != library.value or None in given or not is_named:
            return None
        system = get_system(system_name(self.module.options, library))
        arguments = Arguments.of(*positional, **{str(name): each for name, each in given.items()})
        answer = functions.resolve_call(system, row, arguments)
        if not isinstance(answer, type) or not issubclass(answer, dt.Shaped):
            return None
        return Arrays(frozenset({library}), frozenset({answer}))

    def _argument(self, expression: ast.expr, library: Library) -> Argument:
        dtype = self._constants.get(self.typed.definition(expression) or "")
        if dtype is None:
            return UNKNOWN
        is_narrow = library is Library.JAX and not self.module.options.jax_enable_x64
        return DtypeArgument(X32.get(dtype, dtype) if is_narrow else dtype)


def _united(found: Iterable[Arrays | None]) -> Arrays | None:
    every = list(found)
    return None if None in every else united(every)


def _of_bools(arrays: Arrays | None) -> Arrays | None:
    return arrays if arrays is not None and arrays.dtypes == _BOOL else None
