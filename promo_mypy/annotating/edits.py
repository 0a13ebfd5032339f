"""Insert annotations into a source with libcst. Nothing else changes. Needs libcst: the extra `fix`."""

import ast
from collections.abc import Mapping, Sequence
from typing import Final

import libcst as cst
from libcst.codemod import CodemodContext
from libcst.codemod.visitors import AddImportsVisitor, ImportItem
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from promo_mypy.annotating.spellings import CLASSES, Import, Names, Spelling, Style
from promo_mypy.annotating.wishes import FunctionWishes, TupleWish, Wish
from promo_mypy.rules.records import record

_TUPLES: Final = frozenset({"tuple", "typing.Tuple"})
_ONE_BLANK: Final = cst.SimpleWhitespace(" ")


@record
class Edited:
    """A source with annotations, and the names of the annotated functions."""

    text: str
    functions: frozenset[str]


class ChangedProgramError(RuntimeError):
    """An edit would change what the program does. This is a defect."""


def with_annotations(text: str, wishes: Mapping[int, FunctionWishes], style: Style) -> Edited:
    """The source with the annotations of functions, which are found by the lines of their `def`."""
    wrapper = MetadataWrapper(cst.parse_module(text))
    annotating = _Annotating(wishes, Names(ast.parse(text), style), wrapper.resolve(PositionProvider))
    module = wrapper.visit(annotating)
    if not annotating.done:
        return Edited(text, frozenset())
    items = [ImportItem(each.module, each.name or None, each.alias or None) for each in annotating.imports]
    imported = AddImportsVisitor(CodemodContext(), items).transform_module(module)
    module = imported.with_changes(body=_grouped(imported.body, known=module.body))
    if _executed(module.code, annotating.imports) != _executed(text, annotating.imports):
        raise ChangedProgramError("annotations must not change what a program does")
    return Edited(module.code, frozenset(annotating.done))


