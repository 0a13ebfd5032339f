"""Explain a code: its meaning, its default, and a program that triggers it."""

import textwrap

from rich.text import Text

from promo_mypy.cli import output
from promo_mypy.cli.check.codes import diagnostic_of
from promo_mypy.rules.suppressions import comment_for
from promo_mypy.rules.wording.diagnostics import Diagnostic
from promo_mypy.rules.wording.examples import EXAMPLES


def explain_code(code: str) -> None:
    """Print the explanation. Raises typer.BadParameter for an unknown code."""
    output.emit(explanation(diagnostic_of(code)))


def explanation(row: Diagnostic) -> Text:
    """The explanation of a diagnostic."""
    example = EXAMPLES[row.code]
    lines = [
        Text(row.code, style="bold"),
        *_wrapped(f"{row.meaning}."),
        Text(),
        *_wrapped(_default(row)),
        Text(),
        *_wrapped(example.why),
    ]
    if example.program:
        lines += [Text(), *(Text(f"    {line}".rstrip()) for line in example.program.splitlines())]
    if example.options:
        lines += [Text(), Text("    [tool.promo-mypy]"), Text(f"    {example.options}")]
    ignore = f"To accept one place: {comment_for([row.code])}"
    return Text("\n").join([*lines, Text(), Text(ignore)])


def _wrapped(text: str) -> list[Text]:
    return [Text(line) for line in textwrap.wrap(text, output.width(), break_on_hyphens=False)]


def _default(row: Diagnostic) -> str:
    if row.option is not None:
        return f"Reported if the option `{row.option}` is set in [tool.promo-mypy]."
    return "On by default." if row.enabled else f"Off by default: --select {row.code} switches it on."
