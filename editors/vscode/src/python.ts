/** The Python environment that the user has chosen in the Python extension, if that is installed. */

import * as vscode from "vscode";

/** The part of the Python extension's interface that is used here. */
interface PythonExtension {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(path: { readonly path: string }): Promise<Environment | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

interface Environment {
  readonly executable: { readonly uri?: vscode.Uri };
}

/** Call a function whenever another environment is chosen. */
export async function onChosen(changed: () => void): Promise<vscode.Disposable> {
  const python = await extension();
  return python?.environments.onDidChangeActiveEnvironmentPath(changed) ?? new vscode.Disposable(() => undefined);
}

/** The interpreter of the environment that is chosen for the first folder; null if none is. */
export async function chosenPython(): Promise<string | null> {
  const environments = (await extension())?.environments;
  if (environments === undefined) {
    return null;
  }
  const path = environments.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
  return (await environments.resolveEnvironment(path))?.executable.uri?.fsPath ?? null;
}

async function extension(): Promise<PythonExtension | undefined> {
  return vscode.extensions.getExtension<PythonExtension>("ms-python.python")?.activate();
}
