"""Check the body of a function aside, for parameters of given types: outside mypy's public surface.

"Aside" means with a second type checker, so that the state of the running check does not change: its binder, scopes,
partial types and deferred functions. All errors are captured. Parameters keep their declared types, and an inserted
assignment narrows them, so that they may be bound anew. (tests/plugin/calls/test_called_bodies.py)
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Final

from mypy.checker_state import checker_state
from mypy.errorcodes import ASSIGNMENT
from mypy.nodes import (
    LDEF,
    Argument,
    Expression,
    FuncDef,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    TypeInfo,
    Var,
)
from mypy.subtypes import is_same_type
from mypy.typeops import callable_type
from mypy.types import AnyType, CallableType, LiteralType, Type, TypeOfAny, UnionType, get_proper_type

from promo_mypy.plugin.mypy_api.checker.type_checker import Heard, TypeChecker, aside, take_types
from promo_mypy.plugin.mypy_api.nodes.tree_changes import narrowed_also
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.trees.definitions import definitions
from promo_mypy.plugin.trees.own_returns import own_returns
from promo_mypy.plugin.trees.syntax_trees import nodes

TypeOf = Callable[[Expression], Type | None]

#: Options under which mypy reports no missing annotation in a body.
_ACCEPTING: Final[dict[str, object]] = {
    "disallow_untyped_defs": False,
    "disallow_incomplete_defs": False,
    "disallow_untyped_calls": False,
    "check_untyped_defs": True,
}
_LAST_PASS = 3
"""A pass in which mypy defers nothing."""


def returned_types(
    current: TypeChecker, function: FuncDef, tree: MypyFile, types: Sequence[Type | None]
) -> list[Type] | None:
    """The types of the returned expressions of a module's function, for arguments of these types.

    None stands for a parameter of its declared type. The result is None if mypy finds an error in the body: then a
    variable may have another type than its value. Unreachable statements return nothing.
    """
    type_of = types_in_body(current, function, tree, types)
    statements = own_returns(function)
    if type_of is None or any(statement.expr is None for statement in statements):
        return None
    found = (type_of(each.expr) for each in statements if each.expr is not None)
    return [typ for typ in found if typ is not None]


def types_in_body(
    current: TypeChecker, function: FuncDef, tree: MypyFile, types: Sequence[Type | None], *, replace: bool = False
) -> TypeOf | None:
    """The types of the expressions in a body, for arguments of these types. None if mypy finds an error in it.

    `replace`: whether the types take the place of declared ones, too, which are narrowed otherwise only from Any.
    """
    nested, errors = _checker_of(current, tree), list[ErrorInfo]()

    def hide(_file: str, error: ErrorInfo) -> bool:
        errors.extend([error] if error.severity == "error" else [])  # no note, such as that of `reveal_type`
        return True

    with aside(nested), nested.msg.filter_errors(filter_errors=hide):
        _check(current, nested, function, types, replace=replace)
    type_of = take_types(nested)
    return None if errors or nested.deferred_nodes else type_of


def values_in_body(
    current: TypeChecker, function: FuncDef, tree: MypyFile, types: Sequence[Type | None], assigned: Set[int]
) -> Callable[[Node], Type | None] | None:
    """The types of the expressions in a body, and of `x + y` for each `x += y`, for arguments of these types.

    None if a variable may have another type than its value, apart from those that are assigned in these lines. Other
    errors do not count.
    """
    nested, rejected = _checker_of(current, tree), list[ErrorInfo]()

    def hide(_file: str, error: ErrorInfo) -> bool:
        is_rejected = error.code is ASSIGNMENT and error.line not in assigned
        rejected.extend([error] if is_rejected else [])
        return True

    with aside(nested), nested.msg.filter_errors(filter_errors=hide):
        _check(current, nested, function, types)
    sums = {node.left: typ for known in nested._type_maps for node, typ in known.items() if isinstance(node, OpExpr)}

    of_expression = take_types(nested)

    def type_of(node: Node) -> Type | None:
        if isinstance(node, OperatorAssignmentStmt):
            return sums.get(node.lvalue)
        return of_expression(node) if isinstance(node, Expression) else None

    return None if rejected or nested.deferred_nodes else type_of


def findings_in_body(
    current: TypeChecker,
    function: FuncDef,
    tree: MypyFile,
    types: Sequence[Type | None],
    heard: Heard,
    go_on: Callable[[TypeChecker, ErrorInfo], object],
) -> TypeOf:
    """The types of the expressions in a body, for arguments of these types. `heard` is told what would be reported.

    Nobody sees the errors of mypy itself. `go_on` is called after each, before the next statement is checked.
    """
    nested = _checker_of(current, tree)

    def hide(_file: str, error: ErrorInfo) -> bool:
        go_on(nested, error)
        return True

    with aside(nested, heard), nested.msg.filter_errors(filter_errors=hide):
        _check(current, nested, function, types)
    return take_types(nested)


def _checker_of(current: TypeChecker, tree: MypyFile) -> TypeChecker:
    options = current.options.clone_for_module(tree.fullname).apply_changes(_ACCEPTING)
    nested = TypeChecker(current.errors, current.modules, options, tree, tree.path, current.plugin, {})
    nested.pass_num = _LAST_PASS
    return nested


def _check(
    current: TypeChecker,
    nested: TypeChecker,
    function: FuncDef,
    types: Sequence[Type | None],
    *,
    replace: bool = False,
) -> None:
    signature, narrowed = _signature(current, function, types)
    if replace:
        known = [each if each is not None else typ for each, typ in zip(types, signature.arg_types, strict=True)]
        signature, narrowed = signature.copy_modified(arg_types=known), []
    with (
        _errors_of(current, nested, nested.tree),
        checker_state.set(nested),
        narrowed_also(function, narrowed),
        _kept(function),
        nested.tscope.module_scope(nested.tree.fullname),
        _in_class(nested, _class_of_method(current, function, nested.tree)),
        nested.binder.top_frame_context(),
        nested.tscope.function_scope(function),
    ):
        nested.check_func_item(function, type_override=signature)
    current.module_refs.update(nested.module_refs)  # mypy's cache makes the file depend on them


def _class_of_method(current: TypeChecker, function: FuncDef, tree: MypyFile) -> TypeInfo | None:
    """The class of a method, or of the method that a function is in; None for any other function.

    Functions of another file are in no function.
    """
    around = definitions(tree).inner.get(function, ()) if not function.info and tree is current.tree else ()
    return around[-1].info if around else function.info or None


@contextmanager
def _in_class(nested: TypeChecker, info: TypeInfo | None) -> Iterator[None]:
    """The scope of a method's class, which `super()`, private names and attributes of `self` need."""
    if info is None:
        yield
        return
    with nested.tscope.class_scope(info), nested.scope.push_class(info):
        yield


