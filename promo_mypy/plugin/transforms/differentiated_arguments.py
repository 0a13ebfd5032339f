"""Report arguments with respect to which a function cannot be differentiated: `jax.grad(f)(3)`.

JAX looks at the arguments before it calls the function. So the types of the arguments decide, whatever the function
declares. The call of a derivative follows at once, through further transforms, or by the only variable that holds it.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.errorcodes import ARG_TYPE
from mypy.nodes import (
    ARG_POS,
    CallExpr,
    Decorator,
    Expression,
    LambdaExpr,
    MypyFile,
    NameExpr,
    RefExpr,
    TupleExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface, FunctionContext
from mypy.subtypes import is_subtype
from mypy.types import CallableType, NoneType, TupleType, Type, get_proper_type

from promo_mypy.plugin import names
from promo_mypy.plugin.late import late
from promo_mypy.plugin.libraries import Library
from promo_mypy.plugin.mypy_api.arguments import CallContext
from promo_mypy.plugin.mypy_api.checker import type_checker
from promo_mypy.plugin.mypy_api.nodes.function_bodies import has_decorators
from promo_mypy.plugin.mypy_api.nodes.tree_changes import name_of_global
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees import file_texts
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.transform_calls import TRANSFORMS, name_of
from promo_mypy.plugin.trees.written_arguments import argument, has_stars
from promo_mypy.plugin.types.array_types import read
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.functions.derivatives import ALLOW_INTEGERS, DERIVATIVES, Derivative
from promo_mypy.rules.records import record
from promo_mypy.rules.wording.reasons import spelled

with late():
    from promo_mypy.plugin.calls.arguments import pytrees
    from promo_mypy.plugin.calls.reports import rejected_calls
    from promo_mypy.plugin.mypy_api.checker import partial_application
    from promo_mypy.plugin.transforms import called_lambdas, differentiated_results

#: mypy's name of a function -> its row.
ROWS: Final = {
    full: f"{library}.{full.rpartition('.')[2]}"
    for library, found in {
        "jax": (names.GRAD[:1], names.VALUE_AND_GRAD, names.JACFWD[:1], names.JACREV[:2]),
        "torch.func": (names.GRAD[1:], names.GRAD_AND_VALUE, names.JACFWD[1:], names.JACREV[2:]),
        "equinox": (
            (names.FILTER_GRAD, names.FILTER_VALUE_AND_GRAD),
            (names.FILTER_JACFWD,),
            names.FILTER_JACREV,
        ),
    }.items()
    for some in found
    for full in some
}
_ARGNUMS: Final = 1
"""The position of the parameter `argnums`."""
_DEEPEST: Final = 8


@record
class _Leaf:
    """A part of an argument that cannot be differentiated."""

    path: "pytrees.Path"
    dtype: dt.OperandType


class StoredDerivatives:
    """The names of variables and decorated functions that may be derivatives, of all files that were checked so far."""

    def __init__(self) -> None:
        self._names: set[str] = set()

    def collect(self, file: MypyFile) -> None:
        """Collect the names of a file that mypy is about to check."""
        if file_texts.may_have(file, ["grad", "jac", "hessian"]):
            found = definitions(file)
            calls = (each for each, bound in found.by_variable.items() if type(bound[0].value) is CallExpr)
            kept = (each for each in calls if (values := found.values(each)) and _derivative_in(values[0]))
            self._names |= {each.fullname for each in kept}
            self._names |= {node.fullname for node in found.decorated if _decorating(node) is not None}

    def concern(self, fullname: str) -> bool:
        """Whether a call under that name may call a derivative."""
        return fullname in self._names


def check_made(ctx: FunctionContext, session: Session) -> None:
    """Check the call of a derivative that follows at once: `jax.grad(f)(x)`, `jax.jit(jax.grad(f))(x)`."""
    made = ctx.context
    if not isinstance(made, CallExpr) or name_of(made) not in ROWS or session.watch.leaves_alone(ctx.api):
        return
    around, inner = called_lambdas.calls_around(type_checker.tree(ctx.api)), made
    for _ in range(_DEEPEST):
        call = around.get(inner)
        if call is None:
            return
        if call.callee is inner:
            _check(made, call, session, ctx.api)
            return
        inner = call


def check_stored(ctx: CallContext, session: Session) -> None:
    """Check the call of a variable that holds a derivative, or of a function that a decorator makes one."""
    call = ctx.context
    callee = call.callee if isinstance(call, CallExpr) else None
    node = callee.node if isinstance(callee, NameExpr) else None
    if not isinstance(call, CallExpr) or node is None or session.watch.leaves_alone(ctx.api):
        return
    made, tree = None, type_checker.tree(ctx.api)
    if has_decorators(node, tree):
        made = _decorating(node)
    elif isinstance(node, Var):
        values = definitions(tree).values(node)
        made = _derivative_in(values[0]) if values is not None and len(values) == 1 else None
    if made is not None:
        _check(made, call, session, ctx.api)


def _decorating(function: Decorator) -> CallExpr | None:
    """The call `jax.grad(f, ...)` that decorators of a function stand for; None if one of them is not a transform."""
    made = None
    for decorator in function.original_decorators:
        call = decorator if isinstance(decorator, CallExpr) else None
        is_partial = call is not None and name_of(call) == names.FUNCTOOLS_PARTIAL and bool(call.args)
        wrapper = call.args[0] if call is not None and is_partial else decorator if call is None else call.callee
        if not isinstance(wrapper, RefExpr) or wrapper.fullname not in TRANSFORMS:
            return None
        if wrapper.fullname in ROWS:
            itself = name_of_global(function)
            options = slice(1 if is_partial else 0, None)
            args, kinds, keys = (call.args, call.arg_kinds, call.arg_names) if call is not None else ([], [], [])
            made = CallExpr(wrapper, [itself, *args[options]], [ARG_POS, *kinds[options]], [None, *keys[options]])
            made.set_line(decorator)
            itself.set_line(decorator)
    return made


def _derivative_in(expression: Expression) -> CallExpr | None:
    """The derivative that an expression is, or that its calls of transforms transform."""
    while isinstance(expression, CallExpr) and expression.args:
        if name_of(expression) in ROWS:
            return expression
        if name_of(expression) not in TRANSFORMS:
            return None
        expression = expression.args[0]
    return None


def _check(made: CallExpr, call: CallExpr, session: Session, api: CheckerPluginInterface) -> None:
    name = ROWS[name_of(made) or ""]
    row = DERIVATIVES[name]
    positions = _positions(made, api)
    if positions is None or argument(made, ALLOW_INTEGERS) is not None or not made.args:
        return
    starred = next((place for place, kind in enumerate(call.arg_kinds) if kind is not ARG_POS), len(call.args))
    is_fine = True
    for position in positions:
        place = position if position >= 0 or starred < len(call.args) else position + len(call.args)
        if not 0 <= place < starred:
            continue
        given = type_checker.quiet_type(api, call.args[place])
        leaf = _refused(given, row, session)
        if leaf is None:
            continue
        is_fine = False
        if type_checker.is_reported(api, call.args[place], ARG_TYPE):
            continue
        if not _is_rejected(given, made.args[0], place, session, api):
            _report(name, made, place, leaf, call.args[place], session, api)
    if is_fine:
        differentiated_results.check(name, made, call, session, api)


def _is_rejected(given: Type, function: Expression, place: int, session: Session, api: CheckerPluginInterface) -> bool:
    """Whether the function declares an array of another dtype, which mypy reports when it checks the call."""
    signature = _signature(function, api)
    declared = signature.arg_types[place] if signature is not None and place < len(signature.arg_types) else None
    values = read(declared, session.platform) if declared is not None else None
    is_array = values is not None and any(value.library is not Library.PYTHON for value in values)
    return is_array and declared is not None and not is_subtype(given, declared)


def _signature(function: Expression, api: CheckerPluginInterface) -> CallableType | None:
    found = (
        partial_application.signature_of(type_checker.quiet_type(api, function))
        if isinstance(function, RefExpr)
        else None
    )
    return found.items[0] if found is not None else None


def _positions(made: CallExpr, api: CheckerPluginInterface) -> Sequence[int] | None:
    given = argument(made, "argnums", _ARGNUMS)
    if given is None:
        return None if has_stars(made) else (0,)
    values = [type_checker.folded(api, each) for each in (given.items if isinstance(given, TupleExpr) else [given])]
    known = [value for value in values if type(value) is int]
    return known if len(known) == len(values) else None


def _refused(argument: Type, row: Derivative, session: Session) -> _Leaf | None:
    """The first part of an argument for which the derivative raises, whatever dtype of a union it has."""
    leaves = [(path, leaf, _dtype(leaf, row, session)) for path, leaf in _leaves(argument) if not _is_none(leaf)]
    found = [_Leaf(path, dtype) for path, _, dtype in leaves if dtype is not None]
    return found[0] if found and (not row.every or len(found) == len(leaves)) else None


def _dtype(leaf: Type, row: Derivative, session: Session) -> dt.OperandType | None:
    """The dtype of a leaf for which the derivative raises; None if it may accept it."""
    values = read(leaf, session.platform)
    if not values or (not row.numbers and any(value.library is not Library.TORCH for value in values)):
        return None
    dtypes = [(value.library, dtype) for value in values for dtype in value.dtypes]
    raises = all(dtype.kind in row.refused or (row.every and library is Library.PYTHON) for library, dtype in dtypes)
    return min((dtype for _, dtype in dtypes), key=lambda dtype: dtype.name) if raises and dtypes else None


def _leaves(tree: Type, path: "pytrees.Path" = ()) -> "Iterator[tuple[pytrees.Path, Type]]":
    """The leaves of an argument. Objects count as leaves: their fields may be static."""
    found: list[tuple[pytrees.Path, Type]] = []

    def note(inner: "pytrees.Path", leaf: Type, _: Type) -> Type:
        found.append((inner, leaf))
        return leaf

    pytrees.map_pairs(note, tree, tree, path)
    for inner, leaf in found:
        proper = get_proper_type(leaf)
        if isinstance(proper, TupleType) and "namedtuple" in proper.partial_fallback.type.metadata:
            fields = proper.partial_fallback.type.metadata["namedtuple"]["fields"]
            for field, item in zip(fields, proper.items, strict=True):
                yield from _leaves(item, (*inner, f".{field}"))
        else:
            yield inner, leaf


def _is_none(leaf: Type) -> bool:
    return isinstance(get_proper_type(leaf), NoneType)


def _report(
    name: str,
    made: CallExpr,
    place: int,
    leaf: _Leaf,
    argument: Expression,
    session: Session,
    api: CheckerPluginInterface,
) -> None:
    library = Library.TORCH if name.startswith("torch") else Library.JAX
    system = session.system(library, api)
    shown = spelled(leaf.dtype)
    within = f" at {''.join(leaf.path)}" if leaf.path else ""
    called = _parameter(made, place, api)
    reason = (
        f"{system.dialect.library} does not differentiate with respect to argument {called}{within}, which is {shown}"
    )
    remedy = f"name other arguments in argnums, or cast it with {system.dialect.cast(dt.float32)}"
    rejected_calls.report_call(f"{name}({shown})", system, reason, remedy, argument, api)


def _parameter(made: CallExpr, place: int, api: CheckerPluginInterface) -> str:
    """The number of an argument of the differentiated function, with its name where that is known."""
    function = made.args[0]
    if isinstance(function, LambdaExpr):
        known: Sequence[str | None] = function.arg_names
    else:
        signature = _signature(function, api)
        known = signature.arg_names if signature is not None else ()
    name = known[place] if place < len(known) else None
    return f"{place} ({name})" if name else str(place)