def _grouped(body: Sequence[cst.BaseStatement], known: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
    """The statements of a file, with new imports above the relative ones that they follow, beside other packages."""
    grouped: list[cst.BaseStatement] = []
    for statement in body:
        place = len(grouped)
        if not any(statement is each for each in known) and _is_import(statement, relative=False):
            while place and _is_import(grouped[place - 1], relative=True):
                place -= 1
            if not place or not _is_import(grouped[place - 1], relative=False):
                place = len(grouped)
        grouped.insert(place, statement)
    return grouped


def _is_import(statement: cst.CSTNode, *, relative: bool) -> bool:
    """Whether this is one import, of a module of the same package or of another one."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.ImportFrom() as found]):
            return bool(found.relative) == relative
        case cst.SimpleStatementLine(body=[cst.Import()]):
            return not relative
        case _:
            return False


def _executed(text: str, added: dict[Import, None]) -> str:
    """The program without annotations and without some imports."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
    modules = {each.module for each in added}
    tree.body = [
        each
        for each in tree.body
        if not (isinstance(each, ast.Import | ast.ImportFrom) and _imported_modules(each) & modules)
    ]
    return ast.dump(tree)


def _imported_modules(node: ast.Import | ast.ImportFrom) -> set[str]:
    return {each.name for each in node.names} if isinstance(node, ast.Import) else {node.module or ""}


class _Annotating(cst.CSTTransformer):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(
        self, wishes: Mapping[int, FunctionWishes], names: Names, positions: Mapping[cst.CSTNode, CodeRange]
    ) -> None:
        super().__init__()
        self._wishes = wishes
        self._names = names
        self._positions = positions
        self.done: set[str] = set()
        self.imports: dict[Import, None] = {}

    def leave_FunctionDef(  # noqa: N802 -- libcst's name
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        """Annotate a function after those inside it."""
        wishes = self._wishes.get(self._positions[original_node].start.line)
        if wishes is None:
            return updated_node
        parameters = updated_node.params
        changed = parameters.with_changes(
            params=[self._parameter(each, wishes) for each in parameters.params],
            kwonly_params=[self._parameter(each, wishes) for each in parameters.kwonly_params],
            posonly_params=[self._parameter(each, wishes) for each in parameters.posonly_params],
        )
        returns = self._annotation(updated_node.returns, wishes.result)
        if returns is updated_node.returns and changed.deep_equals(parameters):
            return updated_node
        self.done.add(wishes.name)
        return updated_node.with_changes(params=changed, returns=returns)

    def _parameter(self, parameter: cst.Param, wishes: FunctionWishes) -> cst.Param:
        wish = wishes.parameters.get(parameter.name.value)
        default = parameter.default
        is_none = isinstance(default, cst.Name) and default.value == "None"
        if wish is None or (default is not None and not is_none):
            return parameter
        if is_none and not wish.may_be_none:
            wish = Wish(wish.library, wish.dtypes, wish.is_scalar, may_be_none=True)
        annotation = self._annotation(parameter.annotation, wish)
        if annotation is parameter.annotation:
            return parameter
        if default is not None and parameter.annotation is None:
            equal = cst.AssignEqual(whitespace_before=_ONE_BLANK, whitespace_after=_ONE_BLANK)
            return parameter.with_changes(annotation=annotation, equal=equal)
        return parameter.with_changes(annotation=annotation)

    def _annotation(self, before: cst.Annotation | None, wish: Wish | TupleWish | None) -> cst.Annotation | None:
        if wish is None:
            return before
        if before is None:
            spelling = self._names.spelled(wish)
            return cst.Annotation(self._expression(spelling)) if spelling is not None else None
        refined = self._refined(before.annotation, wish)
        return before.with_changes(annotation=refined) if refined is not None else before

    def _refined(self, annotation: cst.BaseExpression, wish: Wish | TupleWish) -> cst.BaseExpression | None:
        """An annotation with the dtypes in its arrays of unknown dtype; None if it has none."""
        if isinstance(wish, TupleWish):
            return self._refined_items(annotation, wish)
        if isinstance(annotation, cst.BinaryOperation) and isinstance(annotation.operator, cst.BitOr):
            left, right = (self._refined(each, wish) for each in (annotation.left, annotation.right))
            if (left is None) == (right is None):
                return None
            return annotation.with_changes(left=left or annotation.left, right=right or annotation.right)
        if isinstance(annotation, cst.Subscript) and self._full_name(annotation.value) == "typing.Optional":
            (element,) = annotation.slice
            inner = self._refined(element.slice.value, wish) if isinstance(element.slice, cst.Index) else None
            if inner is None:
                return None
            return annotation.with_changes(slice=[element.with_changes(slice=cst.Index(inner))])
        if wish.is_scalar or self._library(annotation) != wish.library:
            return None
        spelling = self._names.spelled(Wish(wish.library, wish.dtypes))
        return self._expression(spelling) if spelling is not None else None

    def _refined_items(self, annotation: cst.BaseExpression, wish: TupleWish) -> cst.BaseExpression | None:
        """The annotation of a tuple with the dtypes in its items; None if there is nothing to refine."""
        if not (isinstance(annotation, cst.Subscript) and self._full_name(annotation.value) in _TUPLES):
            return None
        items = [each.slice.value for each in annotation.slice if isinstance(each.slice, cst.Index)]
        is_open = any(isinstance(each, cst.Ellipsis) for each in items)
        if is_open or not len(items) == len(annotation.slice) == len(wish.items):
            return None
        refined = [self._refined(item, each) for item, each in zip(items, wish.items, strict=True)]
        if not any(refined):
            return None
        elements = zip(annotation.slice, items, refined, strict=True)
        changed = [element.with_changes(slice=cst.Index(new or item)) for element, item, new in elements]
        return annotation.with_changes(slice=changed)

    def _library(self, annotation: cst.BaseExpression) -> str | None:
        """The library of an array class without a dtype."""
        if isinstance(annotation, cst.Subscript) and self._full_name(annotation.value) == "numpy.typing.NDArray":
            (element,) = annotation.slice
            index = element.slice
            is_any = isinstance(index, cst.Index) and self._full_name(index.value) == "typing.Any"
            return "numpy" if is_any else None
        return CLASSES.get(self._full_name(annotation))

    def _full_name(self, expression: cst.BaseExpression) -> str:
        is_name = isinstance(expression, cst.Name | cst.Attribute)
        return self._names.full_name(cst.Module([]).code_for_node(expression)) if is_name else ""

    def _expression(self, spelling: Spelling) -> cst.BaseExpression:
        self.imports.update(dict.fromkeys(spelling.imports))
        return cst.parse_expression(spelling.text)
