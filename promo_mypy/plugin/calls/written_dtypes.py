"""Read dtypes of times and structured dtypes as they are written, where NumPy's stubs declare Any or numpy.void.

`x.astype("datetime64[h]")`, `np.zeros(3, "f4, i8")`, `np.dtype([("x", "f4"), ("n", np.int64)])`. The promotion rules
have no such dtypes. NumPy's stubs declare what its operators give for them.
"""

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
from promo_mypy.plugin.types.structured_types import scalar_of, text_of, with_scalar
from promo_mypy.rules import structured
from promo_mypy.rules.functions.language.rows import Row
from promo_mypy.rules.records import record
from promo_mypy.rules.structured import Field

#: Options of functions that read files: other names for the fields, or an array for each.
_OTHER_RESULTS: Final = frozenset({"names", "unpack"})
#: Structures in structures: deeper ones are variables that contain themselves, or do not occur.
_DEEPEST: Final = 8
#: Classes of values without rules of promotion, as dtypes.
_CLASSES: Final = frozenset({"datetime64", "timedelta64", "str_", "bytes_"})
#: The kinds of dtypes that a call is asked for: those that NumPy's stubs do not declare by themselves.
_TIMES: Final = frozenset({"datetime64", "timedelta64"})


def with_written_dtype(ctx: CallContext, row: Row, receiver: Type | None, result: Type, session: Session) -> Type:
    """The result with the dtype of times or fields that the call names; any other result as it is."""
    array = get_proper_type(result)
    if not isinstance(array, Instance) or array.type.fullname != names.NUMPY_ARRAY:
        return result
    if not _is_open(numpy_scalars.scalar_of_array(array) or get_proper_type(array.args[1])):
        return result
    given = by_parameter(row, list(arguments(ctx)), receiver)
    asked = given.get("dtype") if _OTHER_RESULTS.isdisjoint(given) else None
    scalar = _scalar(asked.expression, ctx.api, session) if asked is not None else None
    return with_scalar(array, scalar, session.symbols) or result


def infer_dtype(ctx: FunctionContext, session: Session) -> Type:
    """The `np.dtype(...)` of fields; of unknown dtype for an Any, for which mypy takes the overload of float64."""
    declared = get_proper_type(ctx.default_return_type)
    given = ctx.arg_types[0] if ctx.arg_types else []
    if given and isinstance(get_proper_type(given[0]), AnyType) and isinstance(declared, Instance):
        return declared.copy_modified(args=[AnyType(TypeOfAny.from_error) for _ in declared.args])
    if not isinstance(declared, Instance) or not declared.args or not _is_open(get_proper_type(declared.args[0])):
        return ctx.default_return_type
    scalar = _scalar(ctx.args[0][0], ctx.api, session) if ctx.args and ctx.args[0] else None
    return declared.copy_modified(args=[scalar]) if scalar is not None else ctx.default_return_type


def _is_open(scalar: ProperType) -> bool:
    """Whether the stubs have no class for the values, or only that of all structures."""
    return isinstance(scalar, AnyType) or (isinstance(scalar, Instance) and scalar.type.fullname == "numpy.void")


def _scalar(asked: Expression, api: CheckerPluginInterface, session: Session) -> Type | None:
    """The class of the values of a dtype of times or fields; None for any other."""
    reader = _Reader(session, api)
    dtype = structured.named(asked.value) if isinstance(asked, StrExpr) else reader.structure(asked)
    is_taken = dtype in _TIMES or structured.is_structure(dtype)
    return scalar_of(dtype, session.symbols) if is_taken else None


@record
class _Reader:
    """Reads the dtypes of fields, as `Field.dtype` has them. `depth`: how many structures are around."""

    session: Session
    api: CheckerPluginInterface
    depth: int = 0

    def structure(self, expression: Expression) -> str:
        """The fields of a list or dict, or of a variable that holds one; empty for anything else."""
        match expression:
            case _ if self.depth > _DEEPEST:
                return ""
            case ListExpr(items=items):
                found = [each for each in map(self._field, items) if each is not None]
                return structured.encoded(found) if found and len(found) == len(items) else ""
            case DictExpr(items=items):
                values = {key.value: value for key, value in items if isinstance(key, StrExpr)}
                return self._zipped(values.get("names"), values.get("formats"))
            case NameExpr(node=Var() as variable):
                bound = definitions(type_checker.tree(self.api)).values(variable) or ()
                is_one = len(bound) == 1 and isinstance(bound[0], StrExpr | ListExpr | DictExpr)
                return replace(self, depth=self.depth + 1)._dtype(bound[0]) if is_one else ""
            case CallExpr(callee=RefExpr(fullname=names.NUMPY_DTYPE), args=[first, *_]):
                return self._dtype(first)
            case _:
                return ""

    def _zipped(self, keys: Expression | None, formats: Expression | None) -> str:
        """The fields of `{"names": [...], "formats": [...]}`."""
        if not isinstance(keys, ListExpr | TupleExpr) or not isinstance(formats, ListExpr | TupleExpr):
            return ""
        pairs = zip(keys.items, formats.items, strict=False)
        found = [Field(key.value, self._dtype(each)) for key, each in pairs if isinstance(key, StrExpr)]
        return structured.encoded(found) if len(found) == len(keys.items) == len(formats.items) else ""

    def _field(self, item: Expression) -> Field | None:
        """`("x", "f4")`, or `("v", "f4", 3)` for items that are arrays."""
        match item:
            case TupleExpr(items=[StrExpr(value=name), dtype, *shape]):
                return Field(name, self._dtype(dtype), has_shape=bool(shape))
            case _:
                return None

    def _dtype(self, expression: Expression) -> str:
        if isinstance(expression, StrExpr):
            return structured.named(expression.value)
        typ = type_checker.expression_type(type_checker.checker(self.api), expression)
        anything = AnyType(TypeOfAny.special_form)
        dtypes = dtypes_named(expression, typ or anything, Library.NUMPY, self.session, self.api) or ()
        exact = [each.name for each in dtypes if len(dtypes) == 1]
        return exact[0] if exact else replace(self, depth=self.depth + 1).structure(expression) or _of_object(typ)


def _of_object(typ: Type | None) -> str:
    """The class of the values of `np.datetime64`, or the fields of a dtype; otherwise empty."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance) and proper.type.fullname == names.NUMPY_DTYPE:
        return text_of(proper.args[0]) or ""
    if not isinstance(proper, FunctionLike) or not proper.is_type_obj():
        return ""
    return proper.type_object().name if proper.type_object().name in _CLASSES else ""
