"""Check a part of a file with a second type checker, whose errors nobody sees: outside mypy's public plugin surface.

(tests/plugin/inferred/aside)
"""

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from mypy.checker import DeferredNode, FineGrainedDeferredNode
from mypy.errors import Errors
from mypy.nodes import Decorator, MypyFile, OverloadedFuncDef
from mypy.options import Options
from mypy.plugin import ChainedPlugin, Plugin

from promo_mypy.plugin.mypy_api.checker.type_checker import TypeChecker, aside
from promo_mypy.plugin.mypy_api.nodes.undone import Undone
from promo_mypy.plugin.mypy_api.reports.error_watchers import ErrorInfo
from promo_mypy.plugin.trees.file_parts import Function, Part
from promo_mypy.plugin.trees.syntax_trees import checked_last

_PACKAGE: Final = __name__.partition(".")[0]
#: From the first check aside on, the garbage collector of Python runs after so many new containers. mypy's own number
#: is 200,000. Most of them are made for the texts of errors about overloads that mypy tries, which nobody sees.
_YOUNGEST: Final = 600_000
#: Whether a check of a file may leave out its functions: mypy 2.0 brought this method with that option.
_LEAVES_FUNCTIONS_OUT: Final = hasattr(TypeChecker, "visit_func_def_impl")


def checker_with(current: TypeChecker, plugin: Plugin) -> TypeChecker:
    """A checker of the same file with that plugin in place of ours."""
    options = current.options
    plugins = ChainedPlugin(options, [plugin, *_other_plugins(current)])
    return TypeChecker(Errors(options), current.modules, options, current.tree, current.path, plugins, {})


def check_part(nested: TypeChecker, part: Part) -> Sequence[ErrorInfo]:
    """Check a part of a file with such a checker. Return the errors, notes included."""
    youngest, *older = gc.get_threshold()
    gc.set_threshold(max(youngest, _YOUNGEST), *older)
    with aside(nested), _without_copies(nested.options):
        if isinstance(part.node, MypyFile):
            _check_top(nested, part.node)
        else:
            with _as_copied(part.node):
                nested.check_second_pass([DeferredNode(part.node, part.info)], **_options_for(part.node))
                while nested.deferred_nodes:
                    nested.check_second_pass()
    return nested.errors.error_info_map.get(nested.path, [])


def _options_for(function: Function) -> dict[str, Any]:
    """The option with which mypy checks several decorated functions of one name: the body of the last one, no more."""
    is_repeated = isinstance(function, OverloadedFuncDef) and not function.items
    return {"impl_only": True} if is_repeated and _LEAVES_FUNCTIONS_OUT else {}


@contextmanager
def _without_copies(options: Options) -> Iterator[None]:
    """Let mypy check a function itself: the part may be a copy already, for one value of its type variables."""
    before = options.inspections
    options.inspections = True
    try:
        yield
    finally:
        options.inspections = before


@contextmanager
def _as_copied(function: Function) -> Iterator[None]:
    """Within this context, a decorated or overloaded function has the copy that mypy checks now in its place."""
    body = function.impl if isinstance(function, OverloadedFuncDef) else function
    with Undone() as undone:
        if isinstance(body, Decorator):
            undone.set(body, "func", checked_last(body.func))
        elif isinstance(function, OverloadedFuncDef) and body is not None:
            undone.set(function, "impl", checked_last(body))
        yield


def _check_top(nested: TypeChecker, file: MypyFile) -> None:
    """Check the top of a file without its functions."""
    options: dict[str, Any] = {"recurse_into_functions": False} if _LEAVES_FUNCTIONS_OUT else {}
    nested.check_second_pass([FineGrainedDeferredNode(file, None)], **options)
    while nested.deferred_nodes:
        nested.check_second_pass(**options)


def repeat(current: TypeChecker, found: Iterable[ErrorInfo]) -> None:
    """Report errors of such a check, each with the notes that follow it."""
    last: ErrorInfo | None = None
    for each in found:
        parent = last if each.severity == "note" else None
        reported = current.errors.report(
            each.line, each.column, each.message, each.code, severity=each.severity, end_line=each.end_line,
            end_column=each.end_column, origin_span=each.origin_span, parent_error=parent,
        )  # fmt: skip
        last = parent or reported


def errors_of_line(current: TypeChecker, line: int) -> list[ErrorInfo]:
    """The errors and notes that a checker has reported in a line."""
    return [each for each in current.errors.error_info_map.get(current.path, ()) if each.line == line]


def _other_plugins(current: TypeChecker) -> list[Plugin]:
    """The plugins of a run besides this one."""
    every = current.plugin._plugins if isinstance(current.plugin, ChainedPlugin) else [current.plugin]
    return [each for each in every if not type(each).__module__.startswith(f"{_PACKAGE}.")]
