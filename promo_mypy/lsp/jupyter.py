"""How jupyter-lsp starts the language server: the entry point `jupyter_lsp_spec_v1` names this function."""

import sys
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any


def language_servers(_manager: object) -> Mapping[str, Any]:
    """The server as jupyter-lsp describes servers, if everything that it needs is installed."""
    if find_spec("pygls") is None:
        return {}
    return {
        "promo-mypy": {
            "version": 2,
            "argv": [sys.executable, "-m", "promo_mypy.cli", "lsp"],
            "languages": ["python"],
            "mime_types": ["text/x-python", "text/x-ipython"],
            "display_name": "promo-mypy",
            # The text of a notebook comes with each message: no copy of it on the disk is read.
            "requires_documents_on_disk": False,
        }
    }
