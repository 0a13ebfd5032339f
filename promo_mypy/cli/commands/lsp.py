"""`promo-mypy lsp`: a language server for editors."""

import json
from importlib.util import find_spec
from typing import Annotated, Final

import typer

from promo_mypy.cli import output
from promo_mypy.cli.versions import version

EXAMPLES: Final = ("promo-mypy lsp --check", "promo-mypy lsp --settings")

_MISSING: Final = 'the language server needs pygls 2: python -m pip install "promo-mypy[lsp]"'


def lsp(
    check: Annotated[
        bool, typer.Option("--check", help="Tell whether everything that the server needs is installed, and exit.")
    ] = False,
    settings: Annotated[
        bool, typer.Option("--settings", help="Print the settings that an editor may send, as JSON, and exit.")
    ] = False,
) -> None:
    """Serve an editor over the Language Server Protocol, on standard input and output.

    The editor starts the command itself. It shows the findings of `promo-mypy check` while you type, unsaved code
    included. mypy reads the code and never imports it.
    """
    if settings:
        from promo_mypy.lsp.settings import default_settings

        output.emit(json.dumps(default_settings(), indent=1))
        return
    if find_spec("pygls") is None or find_spec("pygls.lsp.server") is None:
        output.fail(_MISSING)
    if check:
        output.emit("The language server can run.")
        return
    from promo_mypy.lsp.features import serve

    serve(version("promo-mypy"))