@contextmanager
def assumed_types(types: Mapping[Var, Type]) -> Iterator[None]:
    """Within this context, fields of classes have these types."""
    before = {variable: variable.type for variable in types}
    try:
        for variable, typ in types.items():
            variable.type = typ
        yield
    finally:
        for variable, declared in before.items():
            variable.type = declared


def _signature(
    current: TypeChecker, function: FuncDef, types: Sequence[Type | None]
) -> tuple[CallableType, list[tuple[Argument, Type]]]:
    declared = function.type
    if not isinstance(declared, CallableType):
        declared = callable_type(function, current.named_type("builtins.function"))
    # With Any as the expected type of a returned display, its items would be Any.
    result = current.named_type("builtins.object")
    parameters = [
        typ if given is None else _parameter(typ, given) for typ, given in zip(declared.arg_types, types, strict=True)
    ]
    narrowed = [(each, typ) for each, typ in zip(function.arguments, types, strict=True) if typ is not None]
    return declared.copy_modified(arg_types=parameters, ret_type=result, type_guard=None, type_is=None), narrowed


def _parameter(declared: Type, given: Type) -> Type:
    """The declared type of a parameter in a body that is checked for an argument of a type.

    mypy does not narrow a variable that is declared as Any, nor to a type that only remembers more.
    """
    if isinstance(get_proper_type(declared), AnyType):
        return UnionType([AnyType(TypeOfAny.special_form), _class_of(given)])
    return given if is_same_type(declared, given) else declared


def _class_of(typ: Type) -> Type:
    """A type without the value of a literal: the parameter may be bound to another one."""
    proper = get_proper_type(typ)
    return proper.fallback if isinstance(proper, LiteralType) else typ


@contextmanager
def _errors_of(current: TypeChecker, nested: TypeChecker, tree: MypyFile) -> Iterator[None]:
    errors = current.errors
    file, module, scope, options = errors.file, errors.target_module, errors.scope, errors.options
    errors.set_file(tree.path, tree.fullname, scope=nested.tscope, options=nested.options)
    try:
        yield
    finally:
        errors.set_file(file, module, scope=scope, options=options)


@contextmanager
def _kept(function: FuncDef) -> Iterator[None]:
    """Restore the types of the parameters, other local variables and attributes, as the ordinary check finds them."""
    inside = list(nodes(function.body))
    names = [node for node in inside if isinstance(node, NameExpr) and node.kind == LDEF]
    found = {node.node for node in names} | {node.def_var for node in inside if isinstance(node, MemberExpr)}
    variables = {each for each in found if isinstance(each, Var)} | {each.variable for each in function.arguments}
    types = [(variable, variable.type) for variable in variables]
    defining = [name for name in names if name.is_inferred_def]
    try:
        yield
    finally:
        for variable, typ in types:
            variable.type = typ
        for name in defining:
            name.is_inferred_def = True
