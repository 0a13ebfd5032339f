"""`promo-mypy annotate`: what is written, that mypy and `--promo-check` accept it, that a second run is empty."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from promo_mypy.annotating.spellings import Names, Style
from promo_mypy.annotating.wishes import FunctionWishes, Wish, wish_of, wishes_of
from promo_mypy.rules import dtypes as dt
from promo_mypy.rules.profiles import Observations, Seen
from tests.mypy_runs import configuration, environment, run_mypy
from tests.needed import needs

needs("torch", "jaxtyping", "libcst")
from promo_mypy.annotating.edits import with_annotations  # noqa: E402 (only if it is there)

PACKAGE = {
    "images.py": '''\
"""Images without dtypes."""

from functools import lru_cache

import numpy as np


def load(size):
    return np.linspace(0, 1, size).astype(np.float32)


@lru_cache
def weights(size):
    return np.ones(size)


def brighten(image, by=None):
    """A docstring."""
    if by is None:
        return image
    return image * by


def halved(image: np.ndarray, mask: "np.ndarray") -> np.ndarray:
    return image[mask] / np.float32(2)


def either(image):
    return image + image


def clipped(image):
    if image is not None:
        return image.clip(0, 1)


def largest(image):
    return image.max()


def parted(image):
    if image.size > 3:
        return image, image > 0
    return image * 2, image < 0


def mixed(image):
    return np.asarray(image).sum(axis=0)


class Camera:
    def __init__(self, dark):
        self.dark = dark

    def shot(self, image, *rest, gain=1.0):
        return (image - self.dark) * gain

    @property
    def level(self):
        return self.dark
''',
    "net.py": """\
import torch


class Net(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.inner = torch.nn.Linear(size, size)

    def forward(self, x, mask=None):
        return self.inner(x)


def sizes(xs):
    return [len(x) for x in xs]
""",
    "test_package.py": """\
import images
import net
import numpy as np
import torch


def test_everything():
    image = images.load(4)
    images.weights(4)
    images.brighten(image)
    images.brighten(image, np.float32(2))
    images.halved(image, image > 0)
    images.either(image)
    images.either(np.ones(2))
    images.clipped(image)
    images.largest(image)
    images.parted(image)
    images.mixed([image])
    images.mixed(image)
    camera = images.Camera(np.zeros(4, np.float32))
    camera.shot(image, 1)
    camera.level
    net.sizes([torch.zeros(2)])
    net.Net(3)(torch.zeros(2, 3))
""",
}

TENSOR = "Annotated[torch.Tensor, torch.float32]"
ANNOTATED = {
    "import numpy.typing as npt",
    "def load(size) -> npt.NDArray[np.float32]:",
    "def weights(size) -> npt.NDArray[np.float64]:",
    "def brighten(image: npt.NDArray[np.float32], by: np.float32 | None = None) -> npt.NDArray[np.float32]:",
    'def halved(image: npt.NDArray[np.float32], mask: "np.ndarray") -> npt.NDArray[np.float32]:',
    "def either(image: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:",
    "def clipped(image: npt.NDArray[np.float32]):",
    "def largest(image: npt.NDArray[np.float32]) -> np.float32:",
    "def parted(image: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:",
    "def __init__(self, dark: npt.NDArray[np.float32]):",
    "def shot(self, image: npt.NDArray[np.float32], *rest, gain=1.0) -> npt.NDArray[np.float32]:",
    "def level(self) -> npt.NDArray[np.float32]:",
    "from typing import Annotated",
    f"def forward(self, x: {TENSOR}, mask=None) -> {TENSOR}:",
}


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a module in a folder."""
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)


def session(folder: Path, option: str) -> str:
    """A session of the package's tests, which pass."""
    plugins = ("-p", "no:cacheprovider", "-p", "promo_pytest")
    done = run(folder, "pytest", "-q", *plugins, f"--promo-{option}=images,net", "test_package.py")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Path:
    """The package with its profile."""
    folder = tmp_path_factory.mktemp("package")
    for name, text in PACKAGE.items():
        (folder / name).write_text(text)
    session(folder, "record")
    options = '[tool.promo-mypy]\nprofile = "promo-profile.json"\n'
    (folder / "pyproject.toml").write_text(configuration(plugin_cache) + options)
    return folder


