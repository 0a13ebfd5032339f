"""The page on the run-time companion: each line with a comment gives the result in the comment."""

import ast
from typing import Any

import promo_runtime as pr
from tests.docs.pages import blocks, page


def block(language: str) -> str:
    (text,) = blocks(page("docs/run-time.md"), language)
    return text.removesuffix("\n")


def shown(expression: str, names: dict[str, Any]) -> str:
    try:
        result = eval(expression, names)
    except pr.PromotionError as error:
        return f"PromotionError: {error}"
    return result.name if hasattr(result, "itemsize") and not isinstance(result, pr.Array) else repr(result)


def test_every_line_gives_the_result_in_its_comment() -> None:
    source, names, compared = block("python"), dict[str, Any](), 0
    comments = {number: line.split("  # ")[1] for number, line in enumerate(source.splitlines(), 1) if "  # " in line}

    def run(statements: list[ast.stmt]) -> None:
        nonlocal compared
        for statement in statements:
            if isinstance(statement, ast.With):
                with eval(ast.unparse(statement.items[0].context_expr), names):
                    run(statement.body)
            elif isinstance(statement, ast.Expr):
                comment = comments[statement.lineno]
                text = shown(ast.unparse(statement), names)
                expected = block("text") if comment == "raises the PromotionError below" else comment.split(", and ")[0]
                assert text == expected
                compared += 1
            else:
                exec(ast.unparse(statement), names)

    run(ast.parse(source).body)
    assert compared == 7
    assert (names["index"] + names["scale"]).dtype == "float64"
