"""An editor for tests: the client of pytest-lsp, which also checks what the server sends against the specification."""

import ast
import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from tests.mypy_runs import environment
from tests.needed import needs

needs("pygls", "libcst", "pytest_lsp")

from lsprotocol import types as types  # noqa: E402 -- without it, the test is skipped above
from pygls.protocol import default_converter  # noqa: E402 -- likewise
from pytest_lsp import LanguageClient  # noqa: E402 -- likewise
from pytest_lsp import client_capabilities as client_capabilities  # noqa: E402 -- likewise
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features  # noqa: E402 -- likewise

#: Seconds after which a test gives up. An array library may have to be read without a cache, on a busy machine.
PATIENCE: Final = 180.0
#: A range that covers every file.
EVERYWHERE: Final = types.Range(types.Position(0, 0), types.Position(100_000, 0))

Diagnostics = Sequence[types.Diagnostic]


#: What the editor of most tests can do.
CAPABILITIES: Final = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        configuration=True,
        inlay_hint=types.InlayHintWorkspaceClientCapabilities(refresh_support=True),
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
        workspace_folders=True,
    ),
    window=types.WindowClientCapabilities(work_done_progress=True),
)


class Editor(LanguageClient):
    """A client that can wait for what the server sends."""

    def __init__(self, capabilities: types.ClientCapabilities = CAPABILITIES) -> None:
        super().__init__(converter_factory=default_converter)
        self.offered = capabilities
        self.registered: list[types.Registration] = []
        self.refreshed = 0
        self._texts: dict[str, str] = {}
        self._versions: dict[str, int] = {}
        self.news = asyncio.Event()
        self._follow()

    async def start(self, *folders: Path, options: dict[str, Any] | None = None, cwd: Path) -> types.InitializeResult:
        """Start the server and open some folders."""
        variables = environment() | {"NO_COLOR": "1"}
        await self.start_io(sys.executable, "-P", "-m", "promo_mypy.cli", "lsp", cwd=cwd, env=variables)
        opened = [types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders]
        return await self.initialize_session(
            types.InitializeParams(self.offered, workspace_folders=opened, initialization_options=options)
        )

    async def leave(self) -> int | None:
        """End the session as an editor does, and return the exit status of the server."""
        await asyncio.wait_for(self.shutdown_session(), PATIENCE)
        assert self.error is None
        assert self._server is not None
        await asyncio.gather(*self._async_tasks, return_exceptions=True)
        return self._server.returncode

    def open(self, path: Path, text: str | None = None) -> str:
        """Open a file, with an unsaved text if there is one."""
        uri = path.as_uri()
        self._texts[uri] = path.read_text(encoding="utf-8") if text is None else text
        self._versions[uri] = 1
        item = types.TextDocumentItem(uri, types.LanguageKind.Python, 1, self._texts[uri])
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def change(self, uri: str, old: str, new: str) -> None:
        """Replace a part of the text of a document, which is not saved."""
        text = self._texts[uri]
        assert text.count(old) == 1
        before = text[: text.index(old)].split("\n")
        start = types.Position(len(before) - 1, len(before[-1]))
        inside = old.split("\n")
        end = types.Position(
            start.line + len(inside) - 1, len(inside[-1]) + (start.character if len(inside) == 1 else 0)
        )
        self._texts[uri] = text.replace(old, new)
        self._versions[uri] += 1
        document = types.VersionedTextDocumentIdentifier(version=self._versions[uri], uri=uri)
        edit = types.TextDocumentContentChangePartial(types.Range(start, end), new)
        self.text_document_did_change(types.DidChangeTextDocumentParams(document, [edit]))

    def save(self, uri: str, path: Path) -> None:
        """Save a document."""
        path.write_text(self._texts[uri], encoding="utf-8")
        self.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def close(self, uri: str) -> None:
        """Close a document."""
        self.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def tell_changed(self, path: Path, kind: types.FileChangeType = types.FileChangeType.Changed) -> None:
        """Tell that a file has changed on disk."""
        self.workspace_did_change_watched_files(
            types.DidChangeWatchedFilesParams([types.FileEvent(path.as_uri(), kind)])
        )

    def configure(self, **settings: Any) -> None:
        """Change the settings; the server asks for them."""
        self.set_configuration(settings, section="promo-mypy")
        self.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))

    def progress_kinds(self) -> list[str]:
        """The kinds of the reports of progress so far."""
        reports: list[Any] = [report for each in self.progress_reports.values() for report in each]
        return [report.kind for report in reports]  # pytest-lsp gives the structured values, and annotates others

    def text(self, uri: str) -> str:
        """The text of a document."""
        return self._texts[uri]

    def apply(self, uri: str, edit: types.TextEdit) -> str:
        """The text of a document with an edit of the server, in lines of ASCII."""
        lines = self._texts[uri].split("\n")
        start, end = edit.range.start, edit.range.end
        before = "\n".join([*lines[: start.line], lines[start.line][: start.character]])
        return before + edit.new_text + "\n".join([lines[end.line][end.character :], *lines[end.line + 1 :]])

    async def until(self, uri: str, holds: Callable[[Diagnostics], bool]) -> Diagnostics:
        """The diagnostics of a document, as soon as something holds of them."""
        await self.wait(lambda: uri in self.diagnostics and holds(self.diagnostics[uri]))
        return self.diagnostics[uri]

    async def codes(self, uri: str, *expected: str) -> Diagnostics:
        """The diagnostics of a document, as soon as they have these codes."""
        return await self.until(uri, lambda found: [each.code for each in found] == list(expected))

    async def wait(self, holds: Callable[[], bool]) -> None:
        """Wait for the server to send something."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                self.news.clear()
                await self.news.wait()

    async def hints(self, uri: str) -> list[tuple[int, int, str]]:
        """The hints of a document: line and column from 0, and what they show."""
        params = types.InlayHintParams(types.TextDocumentIdentifier(uri), EVERYWHERE)
        found = await self.text_document_inlay_hint_async(params)
        return [(each.position.line, each.position.character, str(each.label)) for each in found or ()]

    async def hints_until(self, uri: str, expected: list[tuple[int, int, str]]) -> None:
        """Wait until the hints of a document are these."""
        async with asyncio.timeout(PATIENCE):
            while await self.hints(uri) != expected:
                await asyncio.sleep(0.05)

    async def hover(self, uri: str, line: int, column: int) -> str | None:
        """The text of a hover."""
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, column))
        found = await self.text_document_hover_async(params)
        return found.contents.value if found is not None and isinstance(found.contents, types.MarkupContent) else None

    async def actions(self, uri: str, line: int) -> dict[str, types.CodeAction | types.Command]:
        """The actions for a line, by title."""
        here = types.Range(types.Position(line, 0), types.Position(line, 0))
        context = types.CodeActionContext([])
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), here, context)
        return {each.title: each for each in await self.text_document_code_action_async(params) or ()}

    async def edit_of(self, uri: str, line: int, title: str) -> types.TextEdit:
        """The one edit of an action."""
        action = (await self.actions(uri, line))[title]
        assert isinstance(action, types.CodeAction)
        assert action.edit is not None
        assert action.edit.changes is not None
        (edit,) = action.edit.changes[uri]
        assert isinstance(edit, types.TextEdit)
        return edit

    async def execute(self, uri: str, line: int, title: str) -> None:
        """Execute the command of an action."""
        action = (await self.actions(uri, line))[title]
        assert isinstance(action, types.Command)
        inside = ast.literal_eval(action.command)  # lsprotocol reads a code action with a command in it as a command
        params = types.ExecuteCommandParams(inside["command"], inside["arguments"])
        await self.workspace_execute_command_async(params)

    def _follow(self) -> None:
        """Take what pytest-lsp does not, and wake who waits whenever something arrives."""
        features = {
            **DEFAULT_CLIENT_FEATURES,
            types.CLIENT_REGISTER_CAPABILITY: _take_registration,
            types.WORKSPACE_INLAY_HINT_REFRESH: _take_refresh,
        }
        register_lsp_features(self, {method: _waking(take) for method, take in features.items()})


def _waking(take: Callable[[Editor, Any], Any]) -> Callable[[Editor, Any], Any]:
    def taken(client: Editor, params: Any) -> Any:
        answer = take(client, params)
        client.news.set()
        return answer

    return taken


def _take_registration(client: Editor, params: types.RegistrationParams) -> None:
    client.registered += params.registrations


def _take_refresh(client: Editor, _params: None) -> None:
    client.refreshed += 1


@asynccontextmanager
async def session(
    *folders: Path,
    cwd: Path,
    options: dict[str, Any] | None = None,
    capabilities: types.ClientCapabilities = CAPABILITIES,
) -> AsyncIterator[Editor]:
    """An editor with some folders, and a server that must end well."""
    editor = Editor(capabilities)
    await editor.start(*folders, options=options, cwd=cwd)
    yield editor
    assert await editor.leave() == 0


def run(scenario: Coroutine[Any, Any, None]) -> None:
    """Run what a user does in an editor."""
    asyncio.run(scenario)


def follow(path: Path, scenario: Callable[[Editor, str], Coroutine[Any, Any, None]], *codes: str) -> None:
    """Open a file in its folder, wait until its findings have these codes, and run what a user does then."""

    async def opened() -> None:
        async with session(path.parent, cwd=path.parent.parent) as editor:
            uri = editor.open(path)
            await editor.codes(uri, *codes)
            await scenario(editor, uri)

    run(opened())


def project(folder: Path, cache: Path, options: str = "", **files: str) -> Path:
    """A folder with options and files, whose cache is that of the tests."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "promo-mypy.toml").write_text(f"{options}\n[check]\ncache_dir = '{cache}'\n", encoding="utf-8")
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder
