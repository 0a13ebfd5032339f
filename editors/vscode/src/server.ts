/** Where the language server is: nothing here knows of VS Code. */

import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** What decides where the server is. */
export interface Places {
  /** The command that the settings name, if they name one. */
  readonly path: string | null;
  /** The interpreter of the chosen Python environment, if one is chosen. */
  readonly python: string | null;
  /** The folders of the variable PATH, as it is written. */
  readonly folders: string;
}

/** The name of the command on this system. */
export const COMMAND = process.platform === "win32" ? "promo-mypy.exe" : "promo-mypy";

/** The command of the settings, that of the chosen environment, or the one on the path; null if there is none. */
export function findServer(places: Places): string | null {
  if (places.path !== null) {
    return places.path;
  }
  const beside = places.python === null ? [] : [dirname(places.python)];
  const folders = [...beside, ...places.folders.split(delimiter).filter((folder) => folder !== "")];
  return folders.map((folder) => join(folder, COMMAND)).find(isExecutable) ?? null;
}

/** Why the command cannot run as a language server, in its own words; null if it can. */
export function whyNot(command: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(command, ["lsp", "--check"], { env: { ...process.env, NO_COLOR: "1" } }, (error, output, errors) => {
      resolve(error === null ? null : errors.trim() || output.trim() || error.message);
    });
  });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
