"""Programs without dtypes that stock mypy accepts, and that the plugin must accept despite the types that it infers."""

from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

from tests.mypy_runs import Message, run_mypy
from tests.needed import needs

QUIET = Path(__file__).parent / "quiet"
#: Library -> the replacements of these words in the program of any library.
WORDS = {
    "torch": {
        "ARRAY": "torch.Tensor",
        "HALVES": "torch.ones(3, dtype=torch.float16)",
        "INTS": "torch.ones(3, dtype=torch.int32)",
    },
    "jax": {"ARRAY": "jax.Array", "HALVES": "jnp.ones(3, jnp.float16)", "INTS": "jnp.ones(3, jnp.int32)"},
}
IMPORTS = {"torch": "import torch\n", "jax": "import jax\nimport jax.numpy as jnp\n"}
#: Library -> the first and the last minor version with whose types stock mypy accepts every program. NumPy 2.2 knows
#: the rank of more arrays. NumPy 2.5 and JAX 0.12 declare types in place of Any.
ACCEPTING = {"numpy": ((2, 3), (2, 4)), "jax": ((0, 8), (0, 10))}
#: Programs without dtypes often have no types either.
UNTYPED = """\
allow_untyped_defs = true
allow_incomplete_defs = true
allow_untyped_calls = true
allow_any_generics = true
warn_return_any = false
"""
#: The companion: the same programs with dtypes in annotations.
ANNOTATED = """\
import dataclasses
import torch
from jaxtyping import Float32, Int32
F = Float32[torch.Tensor, "n"]
I = Int32[torch.Tensor, "n"]
class Layer:
    def __init__(self) -> None:
        self.seen: dict[str, F] = {}
    def keep(self, i: I) -> None:
        self.seen["i"] = i  # error
@dataclasses.dataclass
class State:
    lists: list[F]
def containers(xs: list[F], table: dict[str, list[F]], f: F, i: I, state: State) -> None:
    xs.append(i)  # error
    xs[0] = i  # error
    xs += [i]  # error
    table["a"].append(i)  # error
    table.update(b=[i])  # error
    xs = [i]  # error
    ys: list[F] = []
    ys.extend([i])  # error
    state.lists.insert(0, i)  # error
    zs = [f]
    zs.append("text")  # error
    zs[0] = 1  # error
def pairs(t: tuple[F, I]) -> None:
    t = t[1], t[0]  # error
"""


def _programs() -> dict[str, str]:
    programs = {path.stem: path.read_text(encoding="utf-8") for path in QUIET.glob("*.txt")}
    text = programs.pop("any_library.py")
    for library, words in WORDS.items():
        written = text
        for word, meaning in words.items():
            written = written.replace(word, meaning)
        programs[f"any_{library}.py"] = IMPORTS[library] + written
    return programs


def _errors(folder: Path, cache: Path, *, plugin: bool) -> list[Message]:
    folder.mkdir()
    programs = {f"quiet_{name}": text for name, text in _programs().items()}
    for name, text in programs.items():
        (folder / name).write_text(text, encoding="utf-8")
    run = run_mypy(folder, *programs, cache=cache, plugin=plugin, settings=UNTYPED)
    assert run.status in (0, 1), run.output
    return run.errors()


def _minor(library: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version(library).split(".")[:2])


def test_what_stock_mypy_accepts_is_accepted(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    needs(*WORDS)
    with ThreadPoolExecutor() as side_by_side:  # each may have to read PyTorch and JAX
        stock = side_by_side.submit(_errors, tmp_path / "stock", stock_cache, plugin=False)
        with_plugin = _errors(tmp_path / "plugin", plugin_cache, plugin=True)
        without_plugin = stock.result()
    if all(first <= _minor(library) <= last for library, (first, last) in ACCEPTING.items()):
        assert without_plugin == []
    places = {(error.file, error.line) for error in without_plugin}
    assert [error for error in with_plugin if (error.file, error.line) not in places] == []


def test_annotated_dtypes_are_kept(tmp_path: Path, plugin_cache: Path) -> None:
    needs("torch", "jaxtyping")
    (tmp_path / "annotated.py").write_text(ANNOTATED, encoding="utf-8")
    expected = {n for n, line in enumerate(ANNOTATED.splitlines(), 1) if line.endswith("# error")}
    assert {error.line for error in run_mypy(tmp_path, "annotated.py", cache=plugin_cache).errors()} == expected