def test_a_package_is_annotated(package: Path, plugin_cache: Path) -> None:
    shown = run(package, "promo_mypy.cli", "annotate", "images.py", "net.py")
    assert shown.returncode == 0, shown.stderr
    added = {line[1:].strip() for line in shown.stdout.splitlines() if line.startswith("+") and line[1:2] != "+"}
    assert added - {""} == ANNOTATED
    assert {name: (package / name).read_text() for name in PACKAGE} == PACKAGE

    written = run(package, "promo_mypy.cli", "annotate", "images.py", "net.py", "--write")
    assert written.stdout == "12 functions in 2 files annotated.\n", written.stdout + written.stderr
    after = {name: (package / name).read_text() for name in PACKAGE}
    assert {line.strip() for line in (after["images.py"] + after["net.py"]).splitlines()} >= ANNOTATED
    assert [ast.dump(plain(text)) for text in after.values()] == [ast.dump(plain(text)) for text in PACKAGE.values()]

    again = run(package, "promo_mypy.cli", "annotate", "images.py", "net.py")
    assert again.stdout == "Nothing to annotate.\n"
    assert "promo-check: " in session(package, "check")
    strict = ("disallow_untyped_defs", "disallow_incomplete_defs", "disallow_untyped_calls", "warn_return_any")
    quiet = "\n".join(f"{each} = false" for each in strict)
    checked = run_mypy(package, "images.py", "net.py", cache=plugin_cache, settings=quiet)
    assert checked.errors() == []


def plain(text: str) -> ast.Module:
    """The program without annotations and without the imports that they need."""
    tree = ast.parse(text)
    tree.body = [each for each in tree.body if ast.unparse(each) not in ANNOTATED]
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    return tree


def test_a_function_in_which_mypy_finds_an_error_is_left_alone(tmp_path: Path, plugin_cache: Path) -> None:
    odd = "def odd(x):\n    return x.no_such_method(x) if len(x) == 7 else x + 1\n"
    source = f"import numpy as np\n\n\n{odd}\n\ndef even(x):\n    return x * 2\n"
    (tmp_path / "images.py").write_text(source)
    (tmp_path / "net.py").write_text("")
    test = "def test_it():\n    images.odd(np.ones(2))\n    images.even(np.ones(2))\n"
    calls = f"import images\nimport numpy as np\n\n\n{test}"
    (tmp_path / "test_package.py").write_text(calls)
    session(tmp_path, "record")
    options = '[tool.promo-mypy]\nprofile = "promo-profile.json"\n'
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache) + options)
    done = run(tmp_path, "promo_mypy.cli", "annotate", "images.py")
    assert "+def even(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:" in done.stdout.splitlines()
    assert "-def odd(x):" not in done.stdout
    told = " ".join(done.stderr.split())
    assert "left as it is, as mypy would report an error: images.py: odd: " in told
    assert 'has no attribute "no_such_method"' in told


def test_results_that_follow_from_the_calls_of_a_function_are_annotated(tmp_path: Path, plugin_cache: Path) -> None:
    """The annotation of the parameter names no dtype, so mypy has none; all calls are in the file."""
    source = """\
import numpy as np


def _doubled(image: np.ndarray):
    return image * 2


def _either(image: np.ndarray | None):
    return image


SMALL = _doubled(np.ones(3, np.float32))
NOTHING = _either(np.ones(3)) if SMALL.size else _either(None)
"""
    (tmp_path / "images.py").write_text(source)
    (tmp_path / "pyproject.toml").write_text(configuration(plugin_cache))
    done = run(tmp_path, "promo_mypy.cli", "annotate", "images.py")
    added = [line for line in done.stdout.splitlines() if line.startswith("+def")]
    assert added == ["+def _doubled(image: np.ndarray) -> npt.NDArray[np.float32]:"], done.stdout + done.stderr


def spelled(source: str, wish: Wish, style: Style = Style.AUTO) -> str | None:
    """The annotation in a file with these imports."""
    found = Names(ast.parse(source), style).spelled(wish)
    return found.text if found is not None else None


FLOATS = frozenset({dt.float32, dt.float64})
INTEGERS = frozenset({dt.int8, dt.uint8})
WEAK = frozenset({dt.weak_int32})


