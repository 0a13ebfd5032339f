"""What IPython adds to Python goes, and every line keeps its number."""

import ast

import pytest

from promo_mypy.notebooks.ipython import as_python

#: Cell -> its Python; None for a cell whose text is of another language.
CELLS = {
    "Python": ("x = 1\n\ny = x % 2", "x = 1\n\ny = x % 2"),
    "top-level await": ("await f()\nasync with a as b:\n    pass", "await f()\nasync with a as b:\n    pass"),
    "a line magic": ("%matplotlib inline\nx = 1", "pass\nx = 1"),
    "a shell line": ("!pip install numpy\nx", "pass\nx"),
    "over lines": ("!pip install \\\n    numpy \\\n    scipy\nx", "pass\n\n\nx"),
    "in a block": ("if x:\n    !ls\n    %cd a\nelse:\n    y", "if x:\n    pass\n    pass\nelse:\n    y"),
    "assigned": ("files = !ls\na, b = %sql x\nx", "files = eval('')\na, b = eval('')\nx"),
    "timed": ("%time x = f(y)\n%timeit f(y)", "if 1: x = f(y)\nif 1:   f(y)"),
    "timed with options": ("%timeit -n 10 f(y)", "pass"),
    "timed in a block": ("for a in b:\n    %time c = a", "for a in b:\n    if 1: c = a"),
    "help": ("np.sum?\n?np\nx.y??\nz", "pass\npass\npass\nz"),
    "a cell magic before Python": ("%%time\nx = 1", "\nx = 1"),
    "blank lines before it": ("\n\n%%capture out\nx = 1\n!ls", "\n\n\nx = 1\npass"),
    "pip without a sign": ("pip install numpy\nimport numpy", "pass\nimport numpy"),
    "no magics in a string": ("s = '''\n%d\n!ls\nwhat?\n'''\n%magic", "s = '''\n%d\n!ls\nwhat?\n'''\npass"),
    "no magics in brackets": ("x = (a\n    % b)\n!ls", "x = (a\n    % b)\npass"),
    "nor behind a line that goes on": ("x = a \\\n  % b\n!ls", "x = a \\\n  % b\npass"),
    "an empty cell": ("", ""),
    "a cell of another language": ("%%bash\nfor a in b; do\ndone", None),
    "HTML": ("%%html\n<b>x = 1</b>", None),
}


@pytest.mark.parametrize(("cell", "expected"), CELLS.values(), ids=CELLS)
def test_a_cell_becomes_python(cell: str, expected: str | None) -> None:
    python = as_python(cell)
    lines = cell.split("\n")
    assert python.text == (expected if expected is not None else "\n" * (len(lines) - 1))
    assert python.fault == ""
    ast.parse(python.text)
    kept = {number for number, line in enumerate(python.text.split("\n"), start=1) if line == lines[number - 1]}
    assert kept.isdisjoint(python.rewritten)
    assert len(python.text.split("\n")) == len(lines)


@pytest.mark.parametrize("cell", ["print 'Python 2'", "x = (", "%time\nfor in", "s = '''"])
def test_a_cell_that_is_no_python_says_why(cell: str) -> None:
    python = as_python(cell)
    assert python.fault
    assert "\n" not in python.fault
    assert python.text == "\n" * cell.count("\n")
