"""Use mypy's semantic analysis beyond the public plugin surface: each step with its reason and its test.

mypy's interface for annotations promises `fail`, `named_type` and `analyze_type`. These functions go further:

- `stock_type`: an annotation that does not concern the plugin must get the same type and errors as without it, and the
  interface has no way to say "go on without me". (tests/plugin/annotations/test_stock.py)
  `stock_instance` is the same for a class, without a second look-up of its name: with an empty cache mypy reads
  thousands of them in libraries. (tests/plugin/runs/test_library_modules.py)
- `statement`, `look_up`, `modules`, `current_module`, `is_global`, `is_daemon`, `platform`, `shows_traceback`: where
  and how mypy is reading, and what names mean there. (tests/plugin/annotations/test_imports.py,
  tests/plugin/annotations/test_forms.py)
- `analyser_of_class`, `tree`, `afterwards`: a step that needs all names of a file bound.
  (tests/plugin/calls/test_scalar_types.py)
- `call_first`, `is_first_call`: mypy calls no hook when it begins to check a file.
  (tests/plugin/mypy_api/test_file_start.py)
- `as_type`: metadata in an alias, which mypy drops as it turns the expression into a type. (tests/plugin/promote)
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from mypy.exprtotype import TypeTranslationError, expr_to_unanalyzed_type
from mypy.nodes import (
    GDEF,
    AssignmentStmt,
    Block,
    CallExpr,
    ClassDef,
    Context,
    Decorator,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    MypyFile,
    NameExpr,
    Node,
    OverloadedFuncDef,
    ReturnStmt,
    Statement,
    SymbolNode,
    TypeInfo,
    WithStmt,
)
from mypy.plugin import AnalyzeTypeContext, DynamicClassDefContext
from mypy.semanal import SemanticAnalyzer as SemanticAnalyzer
from mypy.typeanal import TypeAnalyser
from mypy.types import Type

from promo_mypy.plugin import names
from promo_mypy.plugin.error_codes import BY_NAME
from promo_mypy.plugin.late import late
from promo_mypy.plugin.mypy_api.hook_tables import TypeTable
from promo_mypy.plugin.mypy_api.nodes.first_calls import FIRST, FIRST_CALL
from promo_mypy.plugin.mypy_api.reports.told import Told
from promo_mypy.plugin.trees.syntax_trees import copied_functions, nodes

with late():
    from promo_mypy.plugin.trees import accepted_lines

if TYPE_CHECKING:
    from promo_mypy.rules.findings import Finding

# mypy's own patches have the priorities 0 and 1.
_LAST: Final = 9


def stock_type(ctx: AnalyzeTypeContext, fullname: str, table: TypeTable) -> Type:
    """mypy's type for an annotation without the hook that `table` has for that name."""
    # mypy first looks up the name once more and asks for its hook. The same name inside its arguments has its hook
    # again.
    table.step_aside(fullname)
    try:
        return analyser(ctx).visit_unbound_type_nonoptional(ctx.type, False)
    finally:
        table.step_back(fullname)


def stock_instance(ctx: AnalyzeTypeContext, info: TypeInfo) -> Type:
    """mypy's type for the name of a class without a hook."""
    written = ctx.type
    return analyser(ctx).analyze_type_with_type_info(info, written.args, written, written.empty_tuple_index)


def analyser(ctx: AnalyzeTypeContext) -> TypeAnalyser:
    """The type analyser behind the plugin interface. The interface has no other implementation."""
    assert isinstance(ctx.api, TypeAnalyser)
    return ctx.api


def semantic(ctx: AnalyzeTypeContext) -> SemanticAnalyzer:
    """The semantic analyser of the module that contains the type."""
    api = analyser(ctx).api
    assert isinstance(api, SemanticAnalyzer)
    return api


def analyser_of_class(ctx: DynamicClassDefContext) -> SemanticAnalyzer:
    """The semantic analyser of the module whose assignment may define a class."""
    assert isinstance(ctx.api, SemanticAnalyzer)
    return ctx.api


def tree(api: SemanticAnalyzer) -> MypyFile:
    """The syntax tree of the module that is being read."""
    return api.cur_mod_node


def afterwards(api: SemanticAnalyzer, action: Callable[[], None]) -> bool:
    """Run an action after mypy has bound all names of the module and before it checks the module.

    Return whether that moment is still to come: mypy also analyses types while it checks, without a list of patches.
    """
    if not hasattr(api, "patches"):
        return False
    api.schedule_patch(_LAST, action)
    return True


