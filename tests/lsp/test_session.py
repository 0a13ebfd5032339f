"""What a user of an editor sees: findings of unsaved code, hints, hovers, actions, progress, settings."""

import asyncio
from pathlib import Path

import pytest

from tests.lsp.editor import Editor, client_capabilities, follow, project, run, session, types

#: It has a mistake in its last line.
FADE = """\
import numpy as np
import numpy.typing as npt


def fade(image: npt.NDArray[np.uint8], gain: float) -> npt.NDArray[np.float32]:
    scaled = image / np.float32(255)
    faded = scaled * 2 + np.ones(3)
    return faded
"""
#: The line of it, and one without the mistake.
WRONG, RIGHT = "np.ones(3)", "np.ones(3, np.float32)"
MISMATCH = "promo-mismatch"


def test_findings_follow_what_is_typed(tmp_path: Path, check_cache: Path) -> None:
    folder = project(tmp_path / "work", check_cache, fade=FADE.replace(WRONG, RIGHT))

    async def scenario() -> None:
        async with session(folder, cwd=tmp_path) as editor:
            # The text of the editor counts, not the file.
            uri = editor.open(folder / "fade.py", FADE)
            (found,) = await editor.codes(uri, MISMATCH)
            assert (found.range.start.line, found.range.start.character, found.range.end.character) == (7, 11, 16)
            assert found.message.startswith("The returned value is float64 where float32 is declared\n")
            assert "`np.ones(3)` is float64" in found.message
            assert found.message.splitlines()[-1].startswith("Remedy: cast the operand in line 7 with")
            assert (found.severity, found.source) == (types.DiagnosticSeverity.Error, "promo-mypy")
            editor.change(uri, WRONG, RIGHT)
            await editor.codes(uri)
            # Nothing was saved.
            assert (folder / "fade.py").read_text() == FADE.replace(WRONG, RIGHT)
            editor.change(uri, RIGHT, WRONG)
            await editor.codes(uri, MISMATCH)
            editor.save(uri, folder / "fade.py")
            await editor.codes(uri, MISMATCH)
            editor.close(uri)
            await editor.codes(uri)

    run(scenario())


#: The first function fails for what the second one passes.
SHIFT = """\
import numpy as np


def shift(x):
    return x + 70000


def main() -> None:
    shift(np.zeros(3, np.uint16))
"""


def test_findings_follow_the_dtypes_of_calls(tmp_path: Path, check_cache: Path) -> None:
    folder = project(tmp_path / "work", check_cache, shift=SHIFT)

    async def scenario() -> None:
        async with session(folder, cwd=tmp_path) as editor:
            uri = editor.open(folder / "shift.py", SHIFT)
            (found,) = await editor.codes(uri, "promo-overflow")
            (call,) = found.related_information or ()
            assert (found.range.start.line, call.location.range.start.line) == (4, 8)
            assert call.message == "called from line 9 with uint16 for `x`"
            editor.change(uri, "uint16", "uint32")
            await editor.codes(uri)
            editor.change(uri, "70000", "2**33")
            await editor.codes(uri, "promo-overflow")

    run(scenario())


def test_findings_follow_the_calls_in_other_open_files(tmp_path: Path, check_cache: Path) -> None:
    helper, _, caller = SHIFT.removeprefix("import numpy as np\n\n\n").partition("\n\n\n")
    caller = f"import numpy as np\nfrom helper import shift\n\n\n{caller}"
    folder = project(tmp_path / "work", check_cache, helper=helper, caller=caller)

    async def scenario() -> None:
        async with session(folder, cwd=tmp_path) as editor:
            of_helper = editor.open(folder / "helper.py", helper)
            of_caller = editor.open(folder / "caller.py", caller)
            (found,) = await editor.codes(of_helper, "promo-overflow")
            assert "called from line 6 of caller.py with uint16 for `x`" in found.message
            assert not found.related_information
            editor.change(of_caller, "uint16", "uint32")
            await editor.codes(of_helper)
            editor.change(of_helper, "70000", "2**33")
            await editor.codes(of_helper, "promo-overflow")

    run(scenario())


@pytest.mark.slow
def test_the_code_of_a_notebook_is_checked(tmp_path: Path, check_cache: Path) -> None:
    """JupyterLab sends the code of all cells as one document of Python, under the name of the notebook."""
    folder = project(tmp_path / "work", check_cache, other="x = 1\n")
    (folder / "fade.ipynb").write_text('{"cells": []}')

    async def scenario() -> None:
        async with session(folder, cwd=tmp_path) as editor:
            uri = editor.open(folder / "fade.ipynb", FADE)
            (found,) = await editor.codes(uri, MISMATCH)
            assert found.range.start.line == 7
            editor.change(uri, WRONG, RIGHT)
            await editor.codes(uri)
            # Saved, the file is a notebook, and no text of Python.
            editor.save(uri, folder / "other.py")
            editor.change(uri, RIGHT, WRONG)
            await editor.codes(uri, MISMATCH)

    run(scenario())


