"""Read the dtypes that an expression in a dtype argument names.

It may be `jnp.float32`, `torch.half`, `np.float32`, `ml_dtypes.bfloat16`, `"<f4"`, `float`, `np.dtype("float32")`,
`x.dtype`, a conditional expression of these, or a variable that holds one. If the type names the dtype (NumPy's classes
and dtype objects, string literals), it is read from the type, otherwise from the expression.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from mypy.nodes import (
    ARG_POS,
    GDEF,
    CallExpr,
    ConditionalExpr,
    Expression,
    MemberExpr,
    NameExpr,
    RefExpr,
    StrExpr,
    SymbolNode,
    TypeAlias,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import (
    FunctionLike,
    Instance,
    LiteralType,
    NoneType,
    ProperType,
    Type,
    TypeType,
    UnionType,
    get_proper_type,
)

from promo_mypy.plugin import names
from promo_mypy.plugin.diagnostics.findings import made
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import BY_NAMESPACE, Library
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.types import numpy_scalars
from promo_mypy.plugin.types.array_types import read
from promo_mypy.rules import dtype_names
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.dtype_names import SPELLINGS, Spellings
from promo_mypy.rules.records import record
from promo_mypy.rules.wording import diagnostics, truncation

with late():
    from promo_mypy.plugin.diagnostics import forbidden

DType = type[dt.Shaped]
DTypeSet = frozenset[DType]

# A variable bound to a variable bound to ...: longer chains than this are cycles, or do not occur.
_DEEPEST: Final = 8

# Objects of other libraries that NumPy accepts as a dtype: jnp.float32, ml_dtypes.bfloat16.
_NUMPY_READS: Final = {
    module: dtype_names.JAX_NAMES for module, library in BY_NAMESPACE.items() if library is Library.JAX
} | {names.ML_DTYPES: dtype_names.ML_DTYPES_NAMES}


def dtypes_named(
    expression: Expression,
    typ: Type,
    library: Library,
    session: Session,
    api: CheckerPluginInterface,
    *,
    makes_array: bool = True,
) -> DTypeSet | None:
    """The dtypes that a dtype argument of a function of `library` may stand for; None if unknown.

    The value None stands for float64, as in `numpy.dtype(None)`. Functions that give it another meaning check it first.
    A conditional expression, a category or a union gives several dtypes. JAX truncates 64-bit dtypes when x64 is off.
    Every dtype argument is read here, so a forbidden dtype is reported here. JAX warns of a truncated dtype only if the
    call `makes_array` of it: not in `jnp.promote_types(x.dtype, jnp.float64)`.
    """
    truncates = library is Library.JAX and not session.options(api).jax_x64
    found = _Reader(library, session, api, truncates).read(expression, typ, local=True, depth=0)
    if found is not None and session.has_policies and not _is_dtype_of_array(expression):
        given = frozenset(dtype_names.X32.get(dtype, dtype) for dtype in found) if truncates else found
        forbidden.report_request(given, expression, session.system(library, api).dialect, session, api)
    if found is None or library is not Library.JAX:
        return found
    if found & dtype_names.NOT_JAX:
        return None
    if not truncates or dtype_names.X32.keys().isdisjoint(found):
        return found
    if makes_array and found <= dtype_names.X32.keys():
        cut = truncation.requested(found)
        finding = made(diagnostics.TRUNCATION, cut.remedy, problem=cut.problem)
        type_checker.report(api, finding, expression)
    return frozenset(dtype_names.X32.get(dtype, dtype) for dtype in found)


def constant_dtype(expression: Expression) -> SymbolNode | None:
    """The symbol of an expression that names the same dtype everywhere and needs no report; None for any other."""
    node = expression.node if isinstance(expression, RefExpr) else None
    if not isinstance(node, Var | TypeInfo):
        return None
    module, _, name = node.fullname.rpartition(".")
    return node if module in _CONSTANT and name not in _WIDE else None


def _is_dtype_of_array(expression: Expression) -> bool:
    """Whether that is `x.dtype`: such a dtype exists already and is not reported."""
    return isinstance(expression, MemberExpr) and expression.name == "dtype"


# The modules that never rebind the names of dtypes, and the names of dtypes that JAX may truncate.
_CONSTANT: Final = frozenset({*BY_NAMESPACE, names.ML_DTYPES, "numpy", "builtins"})
_WIDE: Final = frozenset(name for name, dtype in dtype_names.JAX_NAMES.items() if dtype in dtype_names.X32)


@record
class _Reader:
    """Reads one dtype argument."""

    library: Library
    session: Session
    api: CheckerPluginInterface
    narrow_python: bool
    """Whether Python's types stand for the 32-bit dtypes, as they do for JAX without x64."""

    @property
    def _spellings(self) -> Spellings:
        return SPELLINGS[self.library.value]

    def read(self, expression: Expression, typ: Type | None, *, local: bool, depth: int) -> DTypeSet | None:
        """`local`: whether the expression is in the code that mypy is checking now, so that its types are known."""
        found = self._by_expression(expression, local, depth)
        if found is None and typ is not None:
            found = self._by_type(get_proper_type(typ))
        return found

    def _nested(self, expression: Expression, local: bool, depth: int) -> DTypeSet | None:
        typ = type_checker.expression_type(type_checker.checker(self.api), expression) if local else None
        return self.read(expression, typ, local=local, depth=depth + 1)

    def _by_expression(self, expression: Expression, local: bool, depth: int) -> DTypeSet | None:
        if depth > _DEEPEST:
            return None
        match expression:
            case StrExpr():
                return self._of_string(expression.value)
            case ConditionalExpr():
                branches = (expression.if_expr, expression.else_expr)
                return _union(self._nested(branch, local, depth) for branch in branches)
            case CallExpr(callee=RefExpr() as callee, args=[argument], arg_kinds=[kind]):
                named = callee.fullname in names.DTYPE_CONSTRUCTORS and kind is ARG_POS
                # `jnp.dtype(float)` is float64 whatever x64 says.
                return replace(self, narrow_python=False)._nested(argument, local, depth) if named else None
            case MemberExpr(name="dtype") if not expression.fullname:
                return self._of_array(expression.expr, local)
            case RefExpr():
                return self._of_reference(expression, local, depth)
            case _:
                return None

    def _of_string(self, text: str) -> DTypeSet | None:
        return _single(self._spellings.string(text))

    def _of_array(self, array: Expression, local: bool) -> DTypeSet | None:
        typ = type_checker.expression_type(type_checker.checker(self.api), array) if local else None
        if typ is None and isinstance(array, NameExpr) and isinstance(array.node, Var):
            typ = array.node.type
        values = read(typ, self.session.platform) if typ is not None else None
        if values is None or any(value.library is Library.PYTHON for value in values):
            return None
        found = [self._dtype_from(value.library, dtype) for value in values for dtype in value.dtypes]
        known = [dtype for dtype in found if dtype is not None]
        return frozenset(known) if len(known) == len(found) else None

    def _dtype_from(self, library: Library, dtype: dt.OperandType) -> DType | None:
        """The dtype that this library reads from the `dtype` attribute of another library's array."""
        assert issubclass(dtype, dt.Shaped)
        if library is self.library:
            return dtype.strong
        return self._spellings.from_numpy(dtype.strong) if SPELLINGS[library.value].uses_numpy else None

    def _of_reference(self, reference: RefExpr, local: bool, depth: int) -> DTypeSet | None:
        node = reference.node
        if isinstance(node, TypeInfo):
            return self._of_class(Instance(node, []))
        if isinstance(node, TypeAlias):
            target = get_proper_type(node.target)
            return self._of_class(target) if isinstance(target, Instance) else None
        if not isinstance(node, Var):
            return None
        module, _, name = node.fullname.rpartition(".")
        if BY_NAMESPACE.get(module) is self.library:
            return _single(self._spellings.names.get(name))
        if module in _NUMPY_READS:
            return _single(_NUMPY_READS[module].get(name)) if self._spellings.uses_numpy else None
        if module in BY_NAMESPACE:
            return None
        values = definitions(type_checker.tree(self.api)).values(node)
        if not values or node.info:
            return None
        here = local and reference.kind != GDEF
        return _union(self._nested(value, here, depth) for value in values)

    def _of_class(self, cls: Instance) -> DTypeSet | None:
        """The dtype of a class: abstract NumPy classes are not dtypes."""
        python = self._spellings.python.get(cls.type.fullname)
        if python is not None:
            return frozenset({self._default(python)})
        if cls.type.type_vars and not cls.args:
            return self._of_numpy(frozenset({dt.bool_})) if cls.type.fullname == names.NUMPY_BOOL else None
        found = numpy_scalars.dtypes_of_scalar(cls, self.session.platform)
        return self._of_numpy(found) if found is not None and len(found) == 1 else None

    def _of_numpy(self, dtypes: DTypeSet | None) -> DTypeSet | None:
        """The library's dtypes for NumPy's dtypes; None if it rejects one of them."""
        return _union(_single(self._spellings.from_numpy(dtype)) for dtype in dtypes) if dtypes is not None else None

    def _default(self, dtype: DType) -> DType:
        return dtype_names.X32.get(dtype, dtype) if self.narrow_python else dtype

    def _by_type(self, typ: ProperType) -> DTypeSet | None:
        match typ:
            case UnionType():
                return _union(self._by_type(get_proper_type(item)) for item in typ.items)
            case LiteralType(value=str() as text):
                return self._of_string(text)
            case Instance(last_known_value=LiteralType(value=str() as text)):
                return self._of_string(text)
            case NoneType():
                return frozenset({self._default(dt.float64)}) if self._spellings.uses_numpy else None
            case Instance() if typ.type.fullname == names.NUMPY_DTYPE:
                return self._of_numpy(numpy_scalars.dtypes_of_scalar(typ.args[0], self.session.platform))
            case TypeType(item=Instance() as item):
                return self._of_numpy(numpy_scalars.dtypes_of_scalar(item, self.session.platform))
            case FunctionLike() if typ.is_type_obj():
                cls = get_proper_type(typ.items[0].ret_type)
                # Not Python's own classes: a variable of type `type[int]` may hold bool.
                python = isinstance(cls, Instance) and cls.type.fullname in dtype_names.PYTHON_TYPES
                return self._of_class(cls) if isinstance(cls, Instance) and not python else None
            case _:
                return None


def _single(dtype: DType | None) -> DTypeSet | None:
    return frozenset({dtype}) if dtype is not None else None


def _union(parts: Iterable[DTypeSet | None]) -> DTypeSet | None:
    listed = list(parts)
    known = [part for part in listed if part is not None]
    return frozenset().union(*known) if len(known) == len(listed) else None