def call_first(modules: Mapping[str, MypyFile], file: MypyFile, *, in_functions: bool) -> None:
    """Insert a call before a file's statements: for this call mypy calls a hook before any variable has a type.

    If the first call of a file comes after `x = a; x = b`, mypy would reject the second assignment before any hook.
    The inserted call has no arguments, no line, returns None, and is never executed.

    `in_functions`: also before those of all functions and methods with values, which the daemon checks alone. It stands
    in functions that mypy copies in any case.
    """
    symbol = modules["builtins"].names.get(FIRST)
    function = symbol.node if symbol is not None else None
    if not isinstance(function, FuncDef):
        return
    functions = _checked_alone(file.defs) if in_functions else copied_functions(file)
    bodies = [file.defs, *(each.body.body for each in functions)]
    for body in bodies:
        is_needed = not body or not _is_first(body[0])
        if is_needed and (body is file.defs or _has_values(body)):
            callee = NameExpr(FIRST)
            callee.node, callee.kind, callee.fullname = function, GDEF, function.fullname
            body.insert(0, ExpressionStmt(CallExpr(callee, [], [], [])))


def _checked_alone(statements: Iterable[Statement]) -> Iterator[FuncDef]:
    """The functions and methods that the daemon checks without the code around them."""
    for each in statements:
        match each:
            case ClassDef(defs=Block(body=body)):
                yield from _checked_alone(body)
            case Decorator(func=function):
                yield function
            case OverloadedFuncDef(items=items):
                yield from _checked_alone(items)
            case FuncDef():
                yield each


def _has_values(body: Sequence[Statement]) -> bool:
    """Whether values meet types in a function: mypy may report them."""
    return any(isinstance(node, AssignmentStmt | ForStmt | WithStmt | ReturnStmt | CallExpr) for node in nodes(body))


def _is_first(statement: Statement) -> bool:
    return isinstance(statement, ExpressionStmt) and is_first_call(statement.expr)


def is_first_call(call: Context) -> bool:
    """Whether `call_first` has inserted a call."""
    match call:
        case CallExpr(line=-1, callee=NameExpr(fullname=fullname)):
            return fullname == FIRST_CALL
        case _:
            return False


def statement(ctx: AnalyzeTypeContext) -> Statement | None:
    """The statement that mypy is reading."""
    return semantic(ctx).statement


def look_up(ctx: AnalyzeTypeContext, name: str) -> SymbolNode | None:
    """The symbol of a name, dotted or not, at the place of the type; None if there is no such name."""
    symbol = semantic(ctx).lookup_qualified(name, ctx.context, suppress_errors=True)
    return symbol.node if symbol is not None else None


def as_type(expression: Expression, ctx: AnalyzeTypeContext) -> Type | None:
    """The type that mypy would read from an expression; None if it is not a type."""
    try:
        return expr_to_unanalyzed_type(expression, analyser(ctx).options, allow_new_syntax=True)
    except TypeTranslationError:
        return None


def modules(ctx: AnalyzeTypeContext) -> Mapping[str, MypyFile]:
    """Every loaded module of the build."""
    return semantic(ctx).modules


def current_module(ctx: AnalyzeTypeContext) -> MypyFile:
    """The module that contains the type."""
    return analyser(ctx).cur_mod_node


def is_global(ctx: AnalyzeTypeContext, name: str) -> bool:
    """Whether an undotted name is a global of the module, not a name of a function or class around the annotation."""
    symbol = semantic(ctx).lookup_qualified(name, ctx.context, suppress_errors=True)
    return symbol is not None and symbol is current_module(ctx).names.get(name)


def is_daemon(ctx: AnalyzeTypeContext) -> bool:
    """Whether mypy keeps the modules in memory and updates them."""
    return analyser(ctx).options.fine_grained_incremental


def shows_traceback(ctx: AnalyzeTypeContext) -> bool:
    """Whether mypy runs with `--show-traceback`."""
    return analyser(ctx).options.show_traceback


def fail(ctx: AnalyzeTypeContext, finding: "Finding") -> None:
    """Report a finding at the annotation."""
    code = BY_NAME[finding.code]
    last = max(ctx.context.line, ctx.context.end_line or ctx.context.line)
    if not accepted_lines.is_accepted(semantic(ctx).errors.file, code.code, ctx.context.line, last):
        analyser(ctx).fail(Told.of(finding), ctx.context, code=code)


def platform(ctx: AnalyzeTypeContext) -> str:
    """The platform that mypy checks for: "linux", "win32" ..."""
    return analyser(ctx).options.platform


def is_annotated(node: Node | None) -> bool:
    """Whether that is `typing.Annotated`, under any name."""
    return isinstance(node, SymbolNode) and node.fullname in names.ANNOTATED


def depend_on(ctx: AnalyzeTypeContext, trigger: str) -> None:
    """Make the daemon read the current function or module again when a trigger fires."""
    semantic(ctx).add_plugin_dependency(trigger)
