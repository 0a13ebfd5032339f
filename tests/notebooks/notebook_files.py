"""Notebooks for tests, as Jupyter stores them."""

import json
from typing import Any


def stored(*cells: str, indent: int | None = 1, **metadata: Any) -> str:
    """The JSON of a notebook. Cells whose first line is `# ` are Markdown, the others are code with outputs."""
    return json.dumps(
        {
            "cells": [_cell(number, text) for number, text in enumerate(cells, start=1)],
            "metadata": {"language_info": {"name": "python"}, **metadata},
            "nbformat": 4,
            "nbformat_minor": 5,
        },
        indent=indent,
        ensure_ascii=False,
    )


def _cell(number: int, text: str) -> dict[str, Any]:
    shared = {"id": f"cell-{number}", "metadata": {"tags": ["é"], "n": 1.50}, "source": text.splitlines(keepends=True)}
    if text.startswith("# \n"):
        return {"cell_type": "markdown", **shared}
    shown = {"output_type": "stream", "name": "stdout", "text": ["\u001b[1m ü\n"]}
    return {"cell_type": "code", "execution_count": number, "outputs": [shown], **shared}
