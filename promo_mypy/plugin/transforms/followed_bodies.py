"""Infer what a function of the same file returns where a transform calls it, by checking its body aside.

`lax.scan(step, init, xs)` calls `step` with types that only the loop knows. What the function declares stays: only
parameters and results without annotation, or of arrays without a dtype, are inferred. A function inside another one is
followed, too, if each variable that it reads there is bound once or declared. No annotation of JAX tells a weak dtype
from a strong one: where an argument is weak, the body decides whether the result is.
"""

from collections.abc import Collection, Sequence
from typing import Final

from mypy.nodes import LDEF, Expression, FakeInfo, FuncDef, LambdaExpr, NameExpr, Var
from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import is_subtype
from mypy.types import AnyType, CallableType, Type, get_proper_type

from promo_mypy.plugin.calls.arguments import pytrees
from promo_mypy.plugin.calls.arguments.traced_values import is_jax_array
from promo_mypy.plugin.calls.fill import unknown
from promo_mypy.plugin.calls.followed.called_bodies import has_small_body
from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.checker.body_checking import returned_types
from promo_mypy.plugin.mypy_api.checker.type_checker import checker
from promo_mypy.plugin.mypy_api.nodes.function_bodies import has_body
from promo_mypy.plugin.state.session import Session
from promo_mypy.plugin.trees.definitions import FileDefinitions, definitions
from promo_mypy.plugin.trees.syntax_trees import nodes
from promo_mypy.plugin.types.array_types import may_lack_dtype, shaped_dtypes
from promo_mypy.rules import dtypes as dt

with late():
    from promo_mypy.plugin.calls import autocast

#: The functions whose bodies are being checked: one may call a transform with itself.
_UNDER_WAY: Final[list[FuncDef]] = []
_DEEPEST: Final = 3


def refined_result(
    declared: Type, expression: Expression, types: Sequence[Type], session: Session, api: CheckerPluginInterface
) -> Type:
    """What the named function returns for these arguments: the declared type, with the dtypes that its body returns."""
    weak = {
        dtype.strong for typ in types for leaf in pytrees.leaves(typ) for dtype in _dtypes(leaf, session) if dtype.weak
    }
    if not weak and not any(may_lack_dtype(leaf, session.platform) for leaf in pytrees.leaves(declared, fields=True)):
        return declared
    found = _returned(expression, types, session, api)
    if found is not None:
        return _refined(declared, found, session)
    if isinstance(expression, LambdaExpr):
        return declared
    return pytrees.map_leaves(lambda leaf: leaf if weak.isdisjoint(_dtypes(leaf, session)) else unknown(), declared)


def _dtypes(leaf: Type, session: Session) -> Collection[type[dt.Shaped]]:
    """The dtypes of a JAX array; none for anything else."""
    return shaped_dtypes(session.values(leaf) or ()) if is_jax_array(leaf) else ()


def _refined(declared: Type, found: Type, session: Session) -> Type:
    """The declared type with the found leaves in place of those of unknown dtype."""
    if isinstance(get_proper_type(declared), AnyType):
        return found

    def closer(_: pytrees.Path, one: Type, other: Type) -> Type:
        is_open = may_lack_dtype(one, session.platform) or any(dtype.weak for dtype in _dtypes(other, session))
        return other if is_open and is_subtype(other, one) else one

    return pytrees.map_pairs(closer, declared, found, fields=True) or declared


def _returned(
    expression: Expression, types: Sequence[Type], session: Session, api: CheckerPluginInterface
) -> Type | None:
    """The one type of all values that the named function returns for these arguments; None if it is unknown."""
    function, current = expression.node if isinstance(expression, NameExpr) else None, checker(api)
    if not has_body(function, current.tree) or len(types) != len(function.arguments) or not has_small_body(function):
        return None
    known = definitions(current.tree)
    if not _is_plain(function) or not all(_is_settled(each, known) for each in _read(function)):
        return None
    if function in _UNDER_WAY or len(_UNDER_WAY) >= _DEEPEST:
        return None
    _UNDER_WAY.append(function)
    try:
        with session.watch.aside(), autocast.entered(autocast.region_of(expression, api)):
            found = returned_types(current, function, current.tree, _given(function, types, session))
    finally:
        _UNDER_WAY.pop()
    first = found[0] if found else None
    return first if first is not None and all(typ == first for typ in found or ()) else None


def _is_plain(function: FuncDef) -> bool:
    """Whether a function has no stars, and is neither a method nor a generator."""
    if function.is_generator or function.is_coroutine or any(kind.is_star() for kind in function.arg_kinds):
        return False
    signature = function.type
    is_generic = isinstance(signature, CallableType) and signature.variables
    return not is_generic and isinstance(function.info, FakeInfo)


def _given(function: FuncDef, types: Sequence[Type], session: Session) -> list[Type | None]:
    """The types of the parameters that tell more than the declared ones."""
    signature = function.type
    if not isinstance(signature, CallableType):
        return list(types)
    rows = [
        (declared, _refined(declared, typ, session)) for typ, declared in zip(types, signature.arg_types, strict=True)
    ]
    return [typ if typ != declared else None for declared, typ in rows]


def _read(function: FuncDef) -> set[Var]:
    """The variables of the functions around it."""
    own = {argument.variable for argument in function.arguments}
    named = [node for node in nodes(function.body) if isinstance(node, NameExpr) and node.kind == LDEF]
    own |= {node.node for node in named if node.is_inferred_def and isinstance(node.node, Var)}
    return {node.node for node in named if isinstance(node.node, Var)} - own


def _is_settled(variable: Var, known: FileDefinitions) -> bool:
    """Whether a variable has one type wherever it is read."""
    return not variable.is_inferred or len(known.values(variable) or ()) == 1
