"""Infer the arrays of expressions for which mypy has no dtype, from those that it knows.

NumPy's stubs return Any for an item of an ndarray, which is a scalar or an array. Arrays of JAX and PyTorch are Any to
mypy where functions without annotations return them. Names, items, attributes, operators and calls give dtypes that
follow from others, or do not depend on any, as those of comparisons. If a rank decides a dtype, it is one of several.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import partial
from itertools import product
from typing import Final

from promo_mypy.plugin.interface.arrays import Library, read
from promo_mypy.program.candidates import Candidates
from promo_mypy.program.checked.array_kinds import KIND_OF, KINDS, ArrayKind
from promo_mypy.program.checked.arrays import NOTHING, Arrays, united_known
from promo_mypy.program.checked.modules import Known, Module
from promo_mypy.program.checked.typed_expressions import deciding_parts
from promo_mypy.program.definitions.own_code import OwnCode
from promo_mypy.program.definitions.own_definitions import is_none
from promo_mypy.program.definitions.reader import MadeObject, Reader
from promo_mypy.program.following.decorated import results_kept
from promo_mypy.program.following.joined_arrays import joined_arrays
from promo_mypy.program.following.library_calls import called, function_result, items_of_result, member
from promo_mypy.program.following.made_values import MODULE, Maker
from promo_mypy.program.following.private_parameters import PrivateCalls, parameter_arrays, parameter_operands
from promo_mypy.program.syntax.devices import is_device
from promo_mypy.program.syntax.found_once import FoundOnce
from promo_mypy.program.syntax.operations import OPERATIONS, WRITTEN
from promo_mypy.rules import around
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import NUMPY_STRINGS, PYTHON_TYPES, X32
from promo_mypy.rules.functions.language.arguments import OTHER, UNKNOWN, Argument, DtypeArgument, Items, Value
from promo_mypy.rules.operands import Form, Operand
from promo_mypy.rules.possibilities import resolve_sets

_BOOL: Final = frozenset({dt.bool_})
_COMPARING: Final = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_LOGICAL: Final = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Invert)
#: Methods that keep the dtype of arrays of bools, of every library.
_KEEPING: Final = frozenset({"any", "all", "copy", "reshape", "ravel", "flatten", "squeeze", "transpose"})
_TURNED: Final = frozenset({"T", "mT"})


class FollowedArrays(Reader):
    """The arrays of one module, and the values computed from them. `code` and `calls` are those of the program."""

    def __init__(self, candidates: Candidates, module: Module, code: OwnCode, calls: PrivateCalls) -> None:
        super().__init__(module, candidates.typed)
        self._candidates = candidates
        self._code: Final = code
        self._calls = calls
        self._maker: Final = Maker(self, code)
        self._found: Final = FoundOnce(self._followed, None, NOTHING, code.asking)
        self._passed: Final = {
            kind.library: FoundOnce(partial(self._passed_operands, kind), frozenset[Operand](), None, code.asking)
            for kind in KINDS
        }

    def made(self, expression: ast.expr) -> Sequence[MadeObject]:
        """See `Reader`."""
        return self._maker.made(expression)

    def completed(self, known: Known) -> Known:
        """An expression with the dtypes that follow from others, if its own leaves them open."""
        arrays = self.arrays(known.syntax) if known.may_follow else None
        return known if arrays in (None, NOTHING) else known.with_arrays(arrays)

    def arrays(self, expression: ast.expr) -> Arrays | None:
        """The arrays that a value, or an item of it, may be; None if a dtype is unknown, or if it is not an array."""
        known = self.typed.known(expression)
        if known is not None and known.arrays is not None and known.arrays.dtypes is not None:
            return known.arrays
        return self._found(expression)

    def _followed(self, expression: ast.expr) -> Arrays | None:
        known = self.typed.known(expression)
        if known is None or not known.may_follow or self.module.is_unchecked(expression):
            return None
        found = self._follow(expression)
        if found is None and any(self.arrays(each) == NOTHING for each in _evaluated_first(expression)):
            return NOTHING
        if found is None or found == NOTHING or found.libraries or known.arrays is None:
            return found
        return Arrays(known.arrays.libraries, found.dtypes)

    def _follow(self, expression: ast.expr) -> Arrays | None:
        match expression:
            case ast.Name() if self.scopes.binds_plainly(expression):
                if self.scopes.parameter(expression) is not None:
                    return parameter_arrays(expression, self, self._calls)
                return united_known(map(self._held, self.scopes.values(expression)))
            case ast.Subscript(value=value):
                found = self._member(value, "__getitem__") if self.made(value) else self._held(value)
                return found or joined_arrays(expression, self)
            case ast.Attribute(value=value, attr=attr):
                return (self.arrays(value) if attr in _TURNED else None) or self._attribute(expression)
            case ast.IfExp(body=body, orelse=other):
                return self._any_of([body, other])
            case ast.BoolOp(values=values):
                return self._any_of(values)
            case ast.NamedExpr(value=value):
                return self.arrays(value)
            case ast.UnaryOp(op=operator, operand=operand):
                return self._operation(operator, operand)
            case ast.BinOp(left=left, op=operator, right=right):
                return self._operation(operator, left, right)
            case ast.Compare():
                return self._comparison(expression)
            case ast.Call():
                return self._call(expression)
        return None

    def _any_of(self, expressions: Iterable[ast.expr]) -> Arrays | None:
        return united_known(map(self.arrays, expressions))

    def _held(self, expression: ast.expr) -> Arrays | None:
        """The arrays that a value may be, or that a result which is a tuple has as items."""
        found = self.arrays(expression)
        return items_of_result(expression, self) if found is None and isinstance(expression, ast.Call) else found

    def _attribute(self, attribute: ast.Attribute) -> Arrays | None:
        """An attribute that the program binds only to arrays of known dtypes, and to None."""
        bound = self._code.shown(attribute, self)
        if not bound:
            return self._member(attribute.value, attribute.attr)
        found = united_known(reader.arrays(value) for reader, value in bound if not is_none(value))
        return self._executed(found) if self._code.is_property(attribute, self) else found

    def _member(self, owner: ast.expr, name: str, call: ast.Call | None = None) -> Arrays | None:
        """A method's result, or an attribute, of the objects of libraries that a value may be."""
        objects = self.made(owner)
        holds_parameters = any(each.made.parameters or each.made.cls == MODULE for each in objects)
        return None if self._code.changes_parameters and holds_parameters else member(objects, name, call, self)

    def _operation(self, operator: ast.AST, *operands: ast.expr) -> Arrays | None:
        found = self._resolved(operator, *operands)
        return found or (_of_bools(self._any_of(operands)) if isinstance(operator, _LOGICAL) else None)

    def _resolved(self, operator: ast.AST, *operands: ast.expr) -> Arrays | None:
        """The result of an operator by the rules of the library to which the arrays among its operands belong."""
        operation, kind = OPERATIONS.get(type(operator)), self._kind_of(operands)
        system = self.systems[kind.library.value] if kind is not None else None
        if operation is None or kind is None or system is None:
            return None
        choices = [self.operands(each, kind) for each in operands]
        if operation == "matmul":  # every library rejects 0-d arrays there
            choices = [frozenset(one for one in each if one.form is Form.ARRAY) for each in choices]
        if not all(choices) or not any(map(_are_arrays, choices)):
            return None
        outcome = resolve_sets(system, operation, *choices)
        return None if outcome.refusals else Arrays(frozenset({kind.library}), outcome.results)

    def _comparison(self, comparison: ast.Compare) -> Arrays | None:
        """The dtype of a comparison is bool in every library, for every dtype of the operands."""
        operators, operands = comparison.ops, [comparison.left, *comparison.comparators]
        if not all(isinstance(each, _COMPARING) for each in operators):
            return None
        found = self._resolved(operators[0], *operands) if len(operators) == 1 else None
        is_of_arrays = self._candidates.counts(comparison) or any(self.arrays(each) is not None for each in operands)
        return found or (Arrays(frozenset(), _BOOL) if is_of_arrays else None)

    def _kind_of(self, expressions: Iterable[ast.expr]) -> ArrayKind | None:
        """The kind of the arrays among some values, if all are of one library."""
        found = [arrays.libraries for each in expressions if (arrays := self.arrays(each)) is not None]
        libraries = frozenset[Library]().union(*found)
        return KIND_OF.get(next(iter(libraries)).value) if len(libraries) == 1 else None

    def _call(self, call: ast.Call) -> Arrays | None:
        name = self.scopes.imported(call.func)
        found = self._method(call) if name is None else function_result(name, call, self)
        return found or self._of_own_code(call)

    def _method(self, call: ast.Call) -> Arrays | None:
        """The result of a method of an array or of an object that a library makes, or of a call of that object."""
        found = self._method_of(call.func.value, call.func.attr, call) if isinstance(call.func, ast.Attribute) else None
        return found or self._member(call.func, "__call__", call)

    def _method_of(self, owner: ast.expr, attr: str, call: ast.Call) -> Arrays | None:
        kind = self._kind_of([owner])
        row = around.row_of(f"{kind.array}.{attr}") if kind is not None else None
        found = called(row, call, self, [owner]) if row is not None else None
        of_bools = _of_bools(self.arrays(owner)) if attr in _KEEPING else None
        return found or of_bools or self._member(owner, attr, call)

    def _of_own_code(self, call: ast.Call) -> Arrays | None:
        """What a function of the program, or a private method, returns for all arguments."""
        own = self._code.called(call.func, self)
        found = [(each, united_known(map(each.reader.arrays, each.returned))) for each in own if each.is_followed]
        kept = [results_kept(each.node, each.reader.scopes, arrays) for each, arrays in found]
        return self._executed(united_known(kept)) if len(found) == len(own) else None

    def _executed(self, result: Arrays | None) -> Arrays | None:
        """What code of the program returns here; None if `torch.autocast` in this module may change its dtype."""
        if result is None or Library.TORCH not in result.libraries or not self.scopes.uses.names("autocast"):
            return result
        return None if any(issubclass(each, dt.Inexact) for each in result.dtypes or ()) else result

    def operands(self, expression: ast.expr, kind: ArrayKind) -> frozenset[Operand]:
        """The possible operands that an expression stands for; empty if unknown, or of another library."""
        if isinstance(expression, ast.Constant):
            scalar = dt.PYTHON_SCALARS.get(f"py_{type(expression.value).__name__}")
            return frozenset({Operand(scalar)}) if scalar is not None else frozenset()
        known = self.typed.known(expression)
        if known is None or known.in_turns:
            return frozenset()
        typed = self._typed_operands(known, kind) if self._found(expression) is None else frozenset[Operand]()
        arrays = self.arrays(expression)
        if typed or arrays is not None:
            return typed or _operands_of(arrays, kind, {kind.library})
        is_plain = isinstance(expression, ast.Name) and self.scopes.binds_plainly(expression)
        return self._passed[kind.library](expression) if is_plain else frozenset()

    def _passed_operands(self, kind: ArrayKind, name: ast.Name) -> frozenset[Operand]:
        return parameter_operands(name, self, self._calls, kind)

    def _typed_operands(self, known: Known, kind: ArrayKind) -> frozenset[Operand]:
        """The operands that mypy's types tell."""
        found: set[Operand] = set()
        for typ in known.types:
            values = read(typ, self.module.platform)
            if values is None or not all(value.library in (kind.library, Library.PYTHON) for value in values):
                return frozenset()
            found.update(operand for value in values for operand in kind.operands_of(value))
        return frozenset(found)

    def arguments(self, expression: ast.expr, kind: ArrayKind) -> Iterator[Argument]:
        """The possible arguments of a function of a library that an expression stands for."""
        if isinstance(expression, ast.Tuple | ast.List):
            yield from map(Items, product(*(list(self.arguments(each, kind)) for each in expression.elts)))
        elif isinstance(expression, ast.Constant) and isinstance(expression.value, WRITTEN):
            yield Value(expression.value)
        elif (dtype := self._named_dtype(expression, kind)) is not None:
            yield DtypeArgument(dtype)
        elif isinstance(expression, ast.Attribute) and expression.attr == "dtype":
            arrays = self.arrays(expression.value)
            dtypes = arrays.dtypes if arrays is not None and arrays.libraries == {kind.library} else None
            yield from [DtypeArgument(each.strong) for each in dtypes] if dtypes else [UNKNOWN]
        elif is_device(expression, self.scopes):
            yield OTHER
        else:
            yield from self.operands(expression, kind) or self._of_any_library(expression, kind) or (UNKNOWN,)

    def _named_dtype(self, expression: ast.expr, kind: ArrayKind) -> type[dt.Shaped] | None:
        """The dtype that a scalar class of a library or of Python stands for, or a constant: `DTYPE = np.float32`."""
        constant = self._constant(expression)
        if constant is not None:
            is_narrow = kind.library is Library.JAX and not self.module.options.jax_enable_x64
            return X32.get(constant, constant) if is_narrow else constant
        name = self.scopes.imported(expression)
        if name is not None:
            module, _, scalar = name.rpartition(".")
            return kind.dtypes.get(scalar) if module == kind.module and scalar.isidentifier() else None
        if not isinstance(expression, ast.Name) or self.typed.known(expression) is None:
            return None
        return PYTHON_TYPES.get(f"builtins.{expression.id}") if self.scopes.is_unbound(expression) else None

    def _constant(self, name: ast.expr) -> type[dt.Shaped] | None:
        """The dtype to which a module gives a name, once: `DTYPE = "int32"`, `DTYPE = torch.float32`."""
        variable = self._code.constant(self.typed.definition(name) or "")
        if variable is None:
            return None
        value, reader = variable
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return NUMPY_STRINGS.get(value.value)
        module, _, scalar = (reader.scopes.imported(value) or "").rpartition(".")
        return next((kind.dtypes.get(scalar) for kind in KINDS if kind.module == module), None)

    def _of_any_library(self, expression: ast.expr, kind: ArrayKind) -> frozenset[Operand]:
        """An array of unknown library, which is one of this library: only NumPy leaves its functions to others."""
        is_numpy = kind.library is Library.NUMPY
        return frozenset() if is_numpy else _operands_of(self.arrays(expression), kind, frozenset())


def _evaluated_first(expression: ast.expr) -> Iterator[ast.expr]:
    """The parts without which an operation or a call has no value."""
    match expression:
        case ast.Call(func=function, args=arguments):
            yield from (function.value, *arguments) if isinstance(function, ast.Attribute) else arguments
        case ast.Attribute(value=owner):
            yield owner
        case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.Subscript():
            yield from deciding_parts(expression)


def _operands_of(arrays: Arrays | None, kind: ArrayKind, libraries: Set[Library]) -> frozenset[Operand]:
    """The operands that some arrays may be, if they are of these libraries."""
    dtypes = arrays.dtypes if arrays is not None and arrays.libraries == libraries else None
    return frozenset(operand for dtype in dtypes or () for operand in kind.operands(dtype))


def _are_arrays(operands: Iterable[Operand]) -> bool:
    """Whether none of them is a Python number: an operation on numbers alone gives a number."""
    return all(issubclass(each.dtype, dt.Shaped) for each in operands)


def _of_bools(arrays: Arrays | None) -> Arrays | None:
    return arrays if arrays is not None and arrays.dtypes == _BOOL else None
