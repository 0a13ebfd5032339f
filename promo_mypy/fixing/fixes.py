"""Insert the casts that findings propose, and remove comments that accept nothing. Nothing else in a file changes.

Needs libcst: the extra `fix`.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from promo_mypy.fixing.comment_fixes import with_comments
from promo_mypy.rules.findings import Cast, Finding, Span

#: Expressions that need no parentheses before `.astype(...)`.
_ATOMS: Final = (cst.Name, cst.Attribute, cst.Call, cst.Subscript)


def with_fixes(module: cst.Module, findings: Sequence[Finding]) -> tuple[str, int, int]:
    """The code with the casts and comments that findings propose, and how many there are of each."""
    casts = [finding.cast for finding in findings if finding.cast is not None]
    comments = [finding.replacement for finding in findings if finding.replacement is not None]
    cast, count = with_casts(module, casts)
    return with_comments(module.code, cast.code, comments), count, len(comments)


def cast_text(expression: str, template: str) -> str | None:
    """The text of one expression with a cast around it; None if libcst cannot parse it."""
    for written in (expression, f"({expression})"):  # several lines need parentheses
        try:
            return cst.Module([]).code_for_node(_cast(cst.parse_expression(written), template))
        except cst.ParserSyntaxError:
            continue
    return None


def with_casts(module: cst.Module, casts: Sequence[Cast]) -> tuple[cst.Module, int]:
    """The code with the casts, and how many there are. Of casts inside each other only the innermost are inserted."""
    wrapper = MetadataWrapper(module)
    wanted = {each.span: each.template for each in casts if not _holds_another(each, casts)}
    inserting = _Inserting(wanted, wrapper.resolve(PositionProvider))
    return wrapper.visit(inserting), inserting.inserted


def _holds_another(cast: Cast, casts: Sequence[Cast]) -> bool:
    outer = cast.span
    return any(
        (outer.line, outer.column) <= (inner.line, inner.column)
        and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
        and inner != outer
        for inner in (each.span for each in casts)
    )


class _Inserting(cst.CSTTransformer):
    """Wraps the expressions at some spans."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, wanted: Mapping[Span, str], positions: Mapping[cst.CSTNode, CodeRange]) -> None:
        super().__init__()
        self._wanted = dict(wanted)
        self._positions = positions
        self.inserted = 0

    def on_leave(  # type: ignore[override] # libcst: what replaces an expression is an expression
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]:
        """Wrap an expression after its parts."""
        place = self._positions.get(original_node) if isinstance(original_node, cst.BaseExpression) else None
        template = self._wanted.pop(_span(place), None) if place is not None else None
        updated = super().on_leave(original_node, updated_node)
        if template is None or not isinstance(updated, cst.BaseExpression):
            return updated
        self.inserted += 1
        return _cast(updated, template)


def _span(place: CodeRange) -> Span:
    return Span(place.start.line, place.start.column + 1, place.end.line, place.end.column + 1)


def _cast(expression: cst.BaseExpression, template: str) -> cst.BaseExpression:
    before, mark, after = template.partition("{}")
    if not mark:
        return cst.parse_expression(template)
    inner = expression if before or isinstance(expression, _ATOMS) or expression.lpar else _in_parentheses(expression)
    placeholder = "cast_expression_"
    outer = cst.parse_expression(f"{before}{placeholder}{after}")
    replaced = outer.visit(_Replacing(placeholder, inner))
    assert isinstance(replaced, cst.BaseExpression)
    return replaced


def _in_parentheses(expression: cst.BaseExpression) -> cst.BaseExpression:
    return expression.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


class _Replacing(cst.CSTTransformer):
    def __init__(self, name: str, expression: cst.BaseExpression) -> None:
        super().__init__()
        self._name, self._expression = name, expression

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:  # noqa: N802 -- libcst's name
        return self._expression if original_node.value == self._name else updated_node
