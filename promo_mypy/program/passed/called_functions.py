"""Find the functions of the checked files, and which of them a call certainly executes."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    ClassDef,
    Decorator,
    Expression,
    FuncDef,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    RefExpr,
    SymbolNode,
    TypeInfo,
)
from mypy.types import CallableType, Instance, Type, get_proper_type

from promo_mypy.plugin.interface.arrays import names
from promo_mypy.rules.decorators import Kept, keeping

_PLAIN: Final = keeping(Kept.ARGUMENTS)
_PASSING_ARRAYS: Final = keeping(Kept.ARRAYS)


class Called(NamedTuple):
    """A function, and how a call reaches it.

    Attributes:
        node: the function.
        tree: its file.
        skipped: the number of its first parameters that the call does not pass.
        traces: whether numbers become arrays on the way.
    """

    node: FuncDef
    tree: MypyFile
    skipped: int
    traces: bool


class Functions:
    """The functions of the files that mypy has checked. Which one a call executes must be certain.

    A call finds all functions of its own file. Of another file it finds the functions of the module and `__init__`: any
    further file may override a method.
    """

    def __init__(self) -> None:
        self._files: Final[dict[FuncDef, MypyFile]] = {}
        self._of_modules: Final[dict[str, Sequence[FuncDef]]] = {}

    def add(self, tree: MypyFile, nodes: Iterable[Node]) -> None:
        """Add the functions among the nodes of a file, or replace them."""
        for old in self._of_modules.get(tree.fullname, ()):
            self._files.pop(old, None)
        functions = [each for each in nodes if isinstance(each, FuncDef)]
        overridden = set(_overridden(functions))
        own = [each for each in functions if each not in overridden and _may_be_followed(each)]
        self._of_modules[tree.fullname] = own
        self._files.update(dict.fromkeys(own, tree))

    @property
    def modules(self) -> Set[str]:
        """The modules of these files."""
        return self._of_modules.keys()

    def called(
        self, callee: Expression, type_of: Callable[[Expression], Type | None], caller: MypyFile
    ) -> Called | None:
        """The function that a call in a file executes; None if there is no such function."""
        node = callee.node if isinstance(callee, RefExpr) else None
        if isinstance(node, FuncDef | Decorator):
            return self._found(node, 0, caller)
        if isinstance(node, TypeInfo):
            return self._found(_member(node, "__init__"), 1, caller)
        if isinstance(callee, MemberExpr) and (info := _class_of(callee.expr, type_of)) is not None:
            method = self._found(_member(info, callee.name), 1, caller)
            if method is not None:
                return method
        info = _class_of(callee, type_of)
        return self._found(_member(info, _called_method(info)), 1, caller) if info is not None else None

    def _found(self, node: SymbolNode | None, skipped: int, caller: MypyFile) -> Called | None:
        function, traces = node.func if isinstance(node, Decorator) else node, False
        tree = self._files.get(function) if isinstance(function, FuncDef) else None
        if not isinstance(function, FuncDef) or tree is None:
            return None
        if tree is not caller and not _is_certain_elsewhere(function):
            return None
        if isinstance(node, Decorator):  # mypy keeps decorators only of the functions that it checks
            decorators = set(map(_name, node.original_decorators))
            if not decorators <= _PASSING_ARRAYS:
                return None
            traces = not decorators <= _PLAIN
        return Called(function, tree, 0 if function.is_static else skipped, traces)


def functions_of_module(tree: MypyFile) -> Iterator[FuncDef]:
    """The functions of a module, and `__init__` of its classes."""
    for statement in tree.defs:
        match statement:
            case FuncDef():
                yield statement
            case Decorator(func=function):
                yield function
            case ClassDef(defs=body):
                yield from (each for each in body.body if isinstance(each, FuncDef) and each.name == "__init__")


def module_called(callee: Expression) -> str | None:
    """The module of a called function or class; None for a method, and for anything else."""
    node = callee.node if isinstance(callee, RefExpr) else None
    if isinstance(node, TypeInfo):
        return node.module_name
    function = node.func if isinstance(node, Decorator) else node
    is_of_module = isinstance(function, FuncDef) and not function.info
    return function.fullname.rpartition(".")[0] if isinstance(function, FuncDef) and is_of_module else None


def _is_certain_elsewhere(function: FuncDef) -> bool:
    return not function.info or function.name == "__init__"


def _may_be_followed(function: FuncDef) -> bool:
    """Whether a call executes the body: it is no generator, and no other definition may take its place."""
    if function.is_generator or function.is_coroutine or function.is_conditional or function.is_overload:
        return False
    if any(kind.is_star() for kind in function.arg_kinds):
        return False
    signature = function.type
    return not isinstance(signature, CallableType) or not signature.variables


def _overridden(functions: Iterable[FuncDef]) -> Iterator[SymbolNode]:
    """The methods that a class of the file overrides."""
    for function in functions:
        for base in function.info.mro[1:] if function.info else ():
            found = base.names.get(function.name)
            if found is not None and found.node is not None:
                yield found.node.func if isinstance(found.node, Decorator) else found.node


def _class_of(owner: Expression, type_of: Callable[[Expression], Type | None]) -> TypeInfo | None:
    proper = get_proper_type(type_of(owner))
    return proper.type if isinstance(proper, Instance) else None


def _member(info: TypeInfo, name: str) -> SymbolNode | None:
    found = info.get(name)
    return found.node if found is not None else None


def _called_method(info: TypeInfo) -> str:
    """The method that a call of an object executes."""
    return "forward" if info.has_base(names.TORCH_MODULE) else "__call__"


def _name(decorator: Expression) -> str:
    """The last name of a decorator, of its call, or of the first argument of `partial`."""
    while isinstance(decorator, CallExpr):
        name = _name(decorator.callee)
        decorator = decorator.args[0] if name == "partial" and decorator.args else decorator.callee
    return decorator.name if isinstance(decorator, NameExpr | MemberExpr) else ""