@pytest.mark.parametrize(
    ("source", "wish", "text"),
    [
        ("import numpy as np", Wish("numpy", frozenset({dt.bool_})), "npt.NDArray[np.bool_]"),
        ("import numpy", Wish("numpy", FLOATS), "npt.NDArray[numpy.floating]"),
        ("from numpy.typing import NDArray", Wish("numpy", frozenset({dt.int8})), "NDArray[np.int8]"),
        (
            "import numpy.typing as nt\nimport numpy as np",
            Wish("numpy", frozenset({dt.int8, dt.uint8})),
            "nt.NDArray[np.integer]",
        ),
        ("np = 1", Wish("numpy", frozenset({dt.int8})), None),
        ("import numpy as np", Wish("numpy", frozenset({dt.bfloat16})), None),
        ("import numpy as np", Wish("numpy", FLOATS, is_scalar=True, may_be_none=True), "np.floating | None"),
        ("from jaxtyping import Float", Wish("numpy", FLOATS), 'Float[np.ndarray, "..."]'),
        ("from jax import Array\nimport jaxtyping", Wish("jax", FLOATS), 'jaxtyping.Float[Array, "..."]'),
        (
            "import jax\nfrom jaxtyping import Array, Int8",
            Wish("jax", WEAK),
            'Int32[Array, "..."]',
        ),
        ("import jax.numpy as jnp", Wish("jax", frozenset({dt.int8})), "Annotated[jax.Array, jnp.int8]"),
        ("from torch import Tensor", Wish("torch", frozenset({dt.bfloat16})), "Annotated[Tensor, torch.bfloat16]"),
        ("import torch", Wish("torch", FLOATS), None),
        ("import torch\nFloat = 1", Wish("torch", FLOATS), None),
    ],
)
def test_the_style_of_the_file(source: str, wish: Wish, text: str | None) -> None:
    assert spelled(source, wish) == text


def test_the_style_that_was_asked_for() -> None:
    assert spelled("import torch", Wish("torch", FLOATS), Style.JAXTYPING) == 'Float[torch.Tensor, "..."]'
    source = "import torch\nfrom jaxtyping import Float"
    assert (
        spelled(source, Wish("torch", frozenset({dt.int8})), Style.ANNOTATED) == "Annotated[torch.Tensor, torch.int8]"
    )


@pytest.mark.parametrize(
    ("observations", "declared"),
    [
        (Observations({Seen("numpy", "int8"): 2}), True),
        (Observations({Seen("numpy", "int8"): 2}, {"NoneType": 1}), True),
        (Observations({Seen("numpy", "int8"): 2}, {"int": 1}), False),
        (Observations({Seen("numpy", "int8"): 2, Seen("torch", "int8"): 1}), False),
        (Observations({Seen("numpy", "int8"): 2, Seen("numpy", "int8", form="scalar"): 1}), False),
        (Observations({Seen("numpy", "object"): 2}), False),
        (Observations({}, {"NoneType": 1}), False),
    ],
)
def test_every_call_has_to_agree(observations: Observations, declared: bool) -> None:
    assert (wish_of(observations) is not None) is declared


def test_optional_annotations_and_decorators() -> None:
    source = (
        "import numpy as np\nfrom typing import Optional\n\n\n"
        "def f(x: Optional[np.ndarray], y: np.ndarray | None = None, z: np.ndarray = 1): return x\n\n\n"
        "@unknown\ndef g(x): return x\n\n\n@wraps(f)\ndef h(x): return x\n"
    )
    functions = {each.line: each for each in wishes_of(source, {}, dict.fromkeys((5, 9, 13), Wish("numpy", FLOATS)))}
    assert set(functions) == {5}  # `wraps` replaces annotations, and `unknown` may
    wish = Wish("numpy", frozenset({dt.int8}))
    everything = functions[5].__class__("f", 5, {"x": wish, "y": wish, "z": wish}, None)
    text = with_annotations(source, {5: everything}, Style.AUTO).text
    assert "def f(x: Optional[npt.NDArray[np.int8]], y: npt.NDArray[np.int8] | None = None, z: np.ndarray = 1):" in text


NEW = "import numpy.typing as npt\n"


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("import numpy as np\n", ""),
        ("import numpy as np\n", "\nfrom . import a\nfrom ..b import c\n"),
        ("from . import a\nimport numpy as np\n", ""),
        ("import numpy as np\n", "\nx = 1\nfrom . import a\n"),
    ],
)
def test_an_import_stands_beside_those_of_other_packages(above: str, below: str) -> None:
    source = f"{above}{below}\n\ndef f(x): ...\n"
    line = len(source.splitlines())
    wishes = {line: FunctionWishes("f", line, {"x": Wish("numpy", FLOATS)}, None)}
    text = with_annotations(source, wishes, Style.AUTO).text
    assert text.partition("\n\ndef")[0].rstrip() == f"{above}{NEW}{below}".rstrip()
