"""What a daemon does after an edit grows with the functions of a file, not with their square."""

import os
from pathlib import Path
from typing import Any

import pytest
from mypy.dmypy_server import Server, process_start_options

from promo_mypy.plugin.mypy_api.modules import semantic_analysis
from tests.plugin.annotations.miniature import write, write_libraries

HEADER = "from jax import Array\nfrom jaxtyping import Float32\n"
FUNCTION = """
def f{number}(x: Float32[Array, "n"]) -> Float32[Array, "n"]:
    y = x * {edit}
    return y
"""
COUNT = 12


def test_functions_are_searched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[object] = []
    search = semantic_analysis._has_values

    def noted(body: Any) -> bool:
        searched.append(body)
        return search(body)

    monkeypatch.setattr(semantic_analysis, "_has_values", noted)
    write_libraries(tmp_path)
    write(tmp_path, {"mypy.ini": "[mypy]\nplugins = promo_mypy.plugin\n"})
    monkeypatch.chdir(tmp_path)
    options = process_start_options(["--config-file", "mypy.ini", "--cache-dir", "cache"], allow_sources=False)
    server = Server(options, "status.json")
    for edit in range(2, 6):
        searched.clear()
        write(tmp_path, {"program.py": HEADER + "".join(FUNCTION.format(number=n, edit=edit) for n in range(COUNT))})
        os.utime(tmp_path / "program.py", (edit * 10, edit * 10))  # edits within one second would not be noticed
        answer = server.cmd_check(["program.py"], export_types=False, is_tty=False, terminal_width=80)
        assert answer["status"] == 0, answer
        assert 0 < len(searched) <= 2 * COUNT
