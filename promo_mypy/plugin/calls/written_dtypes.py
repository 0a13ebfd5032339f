"""Read dtypes of times and structured dtypes as they are written, where NumPy's stubs declare Any or numpy.void.

`x.astype("datetime64[h]")`, `np.zeros(3, "f4, i8")`, `np.dtype([("x", "f4"), ("n", np.int64)])`. The promotion rules
have no such dtypes. NumPy's stubs declare what its operators give for them.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mypy.nodes import CallExpr, DictExpr, Expression, ListExpr, NameExpr, RefExpr, StrExpr, TupleExpr, Var
from mypy.plugin import CheckerPluginInterface, FunctionContext
from mypy.types import AnyType, FunctionLike, Instance, ProperType, Type, TypeOfAny, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.calls.arguments.dtype_arguments import dtypes_named
from promo_mypy.plugin.calls.preserved_dtype import by_parameter
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import CallContext, arguments
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.plugin.types.structured_types import Field, fields_of, structure, with_scalar
from promo_mypy.rules import structured
from promo_mypy.rules.dtype_names import time_class
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.records import record

_ANY: Final = AnyType(TypeOfAny.special_form)
_VOID: Final = "numpy.void"
#: Structures in structures: deeper ones are variables that contain themselves, or do not occur.
_DEEPEST: Final = 8
#: Options of functions that read files: other names for the fields, or an array for each.
_OTHER_RESULTS: Final = frozenset({"names", "unpack"})
#: Classes of values without rules of promotion, as dtypes.
_CLASSES: Final = frozenset({"numpy.datetime64", "numpy.timedelta64", "numpy.str_", "numpy.bytes_"})


def with_written_dtype(ctx: CallContext, row: Row, receiver: Type | None, result: Type, session: Session) -> Type:
    """The result with the dtype of times or fields that the call names; any other result as it is."""
    array = get_proper_type(result)
    if not isinstance(array, Instance) or array.type.fullname != names.NUMPY_ARRAY:
        return result
    if not _is_open(numpy_scalars.scalar_of_array(array) or get_proper_type(array.args[1])):
        return result
    given = by_parameter(row, list(arguments(ctx)), receiver)
    asked = given.get("dtype") if _OTHER_RESULTS.isdisjoint(given) else None
    scalar = _Reader(session, ctx.api).written(asked.expression) if asked is not None else None
    return (with_scalar(array, scalar, session.symbols) if scalar is not None else None) or result


def infer_dtype(ctx: FunctionContext, session: Session) -> Type:
    """The `np.dtype(...)` of fields; the declared type for any other."""
    declared = get_proper_type(ctx.default_return_type)
    if not isinstance(declared, Instance) or not declared.args or not _is_open(get_proper_type(declared.args[0])):
        return ctx.default_return_type
    scalar = _Reader(session, ctx.api).structure(ctx.args[0][0]) if ctx.args and ctx.args[0] else None
    return declared.copy_modified(args=[scalar]) if scalar is not None else ctx.default_return_type


def _is_open(scalar: ProperType) -> bool:
    """Whether the stubs have no class for the values, or only that of all structures."""
    return isinstance(scalar, AnyType) or (isinstance(scalar, Instance) and scalar.type.fullname == _VOID)


@record
class _Reader:
    """Reads the dtype argument of a call."""

    session: Session
    api: CheckerPluginInterface
    depth: int = 0
    """How many structures are around."""

    def written(self, expression: Expression) -> Type | None:
        """The class of the values of a dtype of times or fields."""
        if not isinstance(expression, StrExpr):
            return self.structure(expression)
        name = time_class(expression.value)
        return self._class(name) if name is not None else self.structure(expression)

    def structure(self, expression: Expression) -> Instance | None:
        """The class of the values of a dtype with fields; None for any other."""
        if self.depth > _DEEPEST:
            return None
        match expression:
            case StrExpr(value=text):
                found: Sequence[Field] = [
                    Field(each.name, self._scalar(StrExpr(each.dtype)), each.has_shape)
                    for each in structured.fields_of(text)
                ]
            case ListExpr(items=items):
                fields = [self._field(item) for item in items]
                found = [each for each in fields if each is not None] if None not in fields else ()
            case DictExpr(items=items):
                values = {key.value: value for key, value in items if isinstance(key, StrExpr)}
                found = self._zipped(values.get("names"), values.get("formats"))
            case NameExpr(node=Var() as variable):
                bound = definitions(type_checker.tree(self.api)).values(variable) or ()
                other = bound[0] if len(bound) == 1 else None
                return self.structure(other) if isinstance(other, StrExpr | ListExpr | DictExpr) else None
            case CallExpr(callee=RefExpr(fullname=names.NUMPY_DTYPE), args=[first, *_]):
                return self.structure(first)
            case _:
                return None
        return structure(found, self.session.symbols) if found else None

    def _zipped(self, keys: Expression | None, formats: Expression | None) -> Sequence[Field]:
        """The fields of `{"names": [...], "formats": [...]}`."""
        if not isinstance(keys, ListExpr | TupleExpr) or not isinstance(formats, ListExpr | TupleExpr):
            return ()
        named = [each.value for each in keys.items if isinstance(each, StrExpr)]
        if len(named) != len(keys.items) or len(named) != len(formats.items):
            return ()
        return [Field(name, self._scalar(each)) for name, each in zip(named, formats.items, strict=True)]

    def _field(self, item: Expression) -> Field | None:
        """`("x", "f4")`, or `("v", "f4", 3)` for items that are arrays."""
        match item:
            case TupleExpr(items=[StrExpr(value=name), dtype]):
                return Field(name, self._scalar(dtype))
            case TupleExpr(items=[StrExpr(value=name), dtype, _]):
                return Field(name, self._scalar(dtype), has_shape=True)
            case _:
                return None

    def _scalar(self, expression: Expression) -> Type:
        """The class of the values of a field; Any if it is unknown."""
        typ = type_checker.expression_type(type_checker.checker(self.api), expression)
        dtypes = dtypes_named(expression, typ or _ANY, Library.NUMPY, self.session, self.api)
        if dtypes is not None:
            return numpy_scalars.scalar_of(dtypes, self.session.symbols) or _ANY
        text = structured.scalar_class(expression.value) if isinstance(expression, StrExpr) else None
        return self._class(text) or replace(self, depth=self.depth + 1).structure(expression) or _of_object(typ)

    def _class(self, name: str | None) -> Instance | None:
        """One of NumPy's classes."""
        return self.session.symbols.instance(f"numpy.{name}", [_ANY]) if name is not None else None


def _of_object(typ: Type | None) -> Type:
    """The class of the values of `np.datetime64`, or of a dtype with fields; otherwise Any."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance) and proper.type.fullname == names.NUMPY_DTYPE:
        return proper.args[0] if fields_of(proper.args[0]) else _ANY
    if not isinstance(proper, FunctionLike) or not proper.is_type_obj():
        return _ANY
    cls = get_proper_type(proper.items[0].ret_type)
    return cls if isinstance(cls, Instance) and cls.type.fullname in _CLASSES else _ANY
