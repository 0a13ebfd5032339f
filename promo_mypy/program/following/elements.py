"""Infer dtypes that follow from known ones where mypy infers Any.

An item of an ndarray is a scalar or an array, depending on the number of dimensions, so NumPy's stubs return Any. Its
dtype is still that of the ndarray. Operators and functions give the same dtype for both, and names keep it. Arrays of
JAX and PyTorch are Any to mypy where functions without annotations return them. If their rank decides a dtype, each
dtype is one of several.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice, product
from typing import Final

from promo_mypy.plugin.interface.arrays import Library, read
from promo_mypy.program.checked import library_names
from promo_mypy.program.checked.array_kinds import KINDS, ArrayKind
from promo_mypy.program.checked.arrays import Arrays, DTypes, united_dtypes
from promo_mypy.program.checked.modules import Known, Module
from promo_mypy.program.checked.program import Program
from promo_mypy.program.definitions.own_code import OwnCode
from promo_mypy.program.definitions.own_definitions import is_none
from promo_mypy.program.following.around_calls import called, member
from promo_mypy.program.following.made_values import Follower
from promo_mypy.program.following.private_parameters import PrivateCalls, parameter_dtypes, parameter_operands
from promo_mypy.program.syntax.devices import is_device
from promo_mypy.program.syntax.found_once import FoundOnce
from promo_mypy.program.syntax.operations import OPERATIONS, WRITTEN
from promo_mypy.rules import around
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.around import scipy_linalg
from promo_mypy.rules.dtype_names import PYTHON_TYPES
from promo_mypy.rules.functions.language.arguments import (
    OTHER,
    UNKNOWN,
    Argument,
    DtypeArgument,
    Items,
    Value,
)
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.possibilities import resolve_sets

#: The most combinations of dtypes that are resolved for one call.
_MOST: Final = 64


def with_elements(program: Program, casts: bool, changes: bool) -> Program:
    """The program with further dtypes that follow from its known ones.

    `casts` and `changes`: whether modules of PyTorch are cast, and parameters of models of flax.
    """
    for kind in [each for each in KINDS if _may_have(each, program)]:
        code = OwnCode[Follower](casts_modules=casts)
        calls = PrivateCalls(code)
        readers = [_Elements(each, kind, code, calls, changes) for each in program.modules]
        for elements in readers:
            code.add(elements)
            calls.add(elements)
        program = replace(program, modules=tuple(map(_completed, readers)))
    return program


def _may_have(kind: ArrayKind, program: Program) -> bool:
    """Whether a program may have arrays of a library: mypy knows one, or a module imports what makes some."""
    makers = {kind.library.value, "scipy", *around.LIBRARY_NAMES - {"jax"}}
    return any(
        not makers.isdisjoint(module.scopes.packages)
        or any(each.arrays is not None and kind.library in each.arrays.libraries for each in module.expressions)
        for module in program.modules
    )


def _completed(elements: "_Elements") -> Module:
    library = frozenset({elements.kind.library})

    def completed(known: Known) -> Known:
        dtypes = elements.dtypes(known.syntax) if known.may_follow else None
        return known if dtypes is None else known.with_arrays(Arrays(library, dtypes))

    return replace(elements.module, expressions=tuple(map(completed, elements.module.expressions)))


class _Elements(Follower):
    """The items of arrays in one module, and the values computed from them."""

    def __init__(
        self, module: Module, kind: ArrayKind, code: OwnCode[Follower], calls: PrivateCalls, changes_parameters: bool
    ) -> None:
        super().__init__(module, kind, changes_parameters)
        self._libraries: Final = frozenset({kind.library})
        self._code = code
        self._calls = calls
        self.dtypes: Final = FoundOnce(self._followed, None)
        """Every possible dtype of an expression for which mypy has none; None if unknown."""
        self._passed: Final = FoundOnce[ast.Name, frozenset[Operand]](self._passed_operands, frozenset())

    def _followed(self, expression: ast.expr) -> DTypes | None:
        return self._follow(expression) if self._is_unknown(expression) else None

    def _is_unknown(self, expression: ast.expr) -> bool:
        known = self.typed.known(expression)
        if known is None or not known.may_follow or self.system is None or self.module.is_unchecked(expression):
            return False
        return known.arrays is None or known.arrays.libraries == self._libraries

    def _follow(self, expression: ast.expr) -> DTypes | None:
        match expression:
            case ast.Subscript():
                made = self.maker.made(expression.value)
                return member(made, "__getitem__", None, self) if made else self.array(expression.value)
            case ast.Name() if self.scopes.binds_plainly(expression):
                if self.scopes.parameter(expression) is not None:
                    return parameter_dtypes(expression, self, self._calls)
                return united_dtypes(map(self.array, self.scopes.values(expression)))
            case ast.Attribute():
                return self._attribute(expression)
            case ast.IfExp():
                return united_dtypes(map(self.array, (expression.body, expression.orelse)))
            case ast.NamedExpr():
                return self.array(expression.value)
            case ast.UnaryOp():
                return self._operation(expression.op, expression.operand)
            case ast.BinOp():
                return self._operation(expression.op, expression.left, expression.right)
            case ast.Compare(ops=[operator], comparators=[right]):
                return self._operation(operator, expression.left, right)
            case ast.Call():
                return self._call(expression)
        return None

    def array(self, expression: ast.expr) -> DTypes | None:
        """The dtypes of an array, of its item, or of a value computed from an item."""
        known = self.typed.known(expression)
        arrays = known.arrays if known is not None else None
        if arrays is not None and arrays.dtypes is not None:
            return arrays.dtypes if arrays.libraries == self._libraries else None
        return self.dtypes(expression)

    def _attribute(self, attribute: ast.Attribute) -> DTypes | None:
        """The dtypes of an attribute that the program binds only to arrays of known dtypes, and to None."""
        bound = self.shown_bindings(attribute)
        if not bound:
            return member(self.maker.made(attribute.value), attribute.attr, None, self)
        return united_dtypes(reader.array(value) for reader, value in bound if not is_none(value))

    def shown_bindings(self, attribute: ast.Attribute) -> list[tuple[Follower, ast.expr]]:
        """All that an attribute is bound to; empty if the program does not show that."""
        info = self.typed.class_of(attribute.value)
        return self._code.values(info.fullname, attribute.attr) if info is not None else []

    def _operation(self, operator: ast.AST, *operands: ast.expr) -> DTypes | None:
        operation = OPERATIONS.get(type(operator))
        if self.system is None or operation is None:
            return None
        choices = [self.operands(each) for each in operands]
        if operation == "matmul":  # every library rejects 0-d arrays there
            choices = [frozenset(one for one in each if one.form is Form.ARRAY) for each in choices]
        if not all(choices) or not any(map(_are_arrays, choices)):
            return None
        outcome = resolve_sets(self.system, operation, *choices)
        return None if outcome.refusals else outcome.results

    def operands(self, expression: ast.expr) -> frozenset[Operand]:
        """The possible operands that an expression stands for; empty if unknown."""
        dtypes = self.dtypes(expression)
        if dtypes is not None:
            return self._arrays(dtypes)
        known = self.typed.known(expression)
        if isinstance(expression, ast.Constant):
            scalar = dt.PYTHON_SCALARS.get(f"py_{type(expression.value).__name__}")
            return frozenset({Operand(scalar)}) if scalar is not None else frozenset()
        if known is None or known.in_turns:
            return frozenset()
        found = self._typed_operands(known) or self._arrays(self.array(expression) or frozenset())
        if found or not isinstance(expression, ast.Name) or not self.scopes.binds_plainly(expression):
            return found
        return self._passed(expression)

    def _passed_operands(self, name: ast.Name) -> frozenset[Operand]:
        return parameter_operands(name, self, self._calls)

    def _arrays(self, dtypes: DTypes) -> frozenset[Operand]:
        return frozenset(operand for dtype in dtypes for operand in self.kind.operands(dtype))

    def _typed_operands(self, known: Known) -> frozenset[Operand]:
        """The operands that mypy's types tell."""
        found: set[Operand] = set()
        for typ in known.types:
            values = read(typ, self.module.platform)
            if values is None or not all(value.library in (self.kind.library, Library.PYTHON) for value in values):
                return frozenset()
            found.update(operand for value in values for operand in self.kind.operands_of(value))
        return frozenset(found)

    def _call(self, call: ast.Call) -> DTypes | None:
        name = self.scopes.imported(call.func)
        if name in library_names.CASTS and call.args[1:]:
            return self.array(call.args[1])
        if name is None:
            return self._method(call)
        of_scipy = scipy_linalg.find(name)
        if of_scipy is not None:
            return self._of_scipy(of_scipy, call) if self.kind.library is Library.NUMPY else None
        row = around.row_of(name)
        return called(row, call, self) if row is not None else None

    def _method(self, call: ast.Call) -> DTypes | None:
        """The result of a method of an array or of an object that a library makes, or of a call of that object."""
        if isinstance(call.func, ast.Attribute):
            owner, attr = call.func.value, call.func.attr
            row = around.row_of(f"{self.kind.array}.{attr}") if self.array(owner) is not None else None
            if row is not None:
                return called(row, call, self, [owner])
            found = member(self.maker.made(owner), attr, call, self)
            if found is not None:
                return found
        return member(self.maker.made(call.func), "__call__", call, self)

    def _of_scipy(self, row: scipy_linalg.Row, call: ast.Call) -> DTypes | None:
        """The dtypes of a result, or of all items of one that is a tuple."""
        known = [dtypes for each in call.args if (dtypes := self.array(each)) is not None]
        is_plain = len(known) == len(call.args) == row.arrays
        if not is_plain or not scipy_linalg.HARMLESS.issuperset(each.arg or "" for each in call.keywords):
            return None
        combinations = list(islice(product(*known), _MOST + 1))
        found = [scipy_linalg.results(row, chosen) for chosen in combinations]
        results = [None if each is None else frozenset(each) for each in found]
        return united_dtypes(results) if len(combinations) <= _MOST else None

    def arguments(self, expression: ast.expr) -> Iterator[Argument]:
        """The possible arguments that an expression stands for."""
        if isinstance(expression, ast.Tuple | ast.List):
            yield from map(Items, product(*(list(self.arguments(each)) for each in expression.elts)))
        elif isinstance(expression, ast.Constant) and isinstance(expression.value, WRITTEN):
            yield Value(expression.value)
        elif (dtype := self._named_dtype(expression)) is not None:
            yield DtypeArgument(dtype)
        elif isinstance(expression, ast.Attribute) and expression.attr == "dtype":
            dtypes = self.array(expression.value)
            yield from [DtypeArgument(each.strong) for each in dtypes] if dtypes else [UNKNOWN]
        elif is_device(expression, self.scopes):
            yield OTHER
        else:
            yield from self.operands(expression) or self._of_any_library(expression) or (UNKNOWN,)

    def _named_dtype(self, expression: ast.expr) -> type[dt.Shaped] | None:
        """The dtype that a scalar class of a library or of Python stands for."""
        name = self.scopes.imported(expression)
        if name is not None:
            module, _, scalar = name.rpartition(".")
            return self.kind.dtypes.get(scalar) if module == self.kind.module and scalar.isidentifier() else None
        if not isinstance(expression, ast.Name) or self.typed.known(expression) is None:
            return None
        return PYTHON_TYPES.get(f"builtins.{expression.id}") if self.scopes.is_unbound(expression) else None

    def _of_any_library(self, expression: ast.expr) -> frozenset[Operand]:
        """An array of unknown library, which is one of this library: only NumPy leaves its functions to others."""
        known = self.typed.known(expression)
        arrays = known.arrays if known is not None else None
        if arrays is None or arrays.libraries or self.kind.library is Library.NUMPY:
            return frozenset()
        return self._arrays(arrays.dtypes or frozenset())


def _are_arrays(operands: Iterable[Operand]) -> bool:
    """Whether none of them is a Python number: an operation on numbers alone gives a number."""
    return all(issubclass(each.dtype, dt.Shaped) for each in operands)
