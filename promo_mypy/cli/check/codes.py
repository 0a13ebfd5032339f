"""Read codes on the command line, with near matches for typing errors."""

from collections.abc import Iterable

import typer

from promo_mypy.cli.names import beginning
from promo_mypy.rules.wording.diagnostics import DIAGNOSTICS, Diagnostic, is_selectable, selectable
from promo_mypy.rules.wording.near_matches import meant


def codes_listed(texts: Iterable[str]) -> list[str]:
    """The codes in some lists, or the beginnings of codes, separated by commas. Raises typer.BadParameter."""
    codes = [code.strip() for text in texts for code in text.split(",") if code.strip()]
    for code in codes:
        if not is_selectable(code):
            raise typer.BadParameter(f"no diagnostic has the code {code!r}{near_code(code)}")
    return codes


def diagnostic_of(code: str) -> Diagnostic:
    """The diagnostic of a code. Raises typer.BadParameter."""
    found = next((row for row in DIAGNOSTICS if row.code == code), None)
    if found is None:
        raise typer.BadParameter(f"no diagnostic has the code {code!r}{near_code(code)}")
    return found


def complete_code(incomplete: str) -> list[str]:
    """The codes that begin with the text; the last one in a list with commas."""
    return beginning(incomplete, selectable())


def near_code(code: str) -> str:
    """`; did you mean promo-widening?` for near matches, with or without `promo-`."""
    return meant(code, selectable()) or meant(f"promo-{code}", selectable())