@pytest.mark.slow
def test_an_edit_changes_the_findings_of_other_files(tmp_path: Path, check_cache: Path) -> None:
    gain = "import numpy as np\n\n\ndef gain() -> np.float32:\n    return np.float32(2)\n"
    use = "import numpy as np\n\nfrom gain import gain\n\n\ndef use() -> np.float32:\n    return gain()\n"
    folder = project(tmp_path / "work", check_cache, gain=gain, use=use)

    async def scenario() -> None:
        async with session(folder, cwd=tmp_path) as editor:
            using = editor.open(folder / "use.py")
            await editor.codes(using)
            # The file is open only now: mypy has read it for the import.
            changing = editor.open(folder / "gain.py")
            await editor.codes(changing)
            editor.change(changing, "-> np.float32", "-> np.float64")
            await editor.codes(using, MISMATCH)
            # Closed without saving: the file on disk counts again.
            editor.close(changing)
            await editor.codes(using)
            # Changed by another program.
            (folder / "gain.py").write_text(gain.replace("float32", "float64"))
            editor.tell_changed(folder / "gain.py")
            await editor.codes(using, MISMATCH)

    run(scenario())


@pytest.mark.slow
def test_a_text_that_cannot_be_parsed_keeps_what_was_good(tmp_path: Path, check_cache: Path) -> None:
    folder = project(tmp_path / "work", check_cache, fade=FADE)

    async def scenario(editor: Editor, uri: str) -> None:
        before = await editor.hints(uri)
        assert [(line, label) for line, _, label in before] == [(5, ": float32"), (6, ": float64")]
        # The middle of an edit, with a new line above.
        editor.change(uri, "\n\ndef fade", "\n\n\nx = (\ndef fade")
        (found,) = await editor.until(uri, lambda found: [each.range.start.line for each in found] == [9])
        assert found.code == MISMATCH
        assert await editor.hints(uri) == [(line + 2, column, label) for line, column, label in before]
        hover = await editor.hover(uri, 8, 5)
        assert hover is not None
        assert hover.startswith("**float64**")
        editor.change(uri, "x = (\n", "x = 1\n")
        editor.change(uri, WRONG, RIGHT)
        await editor.codes(uri)
        # Python parses a `return` outside a function, and mypy stops there.
        editor.change(uri, "x = 1\n", "return 1\n")
        editor.change(uri, RIGHT, WRONG)
        await asyncio.sleep(1)
        assert list(editor.diagnostics[uri]) == []
        editor.change(uri, "return 1\n", "")
        await editor.codes(uri, MISMATCH)

    follow(folder / "fade.py", scenario, MISMATCH)


@pytest.mark.slow
def test_a_file_that_was_never_good(tmp_path: Path, check_cache: Path) -> None:
    folder = project(tmp_path / "work", check_cache, fade=f"def (\n{FADE}", other=FADE)

    async def scenario(editor: Editor, uri: str) -> None:
        other = editor.open(folder / "other.py")
        await editor.codes(other, MISMATCH)
        editor.change(uri, "def (\n", "")
        await editor.codes(uri, MISMATCH)
        assert [label for _, _, label in await editor.hints(uri)] == [": float32", ": float64"]

    follow(folder / "fade.py", scenario)


def test_a_hover_shows_dtype_operands_and_path(tmp_path: Path, check_cache: Path) -> None:
    folder = project(tmp_path / "work", check_cache, fade=FADE)

    async def scenario(editor: Editor, uri: str) -> None:
        lines = FADE.splitlines()
        operator = await editor.hover(uri, 6, lines[6].index("+"))
        assert operator is not None
        assert operator.startswith("**float64** under numpy promotion")
        assert "- `scaled * 2` is float32" in operator
        assert "- `np.ones(3)` is float64" in operator
        assert "Path in the lattice:\n\n- float32 → float64\n- float64" in operator
        variable = await editor.hover(uri, 7, lines[7].index("faded"))
        assert variable is not None
        assert "1. `faded` is float64: line 7 sets it to" in variable
        assert await editor.hover(uri, 4, lines[4].index("gain")) is None

    follow(folder / "fade.py", scenario, MISMATCH)


