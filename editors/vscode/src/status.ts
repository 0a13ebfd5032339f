/** The item in the status bar. */

import * as vscode from "vscode";

/** Shows whether the server runs, and which one. A click shows its log. */
export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("promo-mypy", vscode.StatusBarAlignment.Right);

  constructor() {
    this.item.name = "promo-mypy";
    this.item.command = "promo-mypy.showLog";
    this.item.show();
  }

  starting(): void {
    this.show("$(sync~spin) promo-mypy", "promo-mypy starts");
  }

  running(command: string, version: string): void {
    this.show("$(check) promo-mypy", `promo-mypy ${version}\n${command}`);
  }

  failed(why: string): void {
    this.show("$(error) promo-mypy", why);
    this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.errorBackground");
  }

  dispose(): void {
    this.item.dispose();
  }

  private show(text: string, tooltip: string): void {
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.backgroundColor = undefined;
  }
}
