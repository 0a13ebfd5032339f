/** Start `promo-mypy lsp`, and start it anew when the user chooses another environment or asks for it. */

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

import { chosenPython, onChosen } from "./python";
import { findServer, whyNot } from "./server";
import { Status } from "./status";

const SECTION = "promo-mypy";

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const started = new Session();
  session = started;
  context.subscriptions.push(
    started,
    vscode.commands.registerCommand("promo-mypy.restart", () => started.restart()),
    vscode.commands.registerCommand("promo-mypy.showLog", () => started.log.show()),
    vscode.workspace.onDidChangeConfiguration((change) => started.configure(change)),
    await onChosen(() => void started.restart()),
  );
  await started.restart();
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

/** The server, with its log and its item in the status bar. */
class Session implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel("promo-mypy", { log: true });
  private readonly status = new Status();
  private client: LanguageClient | undefined;
  private python: string | null = null;
  /** The last restart: another one waits for it. */
  private last: Promise<void> = Promise.resolve();

  restart(): Promise<void> {
    this.last = this.last.then(() => this.startAnew());
    return this.last;
  }

  async configure(change: vscode.ConfigurationChangeEvent): Promise<void> {
    if (change.affectsConfiguration(`${SECTION}.path`)) {
      await this.restart();
    } else if (change.affectsConfiguration(SECTION)) {
      await this.client?.sendNotification("workspace/didChangeConfiguration", { settings: this.settings() });
    }
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose();
  }

  dispose(): void {
    this.status.dispose();
    this.log.dispose();
  }

  private async startAnew(): Promise<void> {
    await this.stop();
    this.status.starting();
    this.python = await chosenPython();
    const path = vscode.workspace.getConfiguration(SECTION).get<string | null>("path", null);
    const command = findServer({ path, python: this.python, folders: process.env["PATH"] ?? "" });
    if (command === null) {
      return this.fail("promo-mypy is neither in the chosen Python environment nor on the path");
    }
    const reason = await whyNot(command);
    if (reason !== null) {
      return this.fail(`${command} cannot serve: ${reason}`);
    }
    this.log.info(`${command} lsp, for ${this.python ?? "the environment that it finds"}`);
    try {
      this.client = await this.started(command);
    } catch (error) {
      return this.fail(`${command} does not start: ${String(error)}`);
    }
    this.status.running(command, this.client.initializeResult?.serverInfo?.version ?? "");
  }

  private async started(command: string): Promise<LanguageClient> {
    const client = new LanguageClient(
      SECTION,
      "promo-mypy",
      { command, args: ["lsp"] },
      {
        documentSelector: ["file", "vscode-notebook-cell"].map((scheme) => ({ language: "python", scheme })),
        initializationOptions: this.settings(),
        outputChannel: this.log,
      },
    );
    await client.start();
    return client;
  }

  /** The section of the settings, with the chosen interpreter where they name none. */
  private settings(): object {
    const section = vscode.workspace.getConfiguration(SECTION);
    return {
      [SECTION]: {
        inlayHints: section.get("inlayHints"),
        select: section.get("select"),
        ignore: section.get("ignore"),
        python: section.get("python") ?? this.python,
      },
    };
  }

  private fail(why: string): void {
    this.status.failed(why);
    this.log.error(why);
    void vscode.window.showErrorMessage(`promo-mypy: ${why}`, "Open Settings", "Show Log").then((answer) => {
      if (answer === "Open Settings") {
        void vscode.commands.executeCommand("workbench.action.openSettings", `${SECTION}.path`);
      } else if (answer === "Show Log") {
        this.log.show();
      }
    });
  }
}
