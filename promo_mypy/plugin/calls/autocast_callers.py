"""Find the functions of a file that are called from regions of `torch.autocast`: their bodies run in these regions.

A function is told by its name alone, wherever that is mentioned: it may be passed to another one. The call of a module
runs the `forward` of its class; the `forward` of every class in the file where the text does not show which it is.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from mypy.nodes import CallExpr, Expression, FakeInfo, FuncDef, MemberExpr, MypyFile, NameExpr, Node, TypeInfo, Var
from mypy.types import Instance, get_proper_type

from promo_mypy.plugin.trees.definitions import FileDefinitions, definitions
from promo_mypy.plugin.trees.torch_module_steps import receiver
from promo_mypy.plugin.trees.torch_module_types import is_module, made_class
from promo_mypy.plugin.trees.torch_module_uses import FileModules, file_modules

Region = TypeVar("Region")

_CALLED: Final = ("forward", "__call__")


def callers(
    everything: Sequence[Node], tree: MypyFile, region_at: Callable[[int], Region | None]
) -> Mapping[FuncDef, frozenset[Region | None]]:
    """The regions in which each function is called; None stands for a call outside of all regions.

    `everything`: the nodes of the file. `region_at`: the region that is written around a line.
    """
    functions = [node for node in everything if isinstance(node, FuncDef)]
    written: defaultdict[FuncDef, set[Region | None]] = defaultdict(set)
    inherited: defaultdict[FuncDef, set[FuncDef]] = defaultdict(set)
    for function, line in _mentioned(everything, functions, tree):
        region, around = region_at(line), function_at(line, functions)
        if region is None and around is not None:
            inherited[function].add(around)
        else:
            written[function].add(region)
    found = {each: frozenset(written[each] or (() if inherited[each] else (None,))) for each in functions}
    while True:
        more = {each: known.union(*(found[one] for one in inherited[each])) for each, known in found.items()}
        if more == found:
            return found
        found = more


def function_at(line: int, functions: Iterable[FuncDef]) -> FuncDef | None:
    """The innermost function around a line."""
    around = [each for each in functions if each.line <= line <= (each.end_line or each.line)]
    return max(around, key=lambda each: each.line, default=None)


def _mentioned(
    everything: Sequence[Node], functions: Sequence[FuncDef], tree: MypyFile
) -> Iterator[tuple[FuncDef, int]]:
    """Every function that a line mentions or calls."""
    known, file = definitions(tree), file_modules(tree)
    named: defaultdict[str, list[FuncDef]] = defaultdict(list)
    for function in functions:
        named[function.name].append(function)
    modules = [each for name in _CALLED for each in named[name]]
    for node in everything:
        if isinstance(node, NameExpr | MemberExpr):
            yield from ((each, node.line) for each in named.get(node.name, ()))
        elif isinstance(node, CallExpr) and modules and _may_be_module(node.callee, known, file):
            cls = _class_of(node.callee, known)
            yield from ((each, node.line) for each in modules if cls is None or _may_run(each.info, cls))


def _may_be_module(callee: Expression, known: FileDefinitions, modules: FileModules) -> bool:
    """Whether the text of the file allows that a module is called, in an attribute only if the file has that."""
    if isinstance(callee, MemberExpr) and not known.of_attributes(callee.name):
        symbols = (each.info.names.get(callee.name) for each in known.classes)
        return any(symbol is not None and isinstance(symbol.node, Var) for symbol in symbols)
    is_builtin = isinstance(callee, NameExpr) and callee.fullname.startswith("builtins.")  # `reveal_type`
    return not is_builtin and modules.may_be_module(callee)


def _class_of(module: Expression, known: FileDefinitions) -> TypeInfo | None:
    """The class of the module that is called, if all values of its name are of one class that the text shows."""
    values: Sequence[Expression | None] = [module]
    if isinstance(module, MemberExpr):
        values = [each.whole_value for each in known.of_attributes(module.name)]
    elif isinstance(module, NameExpr) and isinstance(module.node, Var) and module.node.is_inferred:
        values = known.values(module.node) or ()
    found = {_shown_class(receiver(each)) if each is not None else None for each in values}
    return found.pop() if len(found) == 1 else None


def _shown_class(value: Expression) -> TypeInfo | None:
    """The class that a call makes a module of, or that a variable declares."""
    variable = value.node if isinstance(value, NameExpr) else None
    typ = get_proper_type(variable.type) if isinstance(variable, Var) and not variable.is_inferred else None
    return typ.type if isinstance(typ, Instance) and is_module(typ.type) else made_class(value)


def _may_run(definer: TypeInfo, cls: TypeInfo) -> bool:
    """Whether the call of an object of a class, or of a subclass, may run a method of the definer."""
    return not isinstance(definer, FakeInfo) and (definer in cls.mro or cls in definer.mro)
