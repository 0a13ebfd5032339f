"""Small repositories of every layout: their files, and what must be found in them.

`of("float16")` is a file with a function `made` whose result has that dtype. `using("from x import made")` is a file
that returns this result where float64 is declared: the finding there names the dtype, and so the file that the import
has found.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

HEADER: Final = "import numpy as np\nfrom numpy.typing import NDArray\n"


def of(dtype: str, header: str = "") -> str:
    """A file with a function that makes an array of that dtype."""
    return f"{header}{HEADER}\ndef made() -> NDArray[np.{dtype}]:\n    return np.zeros(2, np.{dtype})\n"


def using(statement: str, call: str = "made") -> str:
    """A file that imports the function, and returns its result where another dtype is declared."""
    return f"{HEADER}{statement}\n\ndef used() -> NDArray[np.float64]:\n    return {call}()\n"


#: A file that returns float64 where float32 is declared.
MISTAKE: Final = f"{HEADER}\ndef wrong() -> NDArray[np.float32]:\n    return np.zeros(2)\n"


def notebook(text: str) -> str:
    """A notebook of one cell."""
    empty: dict[str, object] = {"metadata": {}, "outputs": [], "execution_count": None}
    return json.dumps(
        {"cells": [{"cell_type": "code", "source": text, **empty}], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    )


@dataclass(frozen=True)
class Tree:
    """A repository.

    Attributes:
        files: path -> text, or bytes.
        found: path -> the dtype that its finding names.
        links: path -> the path that it is a link to.
        left_out: the files that cannot be read.
    """

    files: Mapping[str, str | bytes]
    found: Mapping[str, str]
    links: Mapping[str, str] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()


#: An import that works in a package and in a script.
EITHER: Final = "try:\n    from .hidden import made\nexcept ImportError:\n    from hidden import made"

PROJECT: Final = '[project]\nname = "p"\nversion = "1"\n'

TREES: Final[Mapping[str, Tree]] = {
    "flat scripts": Tree(
        {
            "net.py": of("float32"),
            "train.py": using("from net import made"),
            "my-script.py": using("import net", "net.made"),
        },
        {"train.py": "float32", "my-script.py": "float32"},
    ),
    "folders without __init__.py": Tree(
        {
            "models/net.py": of("float32"),
            "models/more/deep.py": of("float16"),
            "train.py": using("from models.net import made"),
            "eval.py": using("from models.more import deep", "deep.made"),
            "other.py": using("import models.more.deep", "models.more.deep.made"),
            "models/beside.py": using("from net import made"),
            "models/relative.py": using("from .more.deep import made"),
        },
        {
            "train.py": "float32",
            "eval.py": "float16",
            "other.py": "float16",
            "models/beside.py": "float32",
            "models/relative.py": "float16",
        },
    ),
    "src": Tree(
        {
            "pyproject.toml": PROJECT,
            "src/package/__init__.py": "",
            "src/package/net.py": of("float32"),
            "src/package/relative.py": using("from . import net", "net.made"),
            "src/package/absolute.py": using("from package.net import made"),
            "tests/test_net.py": using("from package.net import made"),
            "setup.py": "import setuptools\n",
        },
        {"src/package/relative.py": "float32", "src/package/absolute.py": "float32", "tests/test_net.py": "float32"},
    ),
    "a namespace package": Tree(
        {
            "pyproject.toml": PROJECT,
            "src/company/first/__init__.py": "from company.first.net import made\n",
            "src/company/first/net.py": of("float32"),
            "src/company/second/__init__.py": "",
            "src/company/second/use.py": using("from company.first import made"),
            "tests/test_use.py": using("import company.first.net as n", "n.made"),
        },
        {"src/company/second/use.py": "float32", "tests/test_use.py": "float32"},
    ),
    "a monorepo": Tree(
        {
            "packages/one/pyproject.toml": PROJECT,
            "packages/one/src/alpha/__init__.py": of("float32"),
            "packages/one/tests/conftest.py": using("from alpha import made"),
            "packages/one/tests/util.py": of("float32"),
            "packages/one/tests/test_x.py": using("from tests.util import made"),
            "packages/two/setup.py": "",
            "packages/two/src/beta/__init__.py": using("from alpha import made"),
            "packages/two/tests/conftest.py": using("from alpha import made"),
            "packages/two/tests/util.py": of("float16"),
            "packages/two/tests/test_x.py": using("from tests.util import made"),
        },
        {
            "packages/one/tests/conftest.py": "float32",
            "packages/one/tests/test_x.py": "float32",
            "packages/two/src/beta/__init__.py": "float32",
            "packages/two/tests/conftest.py": "float32",
            "packages/two/tests/test_x.py": "float16",
        },
    ),
    "tests with equal names": Tree(
        {
            **{f"{name}/conftest.py": using("from support import made") for name in "ab"},
            **{f"{name}/test_x.py": using("from support import made") for name in "ab"},
            "a/support.py": of("float32"),
            "b/support.py": of("float16"),
            "support.py": of("int16"),
            "conftest.py": using("from support import made"),
        },
        {
            "conftest.py": "int16",
            "a/conftest.py": "float32",
            "a/test_x.py": "float32",
            "b/conftest.py": "float16",
            "b/test_x.py": "float16",
        },
    ),
    "folders that are no identifiers": Tree(
        {
            "examples/01-first/utils.py": of("float32"),
            "examples/01-first/run.py": using("import utils", "utils.made"),
            "examples/02.second/utils.py": of("float16"),
            "examples/02.second/run.py": using("from utils import *"),
            "examples/02.second/inside.py": HEADER + "def f() -> NDArray[np.float64]:\n"
            "    from utils import made\n    return made()\n",
            "examples/with space/my script.py": using("from package.part import made"),
            "examples/with space/package/__init__.py": "",
            "examples/with space/package/part.py": of("int16"),
        },
        {
            "examples/01-first/run.py": "float32",
            "examples/02.second/run.py": "float16",
            "examples/02.second/inside.py": "float16",
            "examples/with space/my script.py": "int16",
        },
    ),
    "a Bazel-like root": Tree(
        {
            "company/project/lib/net.py": of("float32"),
            "company/project/app/main.py": using("from company.project.lib.net import made"),
            "company/project/app/other.py": using("from company.project.lib import net", "net.made"),
            "third_party/py/lib/net.py": of("float16"),
            "third_party/py/use.py": using("from third_party.py.lib.net import made"),
        },
        {
            "company/project/app/main.py": "float32",
            "company/project/app/other.py": "float32",
            "third_party/py/use.py": "float16",
        },
    ),
    "stubs beside sources": Tree(
        {
            "net.py": of("float32"),
            "net.pyi": HEADER + "def made() -> NDArray[np.float16]: ...\n",
            "use.py": using("from net import made"),
            "stubs/other/__init__.pyi": HEADER + "def made() -> NDArray[np.int16]: ...\n",
            "broken.py": of("float32"),
            "broken.pyi": "def (\n",
            "pyproject.toml": '[tool.mypy]\nmypy_path = "stubs"\n',
            "of_stub.py": using("from other import made"),
            "of_broken.py": using("from broken import made"),
        },
        {"use.py": "float16", "of_stub.py": "int16", "of_broken.py": "float32"},
        left_out=frozenset({"broken.pyi"}),
    ),
    "names of libraries and standard modules": Tree(
        {
            "random.py": of("float32"),
            "types.py": of("float32"),
            "typing.py": of("float32"),
            "enum/__init__.py": "",
            "enum/more.py": using("import random, types, enum"),
            "numpy/use.py": using("from .net import made"),
            "numpy/net.py": of("float16"),
            "scripts/queue.py": of("float32"),
            "scripts/run.py": f"import queue, random, types, enum, numpy\nqueue.Queue()\n{MISTAKE}",
        },
        {"numpy/use.py": "float16", "scripts/run.py": "float64"},
    ),
    "symbolic links": Tree(
        {
            "real/net.py": of("float32"),
            "real/use.py": using("from net import made"),
            "top.py": using("from linked.net import made"),
        },
        {"real/use.py": "float32", "top.py": "float32"},
        links={"linked": "real", "copy.py": "top.py", "real/loop": "real"},
    ),
    "a repository inside a repository": Tree(
        {
            "pyproject.toml": PROJECT,
            "package/__init__.py": "",
            "package/net.py": of("float32"),
            "package/use.py": using("from package.net import made"),
            "vendor/other/.git/HEAD": "",
            "vendor/other/pyproject.toml": PROJECT,
            "vendor/other/package/__init__.py": "",
            "vendor/other/package/net.py": of("float16"),
            "vendor/other/package/use.py": using("from package.net import made"),
            "vendor/other/other.py": of("int16"),
            "use.py": using("from other import made"),
        },
        {"package/use.py": "float32", "vendor/other/package/use.py": "float16", "use.py": "int16"},
    ),
    "a root that is a package": Tree(
        {
            "__init__.py": "from .net import made\nfrom . import nodes\n",
            "net.py": of("float32"),
            "nodes.py": using("from . import net", "net.made"),
            "parts/deep.py": using("from ..net import made"),
            "parts/other.py": using("from parts.third import made"),
            "parts/third.py": of("float16"),
        },
        {"nodes.py": "float32", "parts/deep.py": "float32", "parts/other.py": "float16"},
    ),
    "folders that pyproject.toml names": Tree(
        {
            "pyproject.toml": '[tool.setuptools]\npackage-dir = {"" = "code"}\n'
            '[tool.pytest.ini_options]\npythonpath = ["support/more"]\n'
            '[tool.poetry]\npackages = [{include = "third", from = "parts/deep/er"}]\n',
            "setup.cfg": "[options]\npackage_dir =\n    = other\n",
            "code/first.py": of("float32"),
            "support/more/second.py": of("float16"),
            "parts/deep/er/third/__init__.py": of("int16"),
            "other/fourth.py": of("int32"),
            **{f"tests/use_{each}.py": using(f"from {each} import made") for each in ("first", "second", "third")},
            "tests/use_fourth.py": using("from fourth import made"),
        },
        {
            "tests/use_first.py": "float32",
            "tests/use_second.py": "float16",
            "tests/use_third.py": "int16",
            "tests/use_fourth.py": "int32",
        },
    ),
    "tests that import from folders around them": Tree(
        {
            "pkg/__init__.py": "",
            "pkg/net.py": of("float32"),
            "tests/helpers.py": of("float16"),
            "tests/unit/__init__.py": "",
            "tests/unit/test_a.py": using("from helpers import made"),
            "tests/unit/test_b.py": using("from tests.helpers import made"),
            "tests/unit/test_c.py": using("from pkg.net import made"),
            "tests/unit/test_d.py": using("from test_e import made"),
            "tests/unit/test_e.py": of("int16"),
            "tools/code/hidden/__init__.py": of("int32"),
            "tools/code/run.py": using(EITHER),
        },
        {
            "tests/unit/test_a.py": "float16",
            "tests/unit/test_b.py": "float16",
            "tests/unit/test_c.py": "float32",
            "tests/unit/test_d.py": "int16",
            "tools/code/run.py": "int32",
        },
    ),
    "files that mypy cannot read": Tree(
        {
            "python2.py": "print 'x'\n",
            "merged.py": "<<<<<<< HEAD\n",
            "undecodable.py": b"# \xff\n",
            "null.py": b"x = 1\n\0\n",
            "outside.py": "return 1\n",
            "relative.py": "from . import nothing\n",
            "beyond.py": "from .... import nothing\n",
            "nonlocal.py": "def f():\n    nonlocal x\n",
            "net.py": of("float32", "import python2, undecodable, one, aliases\n"),
            "one.py": f"import two\n{using('from net import made')}",
            "two.py": "import one, three\n",
            "three.py": "import one, two\n",
            "aliases.py": 'from typing import Sequence, Union\nTree = Union[int, Sequence["Tree"]]\n\n\n'
            "def scaled(x, t: Tree):\n    return x * t\n",
        },
        {"one.py": "float32"},
        left_out=frozenset(
            f"{name}.py"
            for name in ("python2", "merged", "undecodable", "null", "beyond")
        ),
    ),
    "a notebook beside the code": Tree(
        {
            "net.py": of("float32"),
            "use.py": using("from net import made"),
            "more/net.py": of("float16"),
            "more/look.ipynb": notebook(using("from net import made")),
        },
        {"use.py": "float32", "more/look.ipynb": "float16"},
    ),
}  # fmt: skip
