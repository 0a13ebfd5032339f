/**
 * The extension in a real VS Code: code-server in Chromium opens a file, shows the finding and a hover, and inserts the
 * cast. A notebook has the same finding in a cell. Pictures of each step go into a folder.
 *
 *     node test/browser.mjs CODE_SERVER PYTHON PICTURES
 *
 * CODE_SERVER is the command of code-server, PYTHON the interpreter of an environment with promo-mypy[lsp] and NumPy.
 * `npm run package` and `npm install --no-save playwright-core` come before.
 * CHROMIUM names the browser where it is not /usr/bin/chromium.
 */

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

const [codeServer, python, pictures] = process.argv.slice(2);
const PORT = 18080;
/** Milliseconds for a step: the first check reads NumPy. */
const PATIENCE = 180_000;
const EXTENSION = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const SETTINGS = {
  "chat.disableAIFeatures": true,
  "editor.fontSize": 14,
  "editor.minimap.enabled": false,
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "window.commandCenter": false,
  "workbench.colorTheme": "Default Light Modern",
  "workbench.layoutControl.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

const scratch = mkdtempSync(join(tmpdir(), "promo-code-"));
const folder = join(scratch, "photos");
const file = join(folder, "brighten.py");
const places = ["--user-data-dir", join(scratch, "data"), "--extensions-dir", join(scratch, "extensions")];

/** Make the folder and the editor's own folders, with the extension and a stand-in for the Python extension. */
function prepare() {
  mkdirSync(folder);
  cpSync(join(EXTENSION, "../../examples/check/brighten.py"), file);
  writeFileSync(join(folder, "cells.ipynb"), notebook());
  mkdirSync(join(scratch, "data/User"), { recursive: true });
  writeFileSync(join(scratch, "data/User/settings.json"), JSON.stringify(SETTINGS));
  mkdirSync(pictures, { recursive: true });
  const standIn = join(scratch, "python.vsix");
  execFileSync("npx", ["vsce", "package", "--skip-license", "--allow-missing-repository", "--out", standIn], {
    cwd: join(EXTENSION, "test/python-stand-in"),
  });
  const { version } = JSON.parse(readFileSync(join(EXTENSION, "package.json"), "utf8"));
  for (const each of [standIn, join(EXTENSION, `promo-mypy-${version}.vsix`)]) {
    execFileSync(codeServer, [...places, "--install-extension", each]);
  }
}

/** A notebook with the same mistake. */
function notebook() {
  const source = readFileSync(file, "utf8").replace(/^""".*\n\n/, "").replace(/ +""".*\n/, "");
  const [imports, body] = source.split("\n\n\n");
  const cells = [imports, body].map((text) => ({ cell_type: "code", execution_count: null, metadata: {}, outputs: [], source: text }));
  return JSON.stringify({ cells, metadata: { language_info: { name: "python" } }, nbformat: 4, nbformat_minor: 4 });
}

/** Wait until the server of the editor answers. */
async function answers() {
  for (let waited = 0; waited < PATIENCE; waited += 500) {
    if (await fetch(`http://127.0.0.1:${PORT}/healthz`).then((answer) => answer.ok, () => false)) {
      return;
    }
    await new Promise((done) => setTimeout(done, 500));
  }
  throw new Error("code-server does not answer");
}

/** Open the file, and take the steps of a person. */
async function follow(page) {
  const picture = (name) => page.screenshot({ path: join(pictures, `${name}.png`) });
  const typed = async (keys, text) => {
    await page.keyboard.press(keys);
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  };
  await page.goto(`http://127.0.0.1:${PORT}/?folder=${folder}`);
  await page.waitForSelector(".explorer-folders-view", { timeout: PATIENCE });
  await page.getByText("brighten.py").first().dblclick();
  await page.waitForSelector(".view-line");
  await page.waitForSelector(".squiggly-error, .squiggly-warning", { timeout: PATIENCE });
  assert.match(await page.locator("[id*='promo-mypy']").first().innerText(), /promo-mypy/);
  await page.keyboard.press("Control+b"); // the side bar leaves room for the code
  await page.keyboard.press("Control+Shift+M");
  await page.waitForSelector("text=where float32 is declared", { timeout: PATIENCE });
  await picture("finding");
  await page.keyboard.press("Control+j");

  await page.locator(".view-lines").first().click();
  await typed("Control+g", "9:21");
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Control+i");
  await page.waitForSelector(".monaco-hover:not(.hidden) >> text=float64", { timeout: PATIENCE });
  await picture("hover");
  await page.keyboard.press("Escape");

  await typed("Control+g", "10:14");
  await page.keyboard.press("Control+.");
  await page.waitForSelector(".action-widget >> text=Insert the cast", { timeout: PATIENCE });
  await picture("cast");
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=.astype(np.float32)", { timeout: PATIENCE });
  await page.keyboard.press("Control+s");
  await page.waitForFunction(() => !document.querySelector(".squiggly-error, .squiggly-warning"), null, { timeout: PATIENCE });
  assert.match(readFileSync(file, "utf8"), /return \(?image \* gain\)?\.astype\(np\.float32\)/);

  await page.keyboard.press("F1");
  await page.keyboard.type("promo-mypy: Restart");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[id*='promo-mypy'] .codicon-check", { timeout: PATIENCE });
  await picture("mended");

  await page.keyboard.press("Control+b");
  await page.getByText("cells.ipynb").first().dblclick();
  await page.waitForSelector(".cell-list-container .squiggly-error", { timeout: PATIENCE });
  await picture("cells");
}

prepare();
const server = spawn(codeServer, [...places, "--auth", "none", "--bind-addr", `127.0.0.1:${PORT}`, "--disable-update-check"], {
  env: { ...process.env, PROMO_PYTHON: python },
  stdio: "inherit",
});
try {
  await answers();
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const page = await browser.newPage({ viewport: { width: 880, height: 460 } });
  try {
    await follow(page);
  } catch (error) {
    await page.screenshot({ path: join(pictures, "failed.png") });
    throw error;
  } finally {
    await browser.close();
  }
  console.log("finding, hover, cast, restart and cells work in VS Code");
} finally {
  server.kill();
}
