"""Execute the steps of a GitHub Action as its runner does: the shell is real, actions of others have a stand-in.

Of GitHub's expressions this knows what `action.yml` and the pages use: names, `==`, `!=`, `&&` and `always()`.
"""

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

_EXPRESSION: Final = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
_COMPARED: Final = re.compile(r"([\w.-]+) (==|!=) '([^']*)'")
#: How GitHub runs `shell: bash`.
_BASH: Final = ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail")


@dataclass
class Runner:
    """A machine with a checkout.

    Attributes:
        workspace: the checkout, where the steps run.
        temp: the folder for temporary files.
        variables: the environment variables of all steps.
        names: what expressions may name, such as `github.sha`. Outputs of steps are added.
        used: the actions of others that were called, with their inputs.
        printed: what the steps have written to stdout and stderr.
    """

    workspace: Path
    temp: Path
    variables: Mapping[str, str]
    names: dict[str, str]
    used: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)

    def action(self, folder: Path, definition: Mapping[str, Any], inputs: Mapping[str, str]) -> int:
        """Run a composite action with inputs; the exit status of the first step that fails, or 0.

        Raises ValueError for an input that the action does not have.
        """
        unknown = inputs.keys() - definition["inputs"].keys()
        if unknown:
            raise ValueError(f"the action has no input {', '.join(sorted(unknown))}")
        given = {name: inputs.get(name, row["default"]) for name, row in definition["inputs"].items()}
        self.names |= {f"inputs.{name}": value for name, value in given.items()}
        self.names |= {"github.action_path": str(folder), "runner.temp": str(self.temp)}
        return self.steps(definition["runs"]["steps"])

    def steps(self, steps: Sequence[Mapping[str, Any]]) -> int:
        """Run steps; after one that fails, only those whose condition says `always()`."""
        failed = 0
        for step in steps:
            condition = step.get("if", "")
            if (failed and "always()" not in condition) or not self._holds(condition):
                continue
            if "uses" in step:
                self.used.append((step["uses"], self._table(step.get("with", {}))))
            else:
                failed = self._run(step) or failed
        return failed

    def written(self, text: str) -> str:
        """A text with the values of its expressions."""
        return _EXPRESSION.sub(lambda found: self._value(found[1]), text)

    def _run(self, step: Mapping[str, Any]) -> int:
        """Run the shell of a step; its exit status."""
        output, summary = self.temp / "output", self.temp / "summary"
        output.write_text("")
        summary.touch()
        script = self.temp / "script.sh"
        script.write_text(self.written(step["run"]))
        runner = {"GITHUB_OUTPUT": output, "GITHUB_STEP_SUMMARY": summary, "RUNNER_TEMP": self.temp}
        done = subprocess.run(
            [*_BASH, str(script)],
            cwd=self.workspace,
            env={**os.environ, **self.variables, **{k: str(v) for k, v in runner.items()}}
            | self._table(step.get("env", {})),
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        self.printed.append(done.stdout)
        for line in output.read_text().splitlines():
            name, _, value = line.partition("=")
            self.names[f"steps.{step.get('id')}.outputs.{name}"] = value
        return done.returncode

    def _holds(self, condition: str) -> bool:
        return all(map(self._is_true, filter(None, condition.split(" && "))))

    def _is_true(self, text: str) -> bool:
        if text == "always()":
            return True
        compared = _COMPARED.fullmatch(text)
        if compared is None:
            raise ValueError(f"this condition is unknown here: {text}")
        name, operator, value = compared.groups()
        return (self._value(name) == value) is (operator == "==")

    def _table(self, table: Mapping[str, Any]) -> dict[str, str]:
        return {name: self.written(str(value)) for name, value in table.items()}

    def _value(self, name: str) -> str:
        """What a name stands for. The output of a step that has not run is empty, as on GitHub."""
        return self.names.get(name, "") if name.startswith("steps.") else self.names[name]
