"""Check some files with mypy, and match its nodes and types to the expressions in Python's tree."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from mypy.nodes import (
    AssignmentExpr,
    AwaitExpr,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    Expression,
    IndexExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    SuperExpr,
    UnaryExpr,
    YieldExpr,
    YieldFromExpr,
)
from mypy.types import Type

from promo_mypy.checking import runs
from promo_mypy.checking.left_out import LeftOut
from promo_mypy.checking.plugin import RunSettings
from promo_mypy.config import Options
from promo_mypy.inference.checked.arrays import Arrays, arrays_of, united
from promo_mypy.inference.checked.nodes import Nodes
from promo_mypy.inference.checked.passes import Passes
from promo_mypy.inference.checked.tree_facts import TreeFacts
from promo_mypy.inference.checked.untyped_bodies import UntypedBodies
from promo_mypy.inference.expressions import Place
from promo_mypy.inference.syntax.scopes import Scopes
from promo_mypy.inference.syntax.written import Source, Written, bare_place_of, written
from promo_mypy.plugin.interface.runs import CODES, Notes
from promo_mypy.rules.profiles import Observations, Span
from promo_mypy.rules.wording import diagnostics

_UNDEFINED: Final = CODES[diagnostics.UNDEFINED]

#: Class of a Python node -> classes of the mypy nodes that it may correspond to.
_NODES: Final[Mapping[type[ast.expr], tuple[type[Expression], ...]]] = {
    ast.Name: (NameExpr,),
    ast.Attribute: (MemberExpr, SuperExpr),
    ast.Call: (CallExpr,),
    ast.Subscript: (IndexExpr,),
    ast.BinOp: (OpExpr,),
    ast.BoolOp: (OpExpr,),
    ast.UnaryOp: (UnaryExpr,),
    ast.Compare: (ComparisonExpr,),
    ast.IfExp: (ConditionalExpr,),
    ast.NamedExpr: (AssignmentExpr,),
    ast.Await: (AwaitExpr,),
    ast.Yield: (YieldExpr,),
    ast.YieldFrom: (YieldFromExpr,),
}


@dataclass(frozen=True, slots=True)
class Known:
    """An expression with its type from mypy.

    Attributes:
        syntax: its Python node.
        place: its place.
        nodes: its mypy nodes; several in a function that is checked for several types.
        types: their types.
        arrays: the arrays that its value may be; None if it is not an array.
        in_turns: whether mypy checks it once for each context.
        is_observed: whether its dtype comes from the user's profile.
        if_empty: the dtypes that a call has only if a sequence among its arguments is empty.
        is_bounded: whether only a bound is known: a set of dtypes, or of libraries, that holds for each value of an
            unknown operand. Then parameters may decide what is computed from it.
    """

    syntax: ast.expr
    place: Place
    nodes: tuple[Expression, ...]
    types: tuple[Type, ...]
    arrays: Arrays | None
    in_turns: bool
    is_observed: bool = False
    if_empty: frozenset[str] = frozenset()
    is_bounded: bool = False

    def with_arrays(self, arrays: Arrays) -> "Known":
        """The expression with arrays that follow from those of other expressions."""
        dtypes = arrays.dtypes or frozenset()
        return replace(self, arrays=arrays, is_bounded=len(dtypes) > 1 or not arrays.libraries)


@dataclass(frozen=True, slots=True)
class Module:
    """A checked module.

    Attributes:
        name: its full name.
        path: its file, as mypy names it.
        options: the user's options for it.
        checks_untyped: whether mypy checks functions without annotations in it.
        tree: Python's tree.
        scopes: the scopes and bindings in it.
        expressions: expressions that may be arrays and have a type, by place.
        exact_functions: the lines of the functions whose array parameters all have exact dtypes.
        refused: the places of operations that the library rejects.
        platform: the platform for which it is checked.
        recorded: place -> what the user's profile has seen there.
    """

    name: str
    path: str
    options: Options
    checks_untyped: bool
    tree: ast.Module
    scopes: Scopes
    expressions: tuple[Known, ...]
    exact_functions: frozenset[int]
    refused: frozenset[Place]
    platform: str
    recorded: Mapping[Place, Observations]


@dataclass(frozen=True, slots=True)
class Program:
    """Some checked modules, sorted by path, mypy's messages about them, and the files that were left out."""

    modules: tuple[Module, ...]
    messages: tuple[str, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def errors(self) -> tuple[str, ...]:
        """The messages that are errors."""
        return tuple(message for message in self.messages if ": error: " in message)


def check(
    paths: Iterable[Path],
    *,
    config_file: Path | None = None,
    progress: runs.Progress = runs.unheard,
    plugin: bool = True,
) -> Program:
    """Check files and folders with mypy, under the configuration that it finds, and return the types of expressions.

    A file that mypy or the running Python cannot parse is left out.

    Args:
        paths: files and folders; empty for those that mypy's configuration names.
        config_file: mypy's configuration, if it is not the one that mypy finds.
        progress: called whenever a file is done.
        plugin: whether to use the plugin.

    Raises:
        CheckError: mypy stops before it has checked the other files, or there are no others.
    """
    return program_of(runs.read(paths, config_file), progress, plugin=plugin)


def program_of(request: runs.Request, progress: runs.Progress = runs.unheard, *, plugin: bool = True) -> Program:
    """The same for files that are read already. Their options are changed for the run.

    Raises:
        CheckError: as `check`.
    """
    sources = {each.module: Source.read(str(each.path)) for each in request.sources}
    _prepare(request, sources)
    untyped = UntypedBodies(request, always=not plugin)
    trees = TreeFacts(untyped, request.options.platform, has_plugin=plugin)
    passes, notes = Passes(request.modules), Notes(if_empty={})
    settings = RunSettings(
        request.modules,
        trees.keep_config,
        asked=passes.follow,
        finished=trees.read,
        bodies=request.modules,
        active=plugin,
        notes=notes,
    )
    checked = runs.run(request, settings, progress)
    results = _Results(request, checked, trees, passes, notes)
    found, left_out = [], list(checked.left_out)
    unchecked = {each.path for each in checked.left_out}
    for name, source in sources.items():
        if source.path in unchecked:
            continue
        if source.tree is None:
            left_out.append(LeftOut(source.path, source.fault))
        else:
            found.append(results.module(name, source.path, source.tree))
    if not found:
        raise runs.CheckError(str(left_out[0]))
    found.sort(key=lambda module: module.path)
    return Program(tuple(found), untyped.without_stock_errors(checked.messages), tuple(sorted(left_out)))


@dataclass(frozen=True, slots=True)
class _Results:
    """What one run of mypy has found.

    Attributes:
        request: the files and options of the run.
        checked: mypy's types and errors.
        trees: what mypy's trees say.
        passes: the types before the last pass.
        notes: the plugin's notes about expressions.
    """

    request: runs.Request
    checked: runs.Checked
    trees: TreeFacts
    passes: Passes
    notes: Notes

    def module(self, name: str, path: str, tree: ast.Module) -> Module:
        """A checked module, with the types of its expressions."""
        options, trees = self.request.options, self.trees
        observed = frozenset(Place(*span) for module, span in self.notes.observed if module == name)
        types, if_empty = self.checked.result.types, self.notes.if_empty or {}
        reader = _Reader(name, trees.nodes[name], types, self.passes, options.platform, observed, if_empty)
        known = (reader.read(each) for each in written(tree))
        expressions = sorted((each for each in known if each is not None), key=lambda each: each.place)
        return Module(
            name,
            path,
            trees.config.for_module(name),
            options.clone_for_module(name).check_untyped_defs,
            tree,
            Scopes(tree),
            tuple(expressions),
            trees.exact[name],
            frozenset(_refused(self.checked, path)),
            options.platform,
            trees.recorded[name],
        )


def _refused(checked: runs.Checked, path: str) -> Iterator[Place]:
    for error in checked.result.manager.errors.error_info_map.get(path, ()):
        if error.code is _UNDEFINED:
            yield Place(error.line, error.column, error.end_line, error.end_column)


def _prepare(request: runs.Request, sources: Mapping[str, Source]) -> None:
    options = request.options
    options.export_types = True
    for module, source in sources.items():
        # mypy skips the bodies of functions in files whose errors are ignored.
        changes = options.per_module_options.setdefault(module, {})
        changes |= {"ignore_errors": False, "preserve_asts": True}
        if source.has_wide_places:
            request.file_system.leave_to_ast(source.path, module, options)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Looks up the expressions of one module in mypy's results.

    Attributes:
        module: its name.
        nodes: the expressions in mypy's tree.
        types: mypy's types.
        passes: the types before the last pass.
        platform: the platform that mypy checks for.
        answered: the places whose dtype comes from the user's profile.
        if_empty: module and place of a call -> the dtypes that it has only if a sequence in it is empty.
    """

    module: str
    nodes: Nodes
    types: Mapping[Expression, Type]
    passes: Passes
    platform: str
    answered: frozenset[Place]
    if_empty: Mapping[tuple[str, Span], frozenset[str]]

    def read(self, expression: Written) -> Known | None:
        """The type of an expression; None for unreachable code."""
        nodes = self._nodes(expression)
        types = [self.types[node] for node in nodes if node in self.types]
        if not types:
            return None
        arrays = united(arrays_of(typ, self.platform) for typ in types)
        if arrays is not None and expression.in_turns:
            arrays = self._in_all_turns(nodes, arrays)
        observed = arrays is not None and expression.place in self.answered
        place = expression.place
        span = place.line, place.column, place.end_line, place.end_column
        if_empty = self.if_empty.get((self.module, span), frozenset())
        known = tuple(nodes), tuple(types), arrays, expression.in_turns, observed, if_empty
        return Known(expression.syntax, place, *known)

    def _nodes(self, expression: Written) -> list[Expression]:
        places = dict.fromkeys((expression.place, bare_place_of(expression.syntax)))
        kinds = _NODES[type(expression.syntax)]
        return [node for place in places for kind in kinds for node in self.nodes.get((kind, place), ())]

    def _in_all_turns(self, nodes: Iterable[Expression], last: Arrays) -> Arrays:
        found = last
        for node in nodes:
            earlier = self.passes.earlier(self.module, node)
            if earlier is None:
                return Arrays(last.libraries, None)
            found = united([found, *(arrays_of(typ, self.platform) for typ in earlier)]) or found
        return found