@pytest.mark.slow
def test_hints_can_be_switched(tmp_path: Path, check_cache: Path) -> None:
    folder = project(tmp_path / "work", check_cache, fade=FADE)

    async def scenario(editor: Editor, uri: str) -> None:
        await editor.wait(lambda: editor.refreshed > 0)
        lines = FADE.splitlines()
        assigned = [(5, len("    scaled"), ": float32"), (6, len("    faded"), ": float64")]
        promoted = [(5, len(lines[5]), "→ float32"), (6, len(lines[6]), "→ float64")]
        assert await editor.hints(uri) == assigned
        editor.configure(inlayHints={"assignments": False})
        await editor.hints_until(uri, promoted)
        editor.configure(inlayHints={"assignments": False, "operators": False})
        await editor.hints_until(uri, [])
        editor.configure(inlayHints={"operators": False})
        await editor.hints_until(uri, assigned)

    follow(folder / "fade.py", scenario, MISMATCH)


def test_an_action_inserts_the_cast(tmp_path: Path, check_cache: Path) -> None:
    # The pair before the value is one character, and two units of the protocol.
    wide = FADE.replace("    return faded", '    "🎨"; return faded * faded')
    folder = project(tmp_path / "work", check_cache, fade=wide)

    async def scenario(editor: Editor, uri: str) -> None:
        assert list(await editor.actions(uri, 7)) == [
            "Insert the cast (faded * faded).astype(np.float32)",
            "Ignore promo-mismatch in this line",
        ]
        edit = await editor.edit_of(uri, 7, "Insert the cast (faded * faded).astype(np.float32)")
        assert (edit.range.start.character, edit.range.end.character) == (17, 30)
        editor.change(uri, "faded * faded", edit.new_text)
        await editor.codes(uri)
        assert await editor.actions(uri, 7) == {}

    follow(folder / "fade.py", scenario, MISMATCH)


@pytest.mark.slow
def test_an_action_ignores_a_finding(tmp_path: Path, check_cache: Path) -> None:
    folder = project(tmp_path / "work", check_cache, fade=FADE)

    async def scenario(editor: Editor, uri: str) -> None:
        ignored = editor.apply(uri, await editor.edit_of(uri, 7, "Ignore promo-mismatch in this line"))
        assert ignored == FADE.replace("return faded", "return faded  # promo: ignore[promo-mismatch]")
        editor.change(uri, editor.text(uri), ignored)
        await editor.codes(uri)

    follow(folder / "fade.py", scenario, MISMATCH)


@pytest.mark.slow
def test_an_action_accepts_a_finding_in_the_baseline(tmp_path: Path, check_cache: Path) -> None:
    folder = project(tmp_path / "work", check_cache, fade=FADE)
    options = folder / "promo-mypy.toml"
    options.write_text(options.read_text() + "baseline = 'accepted.json'\n")

    async def scenario(editor: Editor, uri: str) -> None:
        await editor.execute(uri, 7, "Accept in accepted.json")
        await editor.codes(uri)
        assert '"path": "fade.py"' in (folder / "accepted.json").read_text()

    follow(folder / "fade.py", scenario, MISMATCH)


@pytest.mark.slow
def test_progress_is_shown_while_mypy_reads_the_libraries(tmp_path: Path) -> None:
    folder = project(tmp_path / "work", tmp_path / "empty", fade="import dataclasses\nx = 1\n")

    async def scenario(editor: Editor, _uri: str) -> None:
        await editor.wait(lambda: editor.progress_kinds()[-1:] == ["end"])
        kinds = editor.progress_kinds()
        assert len(editor.progress_reports) == 1
        assert kinds[0] == "begin"
        assert set(kinds[1:-1]) == {"report"}

    follow(folder / "fade.py", scenario)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["neovim", "visual-studio-code", "emacs"])
def test_what_editors_can_do_is_respected(tmp_path: Path, check_cache: Path, name: str) -> None:
    """pytest-lsp knows what each editor offers, and warns, an error here, if the server asks for more."""
    folder = project(tmp_path / "work", check_cache, fade=FADE)
    capabilities = client_capabilities(name)

    async def scenario() -> None:
        async with session(folder, cwd=tmp_path, capabilities=capabilities) as editor:
            uri = editor.open(folder / "fade.py")
            await editor.codes(uri, MISMATCH)
            hover = await editor.hover(uri, 7, FADE.splitlines()[7].index("faded"))
            assert hover is not None
            assert hover.startswith("**float64**")
            edit = await editor.edit_of(uri, 7, "Insert the cast np.ones(3).astype(np.float32)")
            editor.change(uri, WRONG, edit.new_text)
            await editor.codes(uri)

    run(scenario())
