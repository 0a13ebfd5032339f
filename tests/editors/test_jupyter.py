"""jupyter-lsp finds the language server, by its entry point or by the configuration of the page."""

import json
import subprocess
import sys
import tomllib
from importlib import import_module
from typing import Any, Final

import pytest

from promo_mypy.lsp import jupyter
from tests.docs.pages import blocks, page
from tests.mypy_runs import environment
from tests.needed import needs

NAME: Final = "promo-mypy"


def shown() -> dict[str, Any]:
    """The server in the configuration on the page."""
    (text,) = [text for text in blocks(page("docs/editors.md"), "json") if "LanguageServerManager" in text]
    servers: dict[str, Any] = json.loads(text)["LanguageServerManager"]["language_servers"]
    return servers


def test_the_entry_point_starts_a_server_that_can_run() -> None:
    needs("pygls", "libcst")
    points = tomllib.loads(page("pyproject.toml"))["project"]["entry-points"]["jupyter_lsp_spec_v1"]
    module, _, function = points[NAME].partition(":")
    assert getattr(import_module(module), function) is jupyter.language_servers
    server = jupyter.language_servers(None)[NAME]
    command = [*server["argv"], "--check"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_without_pygls_there_is_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygls", None)
    assert jupyter.language_servers(None) == {}


def test_the_page_shows_the_same_server() -> None:
    needs("pygls")
    (server,), ours = shown().values(), jupyter.language_servers(None)[NAME]
    same = ("version", "languages", "mime_types", "requires_documents_on_disk")
    assert {key: server[key] for key in same} == {key: ours[key] for key in same}
    assert server["argv"][-1:] == ours["argv"][-1:] == ["lsp"]
